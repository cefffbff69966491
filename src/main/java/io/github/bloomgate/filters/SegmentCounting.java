package io.github.bloomgate.filters;

import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.FilterErrors;
import io.github.bloomgate.segment.SegmentCopy;
import io.github.bloomgate.segment.SegmentCounts;
import io.github.bloomgate.store.FilterStore;
import io.github.bloomgate.store.FilterStore.Asked;
import io.github.bloomgate.store.FindReply;
import io.github.bloomgate.store.RawContent;
import io.github.bloomgate.store.RawStore;
import io.github.bloomgate.store.SegmentStore;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Reads the counts of segments. Fails as {@link LiveFilters#find}. */
@Singleton
class SegmentCounting {

  /** Whole segments of 2 MiB each. */
  private static final int WHOLE_AT_ONCE = 4;

  private final LiveFilters live;
  private final FilterStore filters;
  private final SegmentStore segments;
  private final RawStore raw;

  SegmentCounting(LiveFilters live, FilterStore filters, SegmentStore segments, RawStore raw) {
    this.live = live;
    this.filters = filters;
    this.segments = segments;
    this.raw = raw;
  }

  private record Place(GenerationView generation, int segment) {

    private String key() {
      return generation.stored().segmentKey(segment);
    }

    private LayerView view() {
      return generation.layer(segment);
    }

    private Asked asked() {
      return generation.asked(segment);
    }

    private BloomException damage() {
      return FilterErrors.damaged(generation.filter().name(), key());
    }
  }

  /**
   * The counts so far of one version of a filter, by the key of the segment.
   *
   * @param isConfirmed whether Redis had this version when the last count was read
   */
  private record Look(
      FoundFilter found, boolean isConfirmed, boolean nextOnly, Map<String, SegmentCounts> counts) {

    private Look(FoundFilter found, boolean isConfirmed, boolean nextOnly) {
      this(found, isConfirmed, nextOnly, new ConcurrentHashMap<>());
    }

    private Look confirmed(boolean whether) {
      return new Look(found, whether, nextOnly, counts);
    }

    private List<GenerationView> generations() {
      return nextOnly ? found.next().stream().toList() : found.generations();
    }

    /** The next segments to count, up to the limit of a call. */
    private List<Place> pending() {
      return generations().stream()
          .filter(generation -> !generation.filter().isRaw())
          .flatMap(SegmentCounting::places)
          .filter(place -> place.generation.written().contains(place.segment))
          .filter(place -> !counts.containsKey(place.key()))
          .limit(FilterStore.MAX_SEGMENTS_PER_CALL)
          .toList();
    }
  }

  private static Stream<Place> places(GenerationView generation) {
    return IntStream.range(0, generation.filter().segments())
        .mapToObj(segment -> new Place(generation, segment));
  }

  /** Counts everything added so far. Reads whole segments if their journals are not folded. */
  Uni<CountedFilter> exactly(FilterName name) {
    return count(name, true, false);
  }

  /** Counts everything in a filter that was just changed. */
  Uni<CountedFilter> exactly(Changed changed) {
    if (changed.found().isEmpty()) {
      return exactly(changed.name());
    }
    var look = new Look(changed.found().get(), true, false);
    var pending = look.pending();
    // If another segment was written before the change, all headers are read again.
    return pending.size() == changed.headers().size()
        ? take(look.counts, pending, changed.headers(), changed.millis(), true)
            .chain(confirmed -> count(look.confirmed(confirmed), true, 1))
        : count(look, true, 1);
  }

  /** Counts the next generation, even if the live one is damaged. */
  Uni<CountedFilter> exactlyNext(FilterName name) {
    return count(name, true, true);
  }

  /** Counts everything as of the last folds, at most a minute ago. */
  Uni<CountedFilter> asFolded(FilterName name) {
    return count(name, false, false);
  }

  private Uni<CountedFilter> count(FilterName name, boolean exact, boolean nextOnly) {
    return live.remembered(name)
        .map(known -> count(new Look(known, false, nextOnly), exact, 1))
        .orElseGet(
            () -> live.find(name).chain(found -> count(new Look(found, true, nextOnly), exact, 1)));
  }

  private Uni<CountedFilter> count(Look look, boolean exact, int attempt) {
    var name = look.found.filter().name();
    if (attempt > Attempts.MAX) {
      return Uni.createFrom().failure(FilterErrors.changed(name));
    }
    var asked = look.pending();
    if (asked.isEmpty() && look.isConfirmed) {
      return exact
          ? countRaw(look)
              .chain(
                  isSame ->
                      isSame
                          ? Uni.createFrom().item(counted(look))
                          : countAgain(look, true, attempt + 1))
          : Uni.createFrom().item(counted(look));
    }
    return filters
        .find(name, look.found.next().isPresent(), asked.stream().map(Place::asked).toList())
        .chain(
            reply -> {
              var now = live.note(name, reply, look.found.next().isPresent());
              var read = (FindReply.Found) reply;
              return isSame(look.found, now)
                  ? take(look.counts, asked, read.headers(), read.millis(), exact)
                      .chain(
                          confirmed ->
                              count(
                                  new Look(now, confirmed, look.nextOnly, look.counts),
                                  exact,
                                  attempt))
                  : countAgain(look, exact, attempt + 1);
            });
  }

  private Uni<CountedFilter> countAgain(Look look, boolean exact, int attempt) {
    return live.find(look.found.filter().name())
        .chain(found -> count(new Look(found, true, look.nextOnly), exact, attempt));
  }

  /** Counts the bits of raw bitmaps. Returns false if the filter was changed. */
  private Uni<Boolean> countRaw(Look look) {
    return Multi.createFrom()
        .iterable(look.generations())
        .filter(generation -> generation.filter().isRaw())
        .onItem()
        .transformToUniAndConcatenate(
            generation ->
                raw.counts(RawContent.of(generation.stored(), generation.filter()))
                    .map(its -> new SegmentCounts(its.bitsSet(), its.insertions()))
                    .invoke(its -> look.counts.put(generation.stored().segmentKey(0), its))
                    .replaceWith(true)
                    .onFailure(SegmentCounting::isChange)
                    .recoverWithItem(false))
        .collect()
        .with(Collectors.reducing(true, (one, next) -> one && next));
  }

  private static boolean isChange(Throwable failure) {
    return failure instanceof BloomException error
        && switch (error.code()) {
          case FILTER_CHANGED, FILTER_NOT_FOUND, REBUILD_NOT_FOUND -> true;
          default -> false;
        };
  }

  private static boolean isSame(FoundFilter one, FoundFilter other) {
    return one.filter().version().equals(other.filter().version())
        && nextVersion(one).equals(nextVersion(other));
  }

  private static Optional<String> nextVersion(FoundFilter found) {
    return found.next().map(next -> next.filter().version());
  }

  /**
   * Adds the counts of headers, as of a time in Redis. Returns false if the filter must be read
   * again.
   */
  private Uni<Boolean> take(
      Map<String, SegmentCounts> counts,
      List<Place> asked,
      List<FindReply.Header> headers,
      long millis,
      boolean exact) {
    var whole = new ArrayList<Place>();
    for (var i = 0; i < headers.size(); i++) {
      var place = asked.get(i);
      var header = headers.get(i);
      try {
        if (exact && !place.view().format().isFolded(header.bytes(), header.length())) {
          whole.add(place);
        } else {
          counts.put(place.key(), place.view().format().counts(header.bytes(), millis));
        }
      } catch (IllegalArgumentException missingOrMalformed) {
        throw place.damage();
      }
    }
    return whole.isEmpty()
        ? Uni.createFrom().item(true)
        : Multi.createFrom()
            .iterable(whole)
            .onItem()
            .transformToUni(place -> readWhole(counts, place, millis))
            .merge(WHOLE_AT_ONCE)
            .collect()
            .last()
            .replaceWith(false);
  }

  /** A missing segment stays pending: the filter has changed or is damaged. */
  private Uni<Boolean> readWhole(Map<String, SegmentCounts> counts, Place place, long millis) {
    return segments
        .read(place.generation.stored().content(), place.segment)
        .map(
            bytes -> {
              bytes.ifPresent(some -> counts.put(place.key(), countsOf(place, some, millis)));
              return true;
            })
        .onFailure(IllegalArgumentException.class)
        .transform(malformed -> place.damage());
  }

  private static SegmentCounts countsOf(Place place, byte[] whole, long millis) {
    var copy = SegmentCopy.read(place.view().format(), whole);
    var counts = copy.counts(millis);
    copy.close();
    return counts;
  }

  private CountedFilter counted(Look look) {
    return new CountedFilter(
        look.found,
        counts(look, look.found.live()),
        look.found.next().map(next -> counts(look, next)).orElse(List.of()));
  }

  private List<SegmentCounts> counts(Look look, GenerationView generation) {
    return places(generation)
        .map(place -> look.counts.getOrDefault(place.key(), SegmentCounts.NONE))
        .toList();
  }
}
