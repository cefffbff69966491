package io.github.bloomgate.elements;

import io.github.bloomgate.elements.ElementRequest.Outcome;
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
 * One call under way to Redis, on a cluster one for each filter at once: requests that arrive
 * meanwhile, for any filter, go into the next. Each round asks every segment once, brings its copy
 * up to date, and answers the requests in the order of their arrival. Segments are read and folded
 * beside the rounds; only requests for a segment that is being read, or whose journal is full, wait
 * for that. {@link #send} is thread-safe; all else runs on one thread.
 */
public final class Rounds {

  /** How long a segment is unchanged before its blocks are folded. */
  private static final Duration QUIET = Duration.ofSeconds(3);

  /** How long a segment that changes lacks blocks in its bitmap. */
  private static final Duration DIRTY = Duration.ofSeconds(60);

  /**
   * How many bitmaps are on their way to Redis at a time. Each takes up to 2 MiB, and all segments
   * of a filter have long journals at about the same time.
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

  /** Segments that were read for requests that wait. */
  private final List<HeldSegment> awaited = new ArrayList<>();

  /** Segments whose journals the round under way has found to be long. */
  private final Set<HeldSegment> toFold = new LinkedHashSet<>();

  /** Segments with full journals that wait to be folded. */
  private final Queue<HeldSegment> nextToFold = new ArrayDeque<>();

  private int folding;

  /** How many calls of the round are not answered. */
  private int underWay;

  private boolean isConfirming;

  /**
   * Rounds to one Redis.
   *
   * @param copiesBytes how much memory the copies of segments may take
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
   * Sends a request. The outcome is delivered on the context of the caller, if there is one.
   *
   * <p>Fails with FILTER_DAMAGED, STORE_FULL, and as {@link SegmentStore#advance} does; elements
   * that were settled before stay so.
   */
  public Uni<Outcome> send(ElementRequest request) {
    return Uni.createFrom()
        .<Outcome>emitter(
            emitter -> {
              waiting.add(request, emitter);
              wake();
            })
        .invoke(
            outcome -> {
              if (outcome == Outcome.DONE) {
                meters.countDone(request);
              }
            });
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
    // All who wait had their chance to ask for what was read for them.
    var makesRoom = !awaited.isEmpty();
    awaited.forEach(some -> some.setAwaited(false));
    awaited.clear();
    round.toRead().forEach(this::read);
    round.bitsCalls().forEach(call -> bits.ask(call).subscribe().with(ignored -> goOn()));
    if (round.isEmpty()) {
      // Settled without a question, failed, or waiting for segments that are read or folded.
      release();
      if (makesRoom) {
        begin();
      }
      return;
    }
    var call = round.call();
    var calls = store.isSpread() ? call.ofEachFilter() : List.of(call);
    meters.countCalls(calls.size(), waiting.count());
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
    end(round, call);
  }

  /** Whether the blocks were appended is told by their marks when the same call is made again. */
  private void failed(Round round, RoundCall call, RuntimeException failure, boolean isRepeated) {
    var isUnknown = RoundFailures.isUnknown(failure);
    if (isUnknown && !isRepeated) {
      ask(round, List.of(call), true);
    } else if (failure instanceof SeveralSlotsException && call.isOfSeveralFilters()) {
      ask(round, call.ofEachFilter(), isRepeated);
    } else {
      var ofChanges = isRepeated && !isUnknown ? RoundFailures.unanswered(failure) : failure;
      var ofLooks = isUnknown ? StoreErrors.unavailable("Redis did not answer.", failure) : failure;
      call.fail(ofChanges, ofLooks);
    }
    end(round, call);
  }

  /** Hands out what is done, and asks replicas for what is done but for them. */
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

  private void goOn() {
    release();
    begin();
  }

  /** The round ends when all its calls are answered. */
  private void end(Round round, RoundCall call) {
    toFold.addAll(call.toFold());
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

  /** The round has marked it. */
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
   * Brings the bitmaps of segments up to date that have not changed for three seconds, or have
   * lacked blocks for a minute. Called every second or so.
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

  /** Brings all bitmaps up to date, each once. Ends when that is done, and does not fail. */
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

  /** A journal that is long, but not full, is found so again by the next request that asks it. */
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

  /** How many bytes the copies take. */
  public long copiesBytes() {
    return held.bytes();
  }
}
