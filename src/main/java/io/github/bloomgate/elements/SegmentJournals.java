package io.github.bloomgate.elements;

import io.github.bloomgate.config.BloomgateConfig;
import io.github.bloomgate.elements.SegmentWork.Kind;
import io.github.bloomgate.filters.SegmentCalls;
import io.github.bloomgate.journal.SegmentCopies;
import io.github.bloomgate.journal.SegmentCopy;
import io.github.bloomgate.journal.SegmentKey;
import io.github.bloomgate.model.Durability;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RequestErrors;
import io.github.bloomgate.store.Coalescer;
import io.github.bloomgate.store.ElementCalls;
import io.github.bloomgate.store.JournaledException;
import io.github.bloomgate.store.SegmentBatch;
import io.github.bloomgate.store.SegmentResult;
import io.github.bloomgate.store.SegmentStore;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jboss.logging.Logger;

/**
 * Adds, removes and tests elements with copies of segments that follow their journals, see {@link
 * io.github.bloomgate.journal}.
 *
 * <p>One call at a time is under way for a segment, with all that came while the one before was. It
 * journals what is to be added and brings what others have journaled before; replayed in that order
 * they tell what was new, and the tests find what was there. An element of which all bits are set
 * is known for good, so it is not journaled.
 */
@ApplicationScoped
public class SegmentJournals {

  private static final Logger LOG = Logger.getLogger(SegmentJournals.class);

  /** Most elements of several requests that are worked on together, which takes about 10 ms. */
  private static final int MAX_ELEMENTS = 1 << 17;

  /** So long after the last change the journal comes into the bitmap. */
  static final Duration QUIET = Duration.ofSeconds(3);

  /** So long after the last change the journal is dropped. */
  static final Duration AT_REST = Duration.ofSeconds(30);

  /*
   * What the two ways of adding cost Redis and this service together. An element of 7 bits costs
   * Redis 4.9 microseconds of CPU and this service 1.2. A bitmap of 2 MiB costs Redis 0.4 ms to be
   * read and 0.6 ms to be written, and this service about 3 ms: 0.0025 microseconds a byte. A
   * network of 10 Gbit/s takes 0.001 more, and replicas and the append-only file are to be spared.
   */
  private static final double MICROS_PER_BIT = 0.9;
  private static final double MICROS_PER_COPY = 200;
  private static final double MICROS_PER_BYTE = 0.005;

  private final SegmentStore segments;
  private final ElementCalls elements;
  private final SegmentCopies copies;
  private final SegmentTurns turns;
  private final Coalescer<SegmentKey, SegmentWork, Outcome> waiting;
  private final Counter sharedCalls;
  private final Counter sharingBatches;

  @Inject
  public SegmentJournals(
      SegmentStore segments,
      ElementCalls elements,
      SegmentCopies copies,
      SegmentTurns turns,
      BloomgateConfig config,
      MeterRegistry metrics) {
    this(segments, elements, copies, turns, config.speed().coalescing(), metrics);
  }

  public SegmentJournals(
      SegmentStore segments,
      ElementCalls elements,
      SegmentCopies copies,
      SegmentTurns turns,
      boolean coalescing,
      MeterRegistry metrics) {
    this.segments = segments;
    this.elements = elements;
    this.copies = copies;
    this.turns = turns;
    this.waiting =
        new Coalescer<>(
            1, key -> coalescing ? MAX_ELEMENTS : 1, SegmentWork::count, this::together);
    this.sharedCalls = ElementCalls.sharedCalls(metrics);
    this.sharingBatches = ElementCalls.sharingBatches(metrics);
  }

  /**
   * Whether elements of a segment are to be added or tested with a copy: there is one, or somebody
   * reads one, which bits set in Redis meanwhile would make useless, or it is worth one by now.
   */
  boolean isDue(Filter filter, int segment, int elements) {
    if (!isJournaled(filter)) {
      return copies.canServe(filter) && pays(filter, segment, elements);
    }
    var key = new SegmentKey(filter, segment);
    return copies.find(key).isPresent()
        || waiting.isBusy(key)
        || (copies.canServe(filter) && pays(filter, segment, elements))
        || (copies.takes(filter) && copies.missed(key, elements));
  }

  /** The copy of a segment, if there is one. Others may be changing it. */
  Optional<SegmentCopy> copy(Filter filter, int segment) {
    return copies.find(new SegmentKey(filter, segment));
  }

  /** What will be a library's bitmap has to be one when it becomes it. */
  static boolean isJournaled(Filter filter) {
    return filter.adoptedKey().isEmpty();
  }

  private static boolean pays(Filter filter, int segment, int elements) {
    var shape = filter.shapeOf(segment);
    return elements * shape.numHashFunctions() * MICROS_PER_BIT
        > MICROS_PER_COPY + shape.segmentBytes() * MICROS_PER_BYTE;
  }

  /**
   * Adds, removes or tests the elements of a request in a segment.
   *
   * @return empty if there is no memory for a copy: nothing was done
   */
  Uni<Optional<SegmentResult>> send(Filter filter, int segment, SegmentWork work) {
    return waiting
        .send(new SegmentKey(filter, segment), work)
        .onItem()
        .transformToUni(Outcome::toUni);
  }

  /** Likewise in several segments at once, with an outcome for each; they share a call. */
  Uni<List<Outcome>> sendAll(List<SegmentKey> keys, List<SegmentWork> works) {
    return waiting.sendAll(keys, works, Outcome::failed);
  }

  /**
   * Adds, removes or tests the elements of a batch bit by bit in Redis; where others journal, with
   * a copy.
   *
   * @throws BloomException OVERLOADED if there is no memory for a copy, and others journal again
   *     and again
   */
  Uni<SegmentResult> bitByBit(Filter filter, SegmentBatch batch, Kind kind, SegmentCalls calls) {
    var segment = batch.segment();
    var work = SegmentWork.of(batch, kind, calls.durability());
    return calls
        .on(segment, () -> bitByBit(filter, batch, kind, calls.durability()))
        .onFailure(JournaledException.class)
        .recoverWithUni(
            () ->
                calls
                    .on(segment, () -> send(filter, segment, work))
                    .chain(
                        result ->
                            result.isPresent()
                                ? Uni.createFrom().item(result.get())
                                : afterTheJournal(filter, batch, kind, calls, 1)));
  }

  /** Where what is journaled is not in the bitmap, it comes there first. */
  private Uni<SegmentResult> afterTheJournal(
      Filter filter, SegmentBatch batch, Kind kind, SegmentCalls calls, int attempt) {
    var segment = batch.segment();
    return calls
        .on(
            segment,
            () ->
                segments
                    .bringHome(filter, segment, kind.changes())
                    .chain(() -> bitByBit(filter, batch, kind, calls.durability())))
        .onFailure(JournaledException.class)
        .recoverWithUni(
            () ->
                attempt < SegmentTurns.MAX_ATTEMPTS
                    ? afterTheJournal(filter, batch, kind, calls, attempt + 1)
                    : Uni.createFrom().failure(RequestErrors.overloaded()));
  }

  private Uni<SegmentResult> bitByBit(
      Filter filter, SegmentBatch batch, Kind kind, Durability durability) {
    return switch (kind) {
      case ADD -> elements.add(filter, batch, durability);
      case REMOVE -> elements.remove(filter, batch, durability);
      case COUNT -> elements.multiplicity(filter, batch);
      default -> elements.test(filter, batch);
    };
  }

  /**
   * Brings what is journaled into the bitmaps of segments that nobody has changed for some time.
   *
   * @param quiet how long, to have it in the bitmap
   * @param atRest how long, to drop the journal too
   */
  Uni<Void> rest(Duration quiet, Duration atRest) {
    var now = System.nanoTime();
    var due = new ArrayList<Uni<Optional<SegmentResult>>>();
    copies
        .all()
        .forEach(
            (key, copy) -> {
              var unchanged = now - copy.changedAtNanos();
              var isAtRest = copy.kept() > 0 && unchanged >= atRest.toNanos();
              if (isAtRest || (copy.unfolded() > 0 && unchanged >= quiet.toNanos())) {
                due.add(
                    waiting
                        .send(key, SegmentWork.rest(isAtRest))
                        .onItem()
                        .transformToUni(Outcome::toUni)
                        .onFailure()
                        .invoke(failure -> notRested(key, failure))
                        .onFailure()
                        .recoverWithNull());
              }
            });
    return due.isEmpty()
        ? Uni.createFrom().voidItem()
        : Uni.join().all(due).usingConcurrencyOf(1).andFailFast().replaceWithVoid();
  }

  private static void notRested(SegmentKey key, Throwable failure) {
    LOG.debugf("The journal of a segment of filter %s stays: %s", key.filter().name(), failure);
  }

  private Uni<List<Outcome>> together(SegmentKey key, List<SegmentWork> all) {
    var durability = all.get(0).durability();
    var some = new ArrayList<SegmentWork>(all.size());
    for (var work : all) {
      if (work.durability() != durability) {
        break;
      }
      some.add(work);
    }
    if (some.size() > 1) {
      sharedCalls.increment();
      sharingBatches.increment(some.size());
    }
    return turns.take(key, some, durability);
  }
}
