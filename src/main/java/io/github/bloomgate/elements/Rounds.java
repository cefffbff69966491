package io.github.bloomgate.elements;

import io.github.bloomgate.model.error.SeveralSlotsException;
import io.github.bloomgate.model.error.StoreErrors;
import io.github.bloomgate.store.SegmentStore;
import io.micrometer.core.instrument.MeterRegistry;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Batches requests of all filters into rounds. A round is one call to Redis, or one for each filter
 * on a cluster; requests that arrive during it go into the next round. Each round asks every
 * segment once, updates its copy, and answers the requests in order of arrival. Segments are read
 * and folded in parallel; only requests for a segment that is being read, or whose journal is full,
 * wait for that. {@link #send} is thread-safe; everything else runs on one thread.
 */
public final class Rounds {

  /** A segment is folded after this time without changes. */
  private static final Duration QUIET = Duration.ofSeconds(3);

  /** A segment that keeps changing is folded after this time. */
  private static final Duration DIRTY = Duration.ofSeconds(60);

  /**
   * Parallel folds. Each sends up to 2 MiB, and the journals of all segments of a filter become
   * long at about the same time.
   */
  private static final int MOST_FOLDS = 8;

  private final SegmentStore store;
  private final RoundMeters meters;
  private final Snapshots snapshots;
  private final HeldSegments held;
  private final RareSegments rare;
  private final BitsCalls bits;
  private final Executor thread;

  private final WaitingRequests waiting = new WaitingRequests();
  private final AtomicBoolean isWoken = new AtomicBoolean();

  /** Segments read for waiting requests. */
  private final List<HeldSegment> awaited = new ArrayList<>();

  /** Segments with long journals, found by the current round. */
  private final Set<HeldSegment> toFold = new LinkedHashSet<>();

  /** Segments queued for a fold. */
  private final Queue<HeldSegment> nextToFold = new ArrayDeque<>();

  private int folding;

  /** Pending calls of the round. */
  private int underWay;

  private boolean isConfirming;

  /**
   * Creates the rounds of one Redis.
   *
   * @param copiesBytes the memory for copies of segments
   * @param thread runs one task after the other, in order
   */
  public Rounds(SegmentStore store, long copiesBytes, MeterRegistry metrics, Executor thread) {
    this.store = store;
    this.meters = new RoundMeters(metrics);
    this.snapshots = new Snapshots(store, meters, thread);
    this.held = new HeldSegments(copiesBytes, new Random());
    this.rare = new RareSegments(held);
    this.bits = new BitsCalls(store, rare, thread);
    this.thread = thread;
  }

  /**
   * Sends requests to one or more filters in the same round. Afterwards each has its outcome or its
   * failure: FILTER_DAMAGED, STORE_FULL, and those of {@link SegmentStore#advance}; elements
   * answered before keep their answers. Completes on the caller's context, if there is one, and
   * does not fail.
   */
  Uni<Void> send(List<ElementRequest> requests) {
    return Uni.createFrom()
        .<Void>emitter(
            emitter -> {
              waiting.add(requests, emitter);
              wake();
            })
        .invoke(() -> requests.forEach(meters::countDone));
  }

  private void wake() {
    if (isWoken.compareAndSet(false, true)) {
      thread.execute(
          () -> {
            isWoken.set(false);
            begin();
          });
    }
  }

  private void begin() {
    if (underWay > 0 || waiting.isEmpty()) {
      return;
    }
    var round = new Round(held, rare);
    waiting.join(round);
    // All waiting requests have had their chance to use the segments read for them.
    var makesRoom = !awaited.isEmpty();
    awaited.forEach(some -> some.setAwaited(false));
    awaited.clear();
    round.toRead().forEach(this::read);
    var calls = round.calls(store.isSpread());
    var bitsCalls = round.bitsCalls(store.isSpread());
    if (calls.isEmpty() && bitsCalls.isEmpty()) {
      // Answered without a call, failed, or waiting for segments being read or folded.
      release();
      if (makesRoom) {
        begin();
      }
      return;
    }
    meters.countCalls(calls.size() + bitsCalls.size(), waiting.count());
    underWay = bitsCalls.size();
    bitsCalls.forEach(asked -> bits.ask(asked).subscribe().with(ignored -> end(round)));
    ask(round, calls, false);
  }

  private void ask(Round round, List<RoundCall> calls, boolean isRepeated) {
    underWay += calls.size();
    for (var call : calls) {
      Uni.createFrom()
          .deferred(() -> store.advance(call.questions()))
          .subscribe()
          .with(
              reply -> thread.execute(() -> answered(round, call, reply, isRepeated)),
              failure ->
                  thread.execute(
                      () -> failed(round, call, RoundFailures.known(failure), isRepeated)));
    }
  }

  private void answered(
      Round round, RoundCall call, SegmentStore.Advance reply, boolean isRepeated) {
    try {
      call.answer(reply, isRepeated);
    } catch (RuntimeException defect) {
      call.fail(defect, defect);
    }
    toFold.addAll(call.toFold());
    end(round);
  }

  /** Repeats the call: the marks of the blocks show whether they were appended. */
  private void failed(Round round, RoundCall call, RuntimeException failure, boolean isRepeated) {
    var isUnknown = RoundFailures.isUnknown(failure);
    if (isUnknown && !isRepeated) {
      ask(round, List.of(call), true);
    } else if (failure instanceof SeveralSlotsException && call.isOfSeveralFilters()) {
      ask(round, call.ofEachFilter(), isRepeated);
    } else {
      var ofChanges = isRepeated && !isUnknown ? RoundFailures.unanswered(failure) : failure;
      var ofReads = isUnknown ? StoreErrors.unavailable("Redis did not answer.", failure) : failure;
      call.fail(ofChanges, ofReads);
    }
    end(round);
  }

  /** Delivers finished requests, and waits for replicas for those that need them. */
  private void release() {
    waiting.release();
    var requests = isConfirming ? List.<ElementRequest>of() : waiting.unconfirmed();
    if (!requests.isEmpty()) {
      confirm(new Barrier(requests));
    }
  }

  private void confirm(Barrier barrier) {
    isConfirming = true;
    barrier
        .send(store, thread)
        .subscribe()
        .with(
            ignored -> {
              isConfirming = false;
              goOn();
            });
  }

  /** No request leaves while a round is under way, which may still answer its elements. */
  private void goOn() {
    if (underWay == 0) {
      release();
      begin();
    }
  }

  /** Ends the round after the last of its calls. */
  private void end(Round round) {
    underWay--;
    if (underWay > 0) {
      return;
    }
    round.end();
    toFold.stream()
        .filter(some -> !some.isFolding() && !some.mustRead() && some.mayFold(System.nanoTime()))
        .forEach(this::foldSoon);
    toFold.clear();
    goOn();
  }

  private void read(HeldSegment some) {
    snapshots
        .read(some)
        .subscribe()
        .with(
            ignored -> {
              some.setAwaited(true);
              awaited.add(some);
              endReading(some);
            },
            failure -> {
              some.failReading(RoundFailures.known(failure));
              endReading(some);
            });
  }

  private void endReading(HeldSegment some) {
    some.setReading(false);
    begin();
  }

  /**
   * Folds segments that have not changed for three seconds, or have not been folded for a minute.
   * Called about every second.
   */
  public void rest() {
    rest(QUIET, DIRTY);
  }

  void rest(Duration unchanged, Duration dirty) {
    thread.execute(
        () ->
            held.all().stream()
                .filter(some -> !some.isInUse() && !some.mustRead())
                .filter(some -> some.isDue(System.nanoTime(), unchanged.toNanos(), dirty.toNanos()))
                .limit(Math.max(0, MOST_FOLDS - folding))
                .forEach(some -> fold(some, snapshots.rest(some))));
  }

  /** Folds every segment once. Completes when that is done, and does not fail. */
  public Uni<Void> restAll() {
    return Uni.createFrom()
        .item(held::all)
        .runSubscriptionOn(thread)
        .toMulti()
        .onItem()
        .<HeldSegment>disjoint()
        .filter(some -> !some.isInUse() && !some.mustRead() && some.copy().unfolded() > 0)
        .onItem()
        .transformToUni(
            some -> {
              some.setFolding(true);
              return snapshots
                  .rest(some)
                  .onFailure()
                  .recoverWithNull()
                  .invoke(() -> thread.execute(() -> endFolding(some)));
            })
        .merge(MOST_FOLDS)
        .collect()
        .last()
        .replaceWithVoid();
  }

  /** A journal that is long but not full is found again by the next request. */
  private void foldSoon(HeldSegment some) {
    if (folding < MOST_FOLDS) {
      fold(some, snapshots.fold(some));
    } else if (some.mustFold()) {
      some.setFolding(true);
      nextToFold.add(some);
    }
  }

  private void fold(HeldSegment some, Uni<Void> work) {
    folding++;
    some.setFolding(true);
    work.subscribe()
        .with(
            ignored -> folded(some),
            failure -> {
              some.failFolding(RoundFailures.known(failure), System.nanoTime());
              folded(some);
            });
  }

  private void folded(HeldSegment some) {
    folding--;
    var next = nextToFold.poll();
    if (next != null) {
      fold(next, snapshots.fold(next));
    }
    endFolding(some);
  }

  private void endFolding(HeldSegment some) {
    some.setFolding(false);
    begin();
  }

  public long copiesBytes() {
    return held.bytes();
  }
}
