package io.github.bloomgate.elements;

import io.github.bloomgate.elements.Lane.Waiting;
import io.github.bloomgate.filters.Generation;
import io.github.bloomgate.filters.UnfoldedSegments;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.error.StoreErrors;
import io.github.bloomgate.redis.Effect;
import io.github.bloomgate.segment.PlaneChanges;
import io.github.bloomgate.segment.SegmentCopy;
import io.github.bloomgate.store.BitsReply;
import io.github.bloomgate.store.SegmentStore;
import io.github.bloomgate.threads.OwnContext;
import io.micrometer.core.instrument.MeterRegistry;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import java.time.Duration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jboss.logging.Logger;

/**
 * Batches requests into rounds. A round is one call to Redis for each effect, or more if it adds
 * many elements; requests that arrive during it go into the next round. Each round asks every
 * segment once, updates its copy, and answers the requests in order of arrival. Segments are read
 * and folded in parallel; only requests for a segment that is being read, or whose journal is full,
 * wait for that.
 *
 * <p>On a single Redis, the requests to all filters share a {@link Lane} with one round at a time.
 * On a cluster each filter has its own, so that a slow node delays only its own filters. A request
 * with raw content has rounds of its own, because many elements need many calls, and each may wait
 * for replicas.
 *
 * <p>{@link #send} is thread-safe; everything else runs on one thread.
 */
public final class Rounds {

  private static final Logger LOG = Logger.getLogger(Rounds.class);

  /** A segment is folded after this time without changes. */
  private static final Duration QUIET = Duration.ofSeconds(3);

  /** A segment that keeps changing is folded after this time. */
  private static final Duration UNFOLDED = Duration.ofSeconds(60);

  private final SegmentStore store;
  private final RoundMeters meters;
  private final Snapshots snapshots;
  private final HeldSegments held;
  private final Folding folding;
  private final Executor thread;

  private final Queue<Waiting> arriving = new ConcurrentLinkedQueue<>();
  private final Queue<Refresh> refreshing = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean isWoken = new AtomicBoolean();

  /** All lanes with requests, by their keys. */
  private final Map<Object, Lane> lanes = new HashMap<>();

  /** Lanes that try to begin a round after the next event. */
  private final Set<Lane> ready = new LinkedHashSet<>();

  /**
   * Creates the rounds of one Redis.
   *
   * @param copiesBytes the memory for copies of segments
   * @param unfolded gets the segments whose copies are dropped before they are folded
   * @param thread runs one task after the other, in order
   */
  public Rounds(
      SegmentStore store,
      long copiesBytes,
      UnfoldedSegments unfolded,
      MeterRegistry metrics,
      Executor thread) {
    this.store = store;
    this.meters = new RoundMeters(metrics);
    this.snapshots = new Snapshots(store, meters, thread);
    this.held = new HeldSegments(copiesBytes, unfolded, new Random());
    this.folding = new Folding(snapshots, held, thread);
    this.thread = thread;
  }

  /**
   * Sends requests to one or more filters. Afterwards each has its outcome or its failure, which is
   * FILTER_DAMAGED, STORE_FULL, a failure of {@link SegmentStore#advance} or, with a library's
   * keys, WRONG_KEY_TYPE or KEY_MISMATCH. Elements answered before keep their answers. Completes on
   * the caller's context, if there is one, and does not fail.
   */
  Uni<Void> send(List<ElementRequest> requests) {
    return Uni.createFrom()
        .<Void>emitter(
            emitter -> {
              // In one step, so that the same round sees all of them.
              arriving.addAll(Waiting.of(requests, emitter));
              wake();
            })
        .invoke(() -> requests.forEach(meters::countDone));
  }

  /** Brings copies of watched filters up to date with the next round; see {@link Refresh}. */
  void refresh(List<Refresh> some) {
    refreshing.addAll(some);
    wake();
  }

  /**
   * Tests elements in copies, without a call.
   *
   * @param requests tests, which have no answers yet
   * @return as of when the oldest of these copies is; empty if one is missing or older than the
   *     age, and then some requests may have answers, which must not be used. Completes on the
   *     caller's context, if there is one
   */
  Uni<Optional<Moment>> test(List<ElementRequest> requests, Duration maxAge) {
    return Uni.createFrom()
        .<Optional<Moment>>emitter(
            emitter -> {
              var caller = OwnContext.current();
              thread.execute(() -> step(new CopyTest(held, requests, maxAge), caller, emitter));
            })
        .invoke(asOf -> asOf.ifPresent(ignored -> requests.forEach(meters::countUnasked)));
  }

  private void step(
      CopyTest test, OwnContext caller, UniEmitter<? super Optional<Moment>> emitter) {
    try {
      if (test.step()) {
        thread.execute(() -> step(test, caller, emitter));
        return;
      }
      caller.run(() -> emitter.complete(test.asOf()));
    } catch (RuntimeException defect) {
      caller.run(() -> emitter.fail(defect));
    }
  }

  /** The most bytes of the copies of all watched filters. */
  long mostWatched() {
    return held.mostWatched();
  }

  /**
   * The copy of a segment that a call about this version of the filter has confirmed, if there is
   * one. A new copy is empty until then, whatever Redis has. Used only on the thread of the rounds,
   * and not kept.
   *
   * @param index its index among the segments of all layers
   */
  public Optional<SegmentCopy> copy(Generation generation, int index) {
    return held.find(generation, index)
        .filter(some -> some.asOf(generation.stored()).isPresent())
        .map(HeldSegment::copy);
  }

  /**
   * No longer notes changes in the copy of a segment, if it still notes these. Used only on the
   * thread of the rounds.
   *
   * @param index its index among the segments of all layers
   */
  public void unfollow(Generation generation, int index, PlaneChanges changes) {
    held.find(generation, index)
        .map(HeldSegment::copy)
        .filter(copy -> copy.isFollowedBy(changes))
        .ifPresent(SegmentCopy::unfollow);
  }

  /** The thread of the rounds. */
  public Executor thread() {
    return thread;
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

  /** Begins a round of each lane that is ready. */
  private void begin() {
    for (var next = arriving.poll(); next != null; next = arriving.poll()) {
      var lane = lanes.computeIfAbsent(next.laneKey(store.isSpread()), Lane::new);
      lane.add(next);
      ready.add(lane);
    }
    for (var next = refreshing.poll(); next != null; next = refreshing.poll()) {
      var key = Lane.keyOf(next.generation().name(), store.isSpread());
      var lane = lanes.computeIfAbsent(key, Lane::new);
      lane.add(next);
      ready.add(lane);
    }
    var begun = List.copyOf(ready);
    ready.clear();
    begun.forEach(this::begin);
  }

  private void begin(Lane lane) {
    if (lane.isUnderWay()) {
      return;
    }
    lane.noteEvent();
    if (lane.isEmpty()) {
      lanes.remove(lane.key(), lane);
      if (lane.keepNone()) {
        begin();
      }
      return;
    }
    var round = new Round(held, lane.reading());
    try {
      ask(lane, round);
    } catch (Throwable defect) {
      // Without an end of its round, the lane would never begin another.
      LOG.error("A round failed before its calls.", defect);
      round.end();
      lane.fail(RoundFailures.known(defect));
      release(lane);
    }
  }

  /** Makes the calls of a round. */
  private void ask(Lane lane, Round round) {
    try {
      lane.join(round);
    } finally {
      round.toRead().forEach(some -> read(lane, some));
    }
    var makesRoom = lane.keepNone();
    var segmentCalls = round.segmentCalls();
    var bitsCalls = round.bitsCalls();
    var calls = bitsCalls.size() + segmentCalls.size();
    if (calls == 0) {
      // Answered without a call, failed, or waiting for segments being read, folded or used.
      release(lane);
      if (makesRoom) {
        begin();
      }
      return;
    }
    meters.countCalls(calls, lane.size());
    lane.beginCalls(calls);
    bitsCalls.forEach((effect, asked) -> ask(lane, round, effect, asked));
    if (!segmentCalls.isEmpty()) {
      ask(lane, round, segmentCalls.iterator());
    }
  }

  /** Asks bit by bit. An add whose reply is lost fails with an unknown outcome. */
  private void ask(Lane lane, Round round, Effect effect, List<BitsCall> calls) {
    Uni.createFrom()
        .deferred(() -> store.bits(calls.stream().map(BitsCall::bits).toList(), effect))
        .emitOn(thread)
        .invoke(replies -> answer(calls, replies))
        .onFailure()
        .invoke(failure -> calls.forEach(call -> call.fail(RoundFailures.known(failure))))
        .subscribe()
        .with(ignored -> end(lane, round), ignored -> end(lane, round));
  }

  private void answer(List<BitsCall> calls, List<BitsReply> replies) {
    for (var i = 0; i < calls.size(); i++) {
      calls.get(i).answer(replies.get(i));
    }
  }

  /** Makes each call in a task of its own, so that Redis has one while the next is made. */
  private void ask(Lane lane, Round round, Iterator<SegmentCall> calls) {
    ask(lane, round, calls.next());
    if (calls.hasNext()) {
      thread.execute(() -> ask(lane, round, calls));
    }
  }

  private void ask(Lane lane, Round round, SegmentCall call) {
    try {
      call.decide();
    } catch (Throwable defect) {
      LOG.error("A call of a round could not be made.", defect);
      call.fail(RoundFailures.known(defect), RoundFailures.known(defect));
      end(lane, round);
      return;
    }
    send(lane, round, call, false);
  }

  private void send(Lane lane, Round round, SegmentCall call, boolean isRepeated) {
    Uni.createFrom()
        .deferred(() -> store.advance(call.questions()))
        .emitOn(thread)
        .subscribe()
        .with(
            reply -> answered(lane, round, call, reply, isRepeated),
            failure -> failed(lane, round, call, failure, isRepeated));
  }

  private void answered(
      Lane lane, Round round, SegmentCall call, SegmentStore.Advance reply, boolean isRepeated) {
    try {
      call.answer(reply, isRepeated);
    } catch (Throwable defect) {
      LOG.error("The reply to a round could not be used.", defect);
      call.distrust();
      call.fail(RoundFailures.broken(defect), RoundFailures.known(defect));
    }
    end(lane, round);
  }

  /** Repeats the call: the marks of the blocks show whether they were appended. */
  private void failed(
      Lane lane, Round round, SegmentCall call, Throwable cause, boolean isRepeated) {
    var failure = RoundFailures.known(cause);
    var isUnknown = ErrorCode.STORE_OUTCOME_UNKNOWN.isOf(failure);
    if ((isUnknown || cause instanceof Error) && !isRepeated) {
      send(lane, round, call, true);
      return;
    }
    var ofChanges = isRepeated && !isUnknown ? RoundFailures.unanswered(failure) : failure;
    var ofReads =
        isUnknown
            ? StoreErrors.unavailable("Redis did not answer. Repeat the request later.", failure)
            : failure;
    call.fail(ofChanges, ofReads);
    end(lane, round);
  }

  /** Delivers finished requests, and waits for replicas for those that need them. */
  private void release(Lane lane) {
    lane.release(held);
    var requests = lane.unconfirmed();
    if (!requests.isEmpty()) {
      confirm(lane, requests);
    }
    ready.add(lane);
  }

  private void confirm(Lane lane, List<ElementRequest> requests) {
    lane.setConfirming(true);
    Uni.createFrom()
        .deferred(() -> new Barrier(requests).send(store, thread))
        .emitOn(thread)
        .onFailure()
        .invoke(failure -> requests.forEach(one -> one.fail(RoundFailures.known(failure))))
        .subscribe()
        .with(ignored -> confirmed(lane, requests), ignored -> confirmed(lane, requests));
  }

  private void confirmed(Lane lane, List<ElementRequest> requests) {
    requests.forEach(request -> request.setConfirming(false));
    lane.setConfirming(false);
    goOn(lane);
  }

  /** No request leaves while a round is under way, which may still answer its elements. */
  private void goOn(Lane lane) {
    if (!lane.isUnderWay()) {
      release(lane);
      begin();
    }
  }

  /** Ends the round after the last of its calls. */
  private void end(Lane lane, Round round) {
    if (!lane.endCall()) {
      return;
    }
    round.end();
    lane.endRefreshes(round.findings());
    round.findings().toFold().stream()
        .filter(HeldSegment::mayFold)
        // A journal that is long but not full is found again by the next request.
        .filter(some -> some.fold().isUrgent() || folding.room() > 0)
        .forEach(this::fold);
    goOn(lane);
  }

  private void read(Lane lane, HeldSegment some) {
    lane.beginReading(some);
    Uni.createFrom()
        .deferred(() -> snapshots.read(some))
        .emitOn(thread)
        .subscribe()
        .with(
            ignored -> endReading(lane, some, null),
            failure -> endReading(lane, some, RoundFailures.known(failure)));
  }

  private void endReading(Lane lane, HeldSegment some, RuntimeException failure) {
    some.endReading(failure);
    lane.keep(some);
    ready.add(lane);
    begin();
  }

  /**
   * Folds segments that have not changed for three seconds, or have not been folded for a minute.
   * Called about every second.
   */
  public void rest() {
    rest(QUIET, UNFOLDED);
  }

  void rest(Duration unchanged, Duration unfolded) {
    thread.execute(
        () -> folding.due(unchanged, unfolded).limit(folding.room()).forEach(this::fold));
  }

  /** Folds every segment once. Completes when nothing is being folded, and does not fail. */
  public Uni<Void> restAll() {
    return Uni.createFrom()
        .deferred(
            () -> {
              folding.due(Duration.ZERO, Duration.ZERO).forEach(this::fold);
              return folding.rest();
            })
        .runSubscriptionOn(thread);
  }

  private void fold(HeldSegment some) {
    folding.fold(some).subscribe().with(ignored -> begin());
  }

  /**
   * Whether requests wait and nothing has happened to them for some time. Completes on the thread
   * of the rounds.
   *
   * @param longest longer than all calls that they may wait for
   */
  Uni<Boolean> isStuck(Duration longest) {
    return Uni.createFrom()
        .item(() -> lanes.values().stream().anyMatch(lane -> lane.isStuck(longest)))
        .runSubscriptionOn(thread);
  }

  public long copiesBytes() {
    return held.bytes();
  }
}
