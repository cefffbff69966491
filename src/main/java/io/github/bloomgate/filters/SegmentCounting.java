package io.github.bloomgate.filters;

import io.github.bloomgate.memory.Client;
import io.github.bloomgate.memory.MemoryBudget;
import io.github.bloomgate.memory.Turns;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.segment.SegmentCopy;
import io.github.bloomgate.segment.SegmentCounts;
import io.github.bloomgate.store.FilterStore;
import io.github.bloomgate.store.FilterStore.Asked;
import io.github.bloomgate.store.FindReply;
import io.github.bloomgate.store.RawStore;
import io.github.bloomgate.store.SegmentStore;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

/** Reads the counts of segments. Fails as {@link LiveFilters#find}. */
@Singleton
class SegmentCounting {

  /** Whole segments of 2 MiB each, of all descriptions together. */
  private static final int WHOLE_AT_ONCE = 2;

  /** A reply, its bytes and a copy. */
  private static final int HELD = 3;

  private final LiveFilters live;
  private final FilterStore filters;
  private final SegmentStore segments;
  private final RawStore raw;
  private final UnfoldedSegments unfolded;
  private final MemoryBudget memory;
  private final Turns wholes = new Turns(WHOLE_AT_ONCE);

  SegmentCounting(
      LiveFilters live,
      FilterStore filters,
      SegmentStore segments,
      RawStore raw,
      UnfoldedSegments unfolded,
      MemoryBudget memory) {
    this.live = live;
    this.filters = filters;
    this.segments = segments;
    this.raw = raw;
    this.unfolded = unfolded;
    this.memory = memory;
  }

  /**
   * A filter and the counts of its segments.
   *
   * @param live for each segment of the live generation
   * @param next for each segment of the next generation; empty without a rebuild
   */
  record CountedFilter(Filter found, List<SegmentCounts> live, List<SegmentCounts> next) {}

  /** Counts everything added so far. Reads whole segments if their journals are not folded. */
  Uni<CountedFilter> exactly(FilterName name, Client client) {
    return count(name, true, false, client);
  }

  /** Counts everything in a filter that was just changed. */
  Uni<CountedFilter> exactly(ChangedFilter changed) {
    if (changed.found().isEmpty()) {
      return exactly(changed.name(), Client.SERVICE);
    }
    var count = new Count(changed.found().get(), true, true, false, Client.SERVICE);
    var pending = count.pending();
    // If another segment was written before the change, all headers are read again.
    return pending.size() == changed.headers().size()
        ? count.take(pending, changed.headers(), changed.millis())
        : count.goOn();
  }

  /** Counts the next generation, even if the live one is damaged. */
  Uni<CountedFilter> exactlyNext(FilterName name, Client client) {
    return count(name, true, true, client);
  }

  /** Counts everything as of the last folds, at most a minute ago. */
  Uni<CountedFilter> asFolded(FilterName name) {
    return count(name, false, false, Client.SERVICE);
  }

  private Uni<CountedFilter> count(
      FilterName name, boolean exact, boolean nextOnly, Client client) {
    return live.remembered(name)
        .map(known -> new Count(known, false, exact, nextOnly, client).goOn())
        .orElseGet(
            () ->
                live.find(name)
                    .chain(found -> new Count(found, true, exact, nextOnly, client).goOn()));
  }

  /** The counts of one version of a filter, read by one call after another. */
  private final class Count {

    private final boolean exact;
    private final boolean nextOnly;
    private final Client client;
    private final FilterName name;
    private final Attempts attempts;

    /** By the key of the segment. */
    private final Map<String, SegmentCounts> counts = new ConcurrentHashMap<>();

    private Filter found;

    /** Whether Redis had this version when the last count was read. */
    private boolean isConfirmed;

    private Count(
        Filter found, boolean isConfirmed, boolean exact, boolean nextOnly, Client client) {
      this.name = found.live().name();
      this.found = found;
      this.isConfirmed = isConfirmed;
      this.exact = exact;
      this.nextOnly = nextOnly;
      this.client = client;
      this.attempts = new Attempts(live, name);
      attempts.count();
    }

    private List<Generation> generations() {
      return nextOnly ? found.next().stream().toList() : found.generations();
    }

    /** The next segments to count, up to the limit of a call. */
    private List<Asked> pending() {
      return generations().stream()
          .flatMap(generation -> generation.storedContent().headers())
          .filter(segment -> !counts.containsKey(segment.key()))
          .limit(FilterStore.MAX_SEGMENTS_PER_CALL)
          .toList();
    }

    private Uni<CountedFilter> goOn() {
      var asked = pending();
      if (asked.isEmpty() && isConfirmed) {
        return exact ? countRaw() : Uni.createFrom().item(counted());
      }
      var withNext = found.next().isPresent();
      return filters
          .find(name, withNext, asked)
          .chain(
              reply -> {
                var now = live.note(name, reply, withNext);
                if (!isSame(found, now)) {
                  return countAgain();
                }
                found = now;
                var read = (FindReply.Found) reply;
                return take(asked, read.headers(), read.millis());
              });
    }

    private Uni<CountedFilter> countAgain() {
      attempts.count();
      return live.find(name)
          .chain(
              now -> {
                found = now;
                isConfirmed = true;
                counts.clear();
                return goOn();
              });
    }

    /** Counts the bits of raw bitmaps, the last step. */
    private Uni<CountedFilter> countRaw() {
      return Multi.createFrom()
          .items(generations().stream().flatMap(its -> its.storedContent().uncounted().stream()))
          .onItem()
          .transformToUniAndConcatenate(
              bitmap ->
                  raw.counts(bitmap)
                      .invoke(its -> counts.put(bitmap.generation().segmentKey(0), its)))
          .collect()
          .last()
          .map(last -> counted())
          .onFailure(SegmentCounting::isChange)
          .recoverWithUni(Uni.createFrom().deferred(this::countAgain));
    }

    /** Adds the counts of headers, as of a time in Redis, and goes on. */
    private Uni<CountedFilter> take(
        List<Asked> asked, List<FindReply.Header> headers, long millis) {
      var whole = new ArrayList<Asked>();
      for (var i = 0; i < headers.size(); i++) {
        var segment = asked.get(i);
        var header = headers.get(i);
        try {
          var isFolded = segment.format().isFolded(header.bytes(), header.length());
          if (!isFolded) {
            unfolded.note(segment, header.length());
          }
          if (exact && !isFolded) {
            whole.add(segment);
          } else {
            counts.put(segment.key(), segment.format().counts(header.bytes(), millis));
          }
        } catch (IllegalArgumentException missingOrMalformed) {
          throw damage(segment);
        }
      }
      isConfirmed = whole.isEmpty();
      return Multi.createFrom()
          .iterable(whole)
          .onItem()
          .transformToUni(segment -> wholes.take(client, () -> readWhole(segment, millis)))
          .merge(WHOLE_AT_ONCE)
          .collect()
          .last()
          .chain(this::goOn);
    }

    /** A missing segment stays pending: the filter has changed or is damaged. */
    private Uni<Void> readWhole(Asked segment, long millis) {
      return memory
          .holding(
              MemoryBudget.Use.BITMAPS,
              client.id(),
              (long) HELD * segment.format().bitmapBytes(),
              () -> segments.read(segment.generation().content(), segment.segment()))
          .invoke(
              bytes ->
                  bytes.ifPresent(
                      some -> counts.put(segment.key(), countsOf(segment, some, millis))))
          .onFailure(IllegalArgumentException.class)
          .transform(malformed -> damage(segment))
          .replaceWithVoid();
    }

    private CountedFilter counted() {
      return new CountedFilter(
          found, counts(found.live()), found.next().map(this::counts).orElse(List.of()));
    }

    private List<SegmentCounts> counts(Generation generation) {
      return IntStream.range(0, generation.segments())
          .mapToObj(generation.stored()::segmentKey)
          .map(key -> counts.getOrDefault(key, SegmentCounts.NONE))
          .toList();
    }
  }

  private static SegmentCounts countsOf(Asked segment, byte[] whole, long millis) {
    try (var copy = SegmentCopy.read(segment.format(), whole)) {
      return copy.counts(millis);
    }
  }

  private static BloomException damage(Asked segment) {
    return segment.generation().damaged(segment.segment());
  }

  private static boolean isChange(Throwable failure) {
    return failure instanceof BloomException error
        && switch (error.code()) {
          case FILTER_CHANGED, FILTER_NOT_FOUND, REBUILD_NOT_FOUND -> true;
          default -> false;
        };
  }

  private static boolean isSame(Filter one, Filter other) {
    return one.live().stored().equals(other.live().stored())
        && one.next().map(Generation::stored).equals(other.next().map(Generation::stored));
  }
}
