package io.github.bloomgate.memory;

import static io.github.bloomgate.support.Failures.assertFails;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.memory.MemoryBudget.Use;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.support.BusyWorkers;
import io.github.bloomgate.support.InParallel;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.smallrye.mutiny.Uni;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MemoryBudgetTest {

  private static final List<Use> WORKING = List.of(Use.BODIES, Use.STREAMS, Use.WORK, Use.BITMAPS);

  private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
  private final MemoryBudget memory = new MemoryBudget(100, metrics);

  private double held(Use use) {
    return metrics
        .get("bloom.memory.held")
        .tag("use", use.name().toLowerCase(Locale.ROOT))
        .gauge()
        .value();
  }

  private double waiting() {
    return metrics.get("bloom.memory.waiting").gauge().value();
  }

  private Holding hold(Use use) {
    return memory.hold(use, Shares.NO_CLIENT);
  }

  @Test
  void allUsesTogetherAreLimitedAndEachToHalf() {
    var bodies = memory.takeOrWait(Use.BODIES, 50);
    assertFalse(hold(Use.BODIES).grow(1), "half of it");
    assertTrue(hold(Use.STREAMS).grow(40));
    assertFalse(hold(Use.WORK).grow(11), "all of it");
    assertTrue(hold(Use.WORK).grow(10));
    assertEquals(40, held(Use.STREAMS));
    bodies.close();
    assertTrue(hold(Use.WORK).grow(40));
    assertEquals(50, held(Use.WORK));
    assertEquals(0, held(Use.BODIES));
  }

  /** The timeout's timer runs for seconds and must not keep the request and its body in memory. */
  @Test
  void requestsAreReleasedAfterWaiting() {
    var bodies = memory.takeOrWait(Use.BODIES, 50);
    var request = new CompletableFuture<Boolean>();
    hold(Use.BODIES).await(10, request::complete);
    bodies.close();
    assertTrue(InParallel.resultOf(request));
    var held = new WeakReference<>(request);
    request = null;
    Awaitility.await()
        .until(
            () -> {
              System.gc();
              return held.get() == null;
            });
  }

  /** Work of the largest size waits until nothing else runs. */
  @Test
  void workStartsWhenThereIsMemory() {
    var all = memory.takeOrWait(Use.WORK, 50);
    var begun = new CompletableFuture<Void>();
    var answer =
        memory
            .holding(
                Use.WORK,
                "one",
                50,
                () -> {
                  begun.complete(null);
                  return Uni.createFrom().item("done");
                })
            .subscribeAsCompletionStage();
    assertFalse(begun.isDone());
    assertEquals(1, waiting());
    all.close();
    assertEquals("done", InParallel.resultOf(answer));
    Awaitility.await().until(() -> held(Use.WORK) == 0);
  }

  @Test
  void waitingRequestsDoNotBlockOtherUses() {
    memory.takeOrWait(Use.BODIES, 50);
    var reported = new CompletableFuture<Boolean>();
    hold(Use.BODIES).await(10, reported::complete);
    var other = new CompletableFuture<Boolean>();
    var work = memory.takeOrWait(Use.WORK, 50);
    hold(Use.WORK).await(10, other::complete);
    work.close();
    assertTrue(InParallel.resultOf(other));
    assertFalse(reported.isDone());
  }

  @Test
  void aClientLeavesAsMuchAsItTakes() {
    var one = memory.hold(Use.BODIES, "one");
    var two = memory.hold(Use.BODIES, "two");
    assertTrue(one.grow(20));
    assertTrue(one.grow(5));
    assertFalse(one.grow(1), "more than a half");
    assertTrue(two.grow(12));
    assertFalse(two.grow(1), "more than what is left");
    one.close();
    assertTrue(two.grow(13));
    two.close();
    assertEquals(0, memory.taken(Use.BODIES));
  }

  @Test
  void aClientWithoutAShareDoesNotBlockOthers() {
    var full = memory.hold(Use.BODIES, "full");
    assertTrue(full.grow(25));
    var rest = memory.hold(Use.BODIES, "other");
    assertTrue(rest.grow(12));
    var last = memory.takeOrWait(Use.BODIES, 1);
    var waits = new CompletableFuture<Boolean>();
    full.await(5, waits::complete);
    var other = new CompletableFuture<Boolean>();
    rest.await(5, other::complete);
    assertFalse(waits.isDone() || other.isDone());
    full.close();
    assertTrue(InParallel.resultOf(other));
    assertFalse(InParallel.resultOf(waits), "it was released before");
    rest.close();
    last.close();
    assertEquals(0, memory.taken(Use.BODIES));
  }

  @Test
  void theYoungestIsRefusedIfAllHoldersWait() {
    var old = memory.hold(Use.BODIES, "one");
    var young = memory.hold(Use.BODIES, "two");
    assertTrue(young.grow(25) && old.grow(12));
    var refused = new CompletableFuture<Boolean>();
    young.await(26, refused::complete);
    assertFalse(refused.isDone(), "the other may release memory");
    var admitted = new CompletableFuture<Boolean>();
    old.await(13, admitted::complete);
    assertFalse(InParallel.resultOf(refused));
    assertEquals(1, waiting());
    young.close();
    assertTrue(InParallel.resultOf(admitted));
    old.close();
    assertEquals(0, memory.taken(Use.BODIES));
  }

  @Test
  void theYoungestIsRefusedOnceNoOtherClientHolds() {
    var old = memory.hold(Use.BODIES, "one");
    var young = memory.hold(Use.BODIES, "two");
    var another = memory.takeOrWait(Use.BODIES, 10);
    assertTrue(old.grow(20) && young.grow(10));
    var admitted = new CompletableFuture<Boolean>();
    old.await(20, admitted::complete);
    var refused = new CompletableFuture<Boolean>();
    young.await(20, refused::complete);
    assertFalse(refused.isDone() || admitted.isDone(), "another request holds bytes");
    another.close();
    assertFalse(InParallel.resultOf(refused));
    assertFalse(admitted.isDone());
    young.close();
    old.close();
    assertEquals(0, memory.taken(Use.BODIES));
  }

  @Test
  void aClientTakesAtMostHalfTheQueue() {
    var all = memory.takeOrWait(Use.BODIES, 50);
    var reported = new ArrayList<Boolean>();
    for (var i = 0; i < RoomQueue.MAX_WAITING; i++) {
      memory.hold(Use.BODIES, "one").await(1, reported::add);
    }
    assertEquals(RoomQueue.MAX_WAITING / 2, reported.size());
    memory.hold(Use.BODIES, "two").await(1, reported::add);
    assertEquals(RoomQueue.MAX_WAITING / 2, reported.size(), "it waits");
    all.close();
    assertTrue(waiting() < RoomQueue.MAX_WAITING / 2);
    for (var i = 0; i < RoomQueue.MAX_WAITING; i++) {
      memory.hold(Use.BODIES, "one").await(1, reported::add);
    }
    assertEquals(RoomQueue.MAX_WAITING / 2, waiting());
  }

  @Test
  void theQueueIsLimited() {
    var all = memory.takeOrWait(Use.BODIES, 50);
    var reported = new CopyOnWriteArrayList<Boolean>();
    IntStream.range(0, RoomQueue.MAX_WAITING)
        .forEach(i -> hold(Use.BODIES).await(1, reported::add));
    assertEquals(List.of(), reported);
    hold(Use.BODIES).await(1, reported::add);
    assertEquals(List.of(false), reported, "at once");
    assertEquals(1, metrics.get("bloom.memory.refusals").tag("use", "bodies").counter().count());
    all.close();
    assertEquals(51, reported.size(), "the queue is full");
    IntStream.range(0, 50).forEach(i -> hold(Use.BODIES).await(1, reported::add));
    assertEquals(51, reported.size(), "there is room in the queue again");
  }

  @Test
  void requestsThatNeverFitAreRefusedImmediately() {
    var holding = memory.hold(Use.STREAMS, "one");
    assertFails(ErrorCode.OVERLOADED, () -> holding.growOrWait(51));
    assertEquals(1, metrics.get("bloom.memory.refusals").tag("use", "streams").counter().count());
  }

  @Tag("slow")
  @Test
  void waitingEnds() {
    memory.takeOrWait(Use.WORK, 50);
    assertFails(
        ErrorCode.OVERLOADED,
        () ->
            memory
                .holding(Use.WORK, "one", 1, () -> Uni.createFrom().item("never"))
                .await()
                .atMost(InParallel.MAX_WAIT));
    assertEquals(0, waiting());
    assertEquals(50, held(Use.WORK));
  }

  /** They have left the queue, so nothing else would ever tell them. */
  @Test
  void requestsAreAdmittedEvenIfAnotherCannotGoOn() {
    var all = memory.takeOrWait(Use.BODIES, 50);
    hold(Use.BODIES)
        .await(
            10,
            admitted -> {
              throw new StackOverflowError("of a test");
            });
    var other = new CompletableFuture<Boolean>();
    hold(Use.BODIES).await(10, other::complete);
    all.close();
    assertTrue(InParallel.resultOf(other));
    assertEquals(20, memory.taken(Use.BODIES));
  }

  /** Each of them may wait for memory. */
  @Tag("slow")
  @Test
  void waitingEndsEvenIfAllWorkersAreBusy() {
    memory.takeOrWait(Use.WORK, 50);
    BusyWorkers.during(
        () -> {
          var refused = new CompletableFuture<Boolean>();
          hold(Use.WORK).await(1, refused::complete);
          assertFalse(InParallel.resultOf(refused));
        });
  }

  @Test
  void failedWorkReleasesItsMemory() {
    var failing =
        memory.holding(
            Use.WORK, "one", 50, () -> Uni.createFrom().failure(new IllegalStateException()));
    assertThrows(IllegalStateException.class, () -> failing.await().atMost(InParallel.MAX_WAIT));
    assertEquals(0, held(Use.WORK));
  }

  /** The client disconnects before the work is done, or after it but before the next step. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aCancelledCallerReleasesItsMemoryOnce(boolean isDone) {
    memory.takeOrWait(Use.WORK, 10);
    var work = new CompletableFuture<String>();
    if (isDone) {
      work.complete("done");
    }
    memory
        .holding(Use.WORK, "one", 20, () -> Uni.createFrom().completionStage(work))
        .call(() -> Uni.createFrom().nothing())
        .subscribe()
        .with(ignored -> {})
        .cancel();
    assertEquals(isDone ? 10 : 30, held(Use.WORK));
    work.complete("done");
    assertEquals(10, held(Use.WORK));
  }

  /** Many threads, waiting or not, never use more than the budget, and release everything. */
  @Test
  void useNeverExceedsTheBudget() {
    var seed = System.nanoTime();
    System.out.println("useNeverExceedsTheBudget: seed " + seed);
    var inUse = new AtomicLong();
    InParallel.atOnce(
        8,
        i -> {
          var dice = new Random(seed + i);
          for (var j = 0; j < 2_000; j++) {
            var bytes = 1 + dice.nextInt(40);
            var use = WORKING.get(dice.nextInt(WORKING.size()));
            var held = memory.takeOrWait(use, bytes);
            assertTrue(inUse.addAndGet(bytes) <= 100);
            Thread.onSpinWait();
            inUse.addAndGet(-bytes);
            held.close();
          }
        });
    for (var use : Use.values()) {
      assertEquals(0, memory.taken(use));
    }
  }
}
