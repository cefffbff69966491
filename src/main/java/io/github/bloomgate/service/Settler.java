package io.github.bloomgate.service;

import io.github.bloomgate.error.BloomException;
import io.github.bloomgate.error.ErrorCode;
import io.github.bloomgate.filter.Filter;
import io.github.bloomgate.filter.Filter.Pending;
import io.github.bloomgate.filter.FilterName;
import io.github.bloomgate.filter.Rebuild;
import io.github.bloomgate.store.FilterStore;
import io.github.bloomgate.store.Outline;
import io.github.bloomgate.store.RebuildStore;
import io.github.bloomgate.store.SegmentStore;
import io.github.bloomgate.store.StaleFilterException;
import io.github.bloomgate.store.UnsettledFilters;
import io.github.bloomgate.store.UnsettledFilters.Note;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jboss.logging.Logger;

/**
 * Lets the later segments of filters follow what happened to the first.
 *
 * <p>A filter of many segments is too large for one script, and its segments may be on different
 * nodes. So a change is made to the first segment alone, in one script, and takes effect there;
 * settling then makes, empties, dates or frees the others one by one. It can be cut short anywhere,
 * repeated, and done by several instances at once: the name stays noted until it is complete. While
 * a rebuild is open its name stays noted too, so that one that was abandoned is found and aborted.
 */
@ApplicationScoped
public class Settler {

  private static final Logger LOG = Logger.getLogger(Settler.class);

  /** Noted this long ago and still not settled: whoever began it does not go on. */
  private static final Duration ABANDONED = Duration.ofSeconds(30);

  private static final int CALLS_AT_ONCE = 4;
  private static final int MAX_ROUNDS = 10;

  private final FilterStore filters;
  private final SegmentStore segments;
  private final RebuildStore rebuilds;
  private final UnsettledFilters unsettled;
  private final Clock clock;

  Settler(
      FilterStore filters,
      SegmentStore segments,
      RebuildStore rebuilds,
      UnsettledFilters unsettled,
      Clock clock) {
    this.filters = filters;
    this.segments = segments;
    this.rebuilds = rebuilds;
    this.unsettled = unsettled;
    this.clock = clock;
  }

  /**
   * Makes a change and lets the later segments follow.
   *
   * @param change the script on the first segment; run once
   * @return the change's result, when all segments have followed
   */
  public <T> Uni<T> follow(FilterName name, Supplier<Uni<T>> change) {
    return note(name).chain(note -> change.get().call(() -> settle(note)));
  }

  /** Finishes what was begun and abandoned, by this instance before a crash or by any other. */
  public Uni<Void> settleAbandoned() {
    return unsettled
        .notedBefore(clock.instant().minus(ABANDONED))
        .onItem()
        .transformToMulti(Multi.createFrom()::iterable)
        .onItem()
        .transformToUniAndConcatenate(this::settleAbandoned)
        .onItem()
        .ignoreAsUni();
  }

  private Uni<Void> settleAbandoned(Note note) {
    var name = note.name();
    return settleNoted(note)
        .invoke(
            rebuild -> {
              if (rebuild.isEmpty()) {
                LOG.infof("Finished what was begun and abandoned with filter %s", name);
              }
            })
        .replaceWithVoid()
        .onFailure()
        .invoke(
            failure ->
                LOG.warnf(
                    "The segments of filter %s could not be settled, trying again later: %s",
                    name, failure.getMessage()))
        .onFailure()
        .recoverWithNull();
  }

  /**
   * Notes that the later segments of a filter will have to follow a change about to be made.
   *
   * @return the note, for {@link #settle}
   */
  Uni<Note> note(FilterName name) {
    return unsettled.note(name, clock.instant());
  }

  /** Lets the later segments of a filter follow, then strikes off the note unless one is needed. */
  Uni<Void> settle(Note note) {
    return settleNoted(note).replaceWithVoid();
  }

  private Uni<Optional<Rebuild>> settleNoted(Note note) {
    return round(note.name(), 1)
        .call(
            rebuild ->
                rebuild.isEmpty()
                    ? unsettled.strikeOff(note)
                    : unsettled.postpone(note, clock.instant()));
  }

  /** The rebuild that is open for a filter whose segments have followed. */
  private Uni<Optional<Rebuild>> round(FilterName name, int round) {
    if (round > MAX_ROUNDS) {
      return Uni.createFrom().failure(BloomException.filterChanged(name));
    }
    var damage = new AtomicReference<BloomException>();
    return filters
        .outline(name)
        .chain(
            outline -> {
              var orphans = orphans(outline);
              return abortIfAbandoned(outline)
                  .chain(
                      aborted ->
                          aborted
                              ? Uni.createFrom().item(false)
                              : free(outline, orphans)
                                  .chain(() -> settleSegments(outline, damage))
                                  .chain(() -> filters.finish(name, outline, orphans)))
                  // A segment was freed, so its generation is gone: look what is there now.
                  .onFailure(StaleFilterException.class)
                  .recoverWithItem(false)
                  .chain(
                      finished -> {
                        if (!finished) {
                          return round(name, round + 1);
                        }
                        return damage.get() == null
                            ? Uni.createFrom().item(outline.rebuild())
                            : Uni.createFrom().failure(damage.get());
                      });
            });
  }

  private Uni<Boolean> abortIfAbandoned(Outline outline) {
    return outline
        .rebuild()
        .filter(rebuild -> !clock.instant().isBefore(rebuild.abandonedAt()))
        .map(rebuild -> rebuilds.abortIfAbandoned(rebuild.next()))
        .orElseGet(() -> Uni.createFrom().item(false))
        .invoke(
            aborted -> {
              if (aborted) {
                LOG.warn("Aborted a rebuild into which nothing was loaded any more");
              }
            });
  }

  /** The incarnations listed under a name that belong to nothing: nobody can reach them. */
  private static List<String> orphans(Outline outline) {
    var orphans = new ArrayList<>(outline.segmentSets().keySet());
    generations(outline).forEach(filter -> orphans.remove(filter.generation().incarnation()));
    return orphans;
  }

  /** The live generation and the next, as far as there are any. */
  private static Stream<Filter> generations(Outline outline) {
    return Stream.concat(outline.filter().stream(), outline.rebuild().map(Rebuild::next).stream());
  }

  private Uni<Void> free(Outline outline, List<String> incarnations) {
    return Multi.createFrom()
        .iterable(incarnations)
        .onItem()
        .transformToUniAndConcatenate(
            incarnation ->
                each(
                    outline.segmentSets().get(incarnation),
                    segment -> segments.free(incarnation, segment)))
        .onItem()
        .ignoreAsUni();
  }

  private Uni<Void> settleSegments(Outline outline, AtomicReference<BloomException> damage) {
    return Multi.createFrom()
        .items(generations(outline).filter(filter -> filter.pending() != Pending.NOTHING))
        .onItem()
        .transformToUniAndConcatenate(
            filter ->
                each(
                    filter.shape().segments(),
                    segment -> settleUnlessDamaged(filter, segment, damage)))
        .onItem()
        .ignoreAsUni();
  }

  /** One segment that is lost must not keep the others from following. */
  private Uni<Void> settleUnlessDamaged(
      Filter filter, int segment, AtomicReference<BloomException> damage) {
    return segments
        .settle(filter, segment)
        .onFailure(Settler::isDamage)
        .recoverWithUni(
            failure -> {
              damage.set((BloomException) failure);
              return Uni.createFrom().voidItem();
            });
  }

  private static boolean isDamage(Throwable failure) {
    return failure instanceof BloomException error
        && (error.code() == ErrorCode.FILTER_DAMAGED || error.code() == ErrorCode.WRONG_KEY_TYPE);
  }

  private static Uni<Void> each(int segments, Function<Integer, Uni<Void>> work) {
    return Multi.createFrom()
        .iterable(IntStream.range(1, segments).boxed().toList())
        .onItem()
        .transformToUni(work::apply)
        .merge(CALLS_AT_ONCE)
        .onItem()
        .ignoreAsUni();
  }
}
