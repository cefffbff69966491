package io.github.bloomgate.service;

import io.github.bloomgate.config.BloomgateConfig;
import io.github.bloomgate.error.BloomException;
import io.github.bloomgate.error.ErrorCode;
import io.github.bloomgate.error.FilterErrors;
import io.github.bloomgate.error.RequestErrors;
import io.github.bloomgate.filter.Durability;
import io.github.bloomgate.filter.Filter;
import io.github.bloomgate.filter.Generation;
import io.github.bloomgate.journal.Blocks;
import io.github.bloomgate.journal.Marks;
import io.github.bloomgate.journal.SegmentCopies;
import io.github.bloomgate.journal.SegmentCopy;
import io.github.bloomgate.journal.SegmentKey;
import io.github.bloomgate.service.SegmentWork.Kind;
import io.github.bloomgate.store.Coalescer;
import io.github.bloomgate.store.ElementCalls;
import io.github.bloomgate.store.JournalStore;
import io.github.bloomgate.store.JournaledException;
import io.github.bloomgate.store.SegmentBatch;
import io.github.bloomgate.store.SegmentStore;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.jboss.logging.Logger;

/**
 * Adds and tests elements with copies of segments that follow their journals, see {@link
 * io.github.bloomgate.journal}.
 *
 * <p>One call at a time is under way for a segment, with all that came while the one before was. It
 * journals what is to be added and brings what others have journaled before; replayed in that order
 * they tell what was new, and the tests find what was there. An element of which all bits are set
 * is known for good, so it is not journaled.
 */
@ApplicationScoped
class SegmentJournals {

  private static final Logger LOG = Logger.getLogger(SegmentJournals.class);

  /** Each attempt but the first means that others have changed the segment in between. */
  private static final int MAX_ATTEMPTS = 8;

  /** How often a snapshot with many elements is tried before it gives way to others. */
  private static final int MAX_WRITES = 3;

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

  /** For replicas that were not waited for. */
  private static final int NOT_ASKED = -1;

  private final SegmentStore segments;
  private final JournalStore store;
  private final SegmentCopies copies;
  private final SegmentSnapshots snapshots;
  private final Executor workers;
  private final Marks marks = new Marks();
  private final Coalescer<SegmentKey, SegmentWork, Outcome> turns;
  private final Counter sharedCalls;
  private final Counter sharingBatches;

  @Inject
  SegmentJournals(
      SegmentStore segments,
      JournalStore store,
      SegmentCopies copies,
      SegmentSnapshots snapshots,
      BloomgateConfig config,
      MeterRegistry metrics) {
    this(
        segments,
        store,
        copies,
        snapshots,
        config.speed().coalescing(),
        OwnContext.workers(),
        metrics);
  }

  SegmentJournals(
      SegmentStore segments,
      JournalStore store,
      SegmentCopies copies,
      SegmentSnapshots snapshots,
      boolean coalescing,
      Executor workers,
      MeterRegistry metrics) {
    this.segments = segments;
    this.store = store;
    this.copies = copies;
    this.snapshots = snapshots;
    this.workers = workers;
    this.turns =
        new Coalescer<>(
            1, key -> coalescing ? MAX_ELEMENTS : 1, SegmentWork::count, this::together);
    this.sharedCalls = ElementCalls.sharedCalls(metrics);
    this.sharingBatches = ElementCalls.sharingBatches(metrics);
  }

  /**
   * Whether elements of a segment are to be added or tested with a copy: there is one, or it is
   * worth one by now.
   */
  boolean isDue(Filter filter, int segment, int elements) {
    if (!isJournaled(filter)) {
      return copies.canServe(filter) && pays(filter, elements);
    }
    var key = new SegmentKey(filter, segment);
    return copies.find(key).isPresent()
        || (copies.canServe(filter) && pays(filter, elements))
        || (copies.takes(filter) && copies.missed(key, elements));
  }

  /** What will be a library's bitmap has to be one when it becomes it. */
  private static boolean isJournaled(Filter filter) {
    return filter.adoptedKey().isEmpty();
  }

  private static boolean pays(Filter filter, int elements) {
    return elements * filter.shape().numHashFunctions() * MICROS_PER_BIT
        > MICROS_PER_COPY + filter.shape().segmentBytes() * MICROS_PER_BYTE;
  }

  /**
   * Adds or tests the elements of a request in a segment.
   *
   * @return empty if there is no memory for a copy: nothing was done
   */
  Uni<Optional<SegmentResult>> send(Filter filter, int segment, SegmentWork work) {
    return turns
        .send(new SegmentKey(filter, segment), work)
        .onItem()
        .transformToUni(Outcome::toUni);
  }

  /**
   * Adds or tests the elements of a batch bit by bit in Redis; where others journal, with a copy.
   *
   * @throws BloomException OVERLOADED if others journal and there is no memory for a copy
   */
  Uni<SegmentResult> bitByBit(Filter filter, SegmentBatch batch, Kind kind, SegmentCalls calls) {
    return bitByBit(filter, batch, kind, calls, 1);
  }

  private Uni<SegmentResult> bitByBit(
      Filter filter, SegmentBatch batch, Kind kind, SegmentCalls calls, int attempt) {
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
                        result -> {
                          if (result.isPresent()) {
                            return Uni.createFrom().item(result.get());
                          }
                          return attempt < MAX_ATTEMPTS
                              ? bitByBit(filter, batch, kind, calls, attempt + 1)
                              : Uni.createFrom().failure(RequestErrors.overloaded());
                        }));
  }

  private Uni<SegmentResult> bitByBit(
      Filter filter, SegmentBatch batch, Kind kind, Durability durability) {
    return kind == Kind.ADD
        ? segments
            .add(filter, batch, durability)
            .map(reply -> new SegmentResult(reply.added(), reply.next(), false, reply.replicas()))
        : segments
            .test(filter, batch)
            .map(flags -> new SegmentResult(flags, Optional.empty(), false, NOT_ASKED));
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
                    turns
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

  private Uni<List<Outcome>> together(SegmentKey key, List<SegmentWork> waiting) {
    var durability = waiting.get(0).durability();
    var some = new ArrayList<SegmentWork>(waiting.size());
    var elements = 0;
    for (var work : waiting) {
      if (work.durability() != durability) {
        break;
      }
      some.add(work);
      elements += work.count();
    }
    if (some.size() > 1) {
      sharedCalls.increment();
      sharingBatches.increment(some.size());
    }
    var isLarge = elements > ElementService.MAX_ELEMENTS;
    var turn = Uni.createFrom().deferred(() -> new Turn(key, some, durability, isLarge).take(1));
    return isLarge ? turn.runSubscriptionOn(workers) : turn;
  }

  /** Some work on a segment, while nobody else of this instance does any on it. */
  private final class Turn {

    private final SegmentKey key;
    private final Filter filter;
    private final List<SegmentWork> works;
    private final Durability durability;

    /** Whether it is no work for an event loop. */
    private final boolean isLarge;

    private Turn(SegmentKey key, List<SegmentWork> works, Durability durability, boolean isLarge) {
      this.key = key;
      this.filter = key.filter();
      this.works = works;
      this.durability = durability;
      this.isLarge = isLarge;
    }

    private <T> Uni<T> here(Uni<T> reply) {
      return isLarge ? reply.emitOn(workers) : reply;
    }

    private Uni<List<Outcome>> take(int attempt) {
      var held = copies.find(key);
      return held.isPresent()
          ? with(held.get(), attempt)
          : here(snapshots.read(key, attempt > 1))
              .chain(
                  read ->
                      read.isPresent()
                          ? with(read.get(), attempt)
                          : Uni.createFrom().item(nothingDone()));
    }

    private List<Outcome> nothingDone() {
      return works.stream().map(work -> new Outcome(Optional.empty(), null)).toList();
    }

    private Uni<List<Outcome>> with(SegmentCopy copy, int attempt) {
      if (attempt > MAX_ATTEMPTS) {
        // Others, who do not journal, are faster: then bit by bit is as fast as they are.
        return Uni.createFrom().item(nothingDone());
      }
      var blocks = blocks(copy);
      var isWhole = !isJournaled(filter) && !blocks.isEmpty();
      if ((isWhole || blocks.length() > copy.longBytes()) && attempt <= MAX_WRITES) {
        return write(copy, attempt);
      }
      if (isWhole || blocks.length() > copy.mostBytes()) {
        // Others are in the way each time: a few elements at a time come through.
        return Uni.createFrom().item(nothingDone());
      }
      if (attempt == 1 && copy.isLong() && !blocks.isEmpty()) {
        return snapshots
            .fold(key, copy)
            .onFailure()
            .recoverWithNull()
            .chain(() -> advance(copy, blocks, attempt));
      }
      return advance(copy, blocks, attempt);
    }

    /** What is not known for good, and would be refused for good. */
    private Blocks blocks(SegmentCopy copy) {
      var k = filter.shape().numHashFunctions();
      var blocks = new Blocks(marks, k);
      if (copy.isFull()) {
        return blocks;
      }
      for (var work : works) {
        for (var i = work.first(); work.isAdd() && i < work.first() + work.count(); i++) {
          if (!copy.contains(work.positions(), i * k)) {
            blocks.add(work.positions(), i * k);
          }
        }
      }
      return blocks;
    }

    private Uni<List<Outcome>> advance(SegmentCopy copy, Blocks blocks, int attempt) {
      var bytes = blocks.bytes();
      return here(store.advance(filter, key.segment(), copy, bytes, blocks.mark(), durability))
          .onFailure(SegmentJournals::isOfFilter)
          .invoke(() -> copies.drop(key))
          .chain(
              reply -> {
                switch (reply.outcome()) {
                  case OK -> {
                    replay(copy, reply.blocks());
                    var flags = apply(copy);
                    if (bytes.length > 0) {
                      copy.journaled(bytes.length, blocks.mark());
                    }
                    copy.note(reply.base(), reply.folded());
                    var done = outcomes(flags, reply.next(), reply.isConfirmed(), reply.replicas());
                    return rest(copy).replaceWith(done);
                  }
                  case LONG -> {
                    replay(copy, reply.blocks());
                    copy.note(reply.base(), reply.folded());
                    return snapshots.fold(key, copy).chain(() -> with(copy, attempt + 1));
                  }
                  default -> {
                    copies.drop(key);
                    return take(attempt + 1);
                  }
                }
              })
          .onFailure(failure -> !blocks.isEmpty() && isFull(failure) && hasOthers())
          .recoverWithUni(this::withoutAdds);
    }

    private void replay(SegmentCopy copy, byte[] blocks) {
      try {
        copy.replay(blocks);
      } catch (IllegalArgumentException damage) {
        copies.drop(key);
        throw FilterErrors.damaged(filter.name(), SegmentStore.bitsKey(filter, key.segment()));
      }
    }

    private boolean hasOthers() {
      return works.stream().anyMatch(work -> !work.isAdd());
    }

    private Uni<Void> rest(SegmentCopy copy) {
      var drop = has(Kind.DROP);
      return drop || has(Kind.REST) ? snapshots.rest(key, copy, drop) : Uni.createFrom().voidItem();
    }

    private boolean has(Kind kind) {
      for (var work : works) {
        if (work.kind() == kind) {
          return true;
        }
      }
      return false;
    }

    /** What a full Redis refuses are the adds; the others are told what there is. */
    private Uni<List<Outcome>> withoutAdds(Throwable full) {
      var others = works.stream().filter(work -> !work.isAdd()).toList();
      return new Turn(key, others, durability, isLarge)
          .take(1)
          .map(
              answers -> {
                var left = new ArrayList<>(answers);
                return works.stream()
                    .map(
                        work -> work.isAdd() ? new Outcome(Optional.empty(), full) : left.remove(0))
                    .toList();
              });
    }

    private List<boolean[]> apply(SegmentCopy copy) {
      var flags = new ArrayList<boolean[]>(works.size());
      for (var work : works) {
        flags.add(work.isAdd() ? add(copy, work) : test(copy, work));
      }
      return flags;
    }

    private boolean[] add(SegmentCopy copy, SegmentWork work) {
      var k = filter.shape().numHashFunctions();
      var flags = new boolean[work.count()];
      for (var i = 0; i < flags.length; i++) {
        switch (copy.add(work.positions(), (work.first() + i) * k)) {
          case NEW -> flags[i] = true;
          case KNOWN -> flags[i] = false;
          case REFUSED -> {
            return Arrays.copyOf(flags, i);
          }
        }
      }
      return flags;
    }

    private boolean[] test(SegmentCopy copy, SegmentWork work) {
      var k = filter.shape().numHashFunctions();
      var flags = new boolean[work.count()];
      for (var i = 0; i < flags.length; i++) {
        flags[i] = copy.contains(work.positions(), (work.first() + i) * k);
      }
      return flags;
    }

    private List<Outcome> outcomes(
        List<boolean[]> flags, Optional<Generation> next, boolean isConfirmed, int replicas) {
      return flags.stream()
          .map(
              some ->
                  new Outcome(
                      Optional.of(new SegmentResult(some, next, isConfirmed, replicas)), null))
          .toList();
    }

    /** Adds as many elements as would fill the journal, as a new snapshot. */
    private Uni<List<Outcome>> write(SegmentCopy copy, int attempt) {
      var mark = marks.next();
      var flags = new ArrayList<boolean[]>(works.size());
      return snapshots
          .write(key, copy, () -> flags.addAll(apply(copy)), mark, durability)
          .onFailure()
          .invoke(() -> copies.drop(key))
          .chain(
              reply -> {
                if (reply.isEmpty()) {
                  return Uni.createFrom().item(nothingDone());
                }
                if (!reply.get().done()) {
                  // The copy has what the segment has not.
                  copies.drop(key);
                  return take(attempt + 1);
                }
                copy.written(mark);
                var isConfirmed = filter.shape().segments() == 1;
                return Uni.createFrom()
                    .item(outcomes(flags, reply.get().next(), isConfirmed, reply.get().replicas()));
              });
    }
  }

  /** Whether a failure tells something of the filter, not only of the way to Redis. */
  private static boolean isOfFilter(Throwable failure) {
    return !(failure instanceof BloomException error
        && (error.code() == ErrorCode.STORE_UNAVAILABLE
            || error.code() == ErrorCode.STORE_OUTCOME_UNKNOWN
            || error.code() == ErrorCode.STORE_FULL
            || error.code() == ErrorCode.NOT_REPLICATED));
  }

  private static boolean isFull(Throwable failure) {
    return failure instanceof BloomException error && error.code() == ErrorCode.STORE_FULL;
  }

  /** What became of the work of one request; neither result nor failure if nothing was done. */
  private record Outcome(Optional<SegmentResult> result, Throwable failure) {

    private Uni<Optional<SegmentResult>> toUni() {
      return failure == null ? Uni.createFrom().item(result) : Uni.createFrom().failure(failure);
    }
  }
}
