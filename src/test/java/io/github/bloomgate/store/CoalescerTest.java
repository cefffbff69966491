package io.github.bloomgate.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.support.Beside;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.helpers.test.UniAssertSubscriber;
import io.smallrye.mutiny.subscription.UniEmitter;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The coalescer with calls that are answered when a test says so. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class CoalescerTest {

  private static final int ROOM = 12;
  private static final int PATIENCE = 120;

  /** Batches are texts, whose length is their size; the answer to one is itself in parentheses. */
  private final Coalescer<String, String, String> coalescer =
      new Coalescer<>(destination -> ROOM, String::length, this::call);

  private final List<Call> calls = new CopyOnWriteArrayList<>();

  private Uni<List<String>> call(String destination, List<String> batches) {
    return Uni.createFrom().emitter(emitter -> calls.add(new Call(destination, batches, emitter)));
  }

  /** Nothing is kept of a destination once all is answered. */
  @AfterEach
  void nothingIsKept() {
    answerAll();
    assertEquals(0, coalescer.busy());
  }

  @Test
  void whatIsAloneIsSentAtOnce() {
    for (var i = 0; i < 3; i++) {
      var answer = send("a" + i);
      assertEquals(List.of("a" + i), calls.get(i).batches);
      calls.get(i).answer();
      answer.assertItem("(a" + i + ")");
      assertEquals(0, coalescer.busy());
    }
  }

  @Test
  void nothingIsSentBeforeSomebodySubscribesAndAgainForEachWhoDoes() {
    var uni = coalescer.send("x", "a");
    assertEquals(List.of(), calls);
    uni.subscribe().withSubscriber(UniAssertSubscriber.create());
    uni.subscribe().withSubscriber(UniAssertSubscriber.create());
    assertEquals(List.of(List.of("a"), List.of("a")), sent());
  }

  @Test
  void whatComesWhileCallsAreUnderWayGoesTogetherInOrder() {
    fill();
    var b = send("b");
    var c = send("cc");
    var d = send("d");
    assertEquals(Coalescer.CALLS_IN_FLIGHT, calls.size());
    calls.get(0).answer();
    assertEquals(List.of("b", "cc", "d"), last().batches);
    b.assertNotTerminated();
    last().answer();
    b.assertItem("(b)");
    c.assertItem("(cc)");
    d.assertItem("(d)");
  }

  @Test
  void theNextCallIsSentBeforeTheAnswersAreHandedOut() {
    var sentByThen = new ArrayList<Integer>();
    coalescer.send("x", "first").subscribe().with(answer -> sentByThen.add(calls.size()));
    fill();
    send("n");
    var before = calls.size();
    calls.get(0).answer();
    assertEquals(List.of(before + 1), sentByThen);
  }

  /** Such as questions to which all get one answer. */
  @Test
  void whatTakesNoRoomGoesTogetherToo() {
    var sizeless = new Coalescer<String, String, String>(all -> 1, asker -> 0, this::call);
    var askers = List.of("a", "b", "c", "d", "e");
    askers.forEach(asker -> sizeless.send("x", asker).subscribe().with(answer -> {}));
    assertEquals(List.of(List.of("a"), List.of("b")), sent());
    calls.get(0).answer();
    assertEquals(List.of("c", "d", "e"), last().batches);
    answerAll();
    assertEquals(0, sizeless.busy());
  }

  @Test
  void destinationsDoNotWaitForEachOther() {
    fill();
    coalescer.send("y", "b").subscribe().with(answer -> {});
    assertEquals("y", last().destination);
    assertEquals(List.of("b"), last().batches);
  }

  @Test
  void noMoreWaitThanFitIntoACallAndTheOrderIsKept() {
    fill();
    var started = calls.size();
    var eleven = List.of("a", "bb", "c", "dd", "ee", "f", "gg");
    eleven.forEach(this::send);
    assertEquals(started, calls.size());
    // Does not fit with those before it: they need not wait any more.
    send("hh");
    assertEquals(eleven, last().batches);
    List.of("ii", "jj", "kk", "ll", "m").forEach(this::send);
    assertEquals(started + 1, calls.size());
    // Makes the call full.
    send("n");
    assertEquals(List.of("hh", "ii", "jj", "kk", "ll", "m", "n"), last().batches);
  }

  @Test
  void aLargeBatchDoesNotWaitAndTakesAlongWhatFits() {
    fill();
    var started = calls.size();
    send("a");
    send("b");
    send("large");
    assertEquals(List.of("a", "b", "large"), last().batches);
    send("c");
    // Larger than a call should be, which is for the caller to know.
    send("larger than a call");
    assertEquals(
        List.of(List.of("c"), List.of("larger than a call")),
        sent().subList(started + 1, started + 3));
  }

  /** Who is slow to send holds nobody up, and what comes meanwhile does not overtake it. */
  @Test
  void callsAreMadeInOrderByWhoeverIsSending() throws Exception {
    var begun = new CountDownLatch(1);
    var goOn = new CountDownLatch(1);
    var made = new CopyOnWriteArrayList<List<String>>();
    var slow =
        new Coalescer<String, String, String>(
            destination -> ROOM,
            String::length,
            (destination, batches) -> {
              begun.countDown();
              awaitOpen(goOn);
              made.add(batches);
              return Uni.createFrom().item(batches);
            });
    var first = Beside.run(() -> slow.send("x", "first").subscribe().with(answer -> {}));
    awaitOpen(begun);
    slow.send("x", "second").subscribe().with(answer -> {});
    slow.send("x", "third").subscribe().with(answer -> {});
    assertEquals(List.of(), made);
    goOn.countDown();
    first.get(PATIENCE, TimeUnit.SECONDS);
    assertEquals(List.of(List.of("first"), List.of("second"), List.of("third")), made);
    assertEquals(0, slow.busy());
  }

  private static void awaitOpen(CountDownLatch latch) {
    try {
      assertTrue(latch.await(PATIENCE, TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aFailureIsThatOfAllInTheCallAndTheWaitingAreSentOn() {
    fill();
    var started = calls.size();
    var together = IntStream.range(0, 6).mapToObj(i -> send("b" + i)).toList();
    assertEquals(started + 1, calls.size());
    var waiting = IntStream.range(0, 3).mapToObj(i -> send("c" + i)).toList();
    var failure = new IllegalStateException("lost");
    for (var call : List.copyOf(calls)) {
      call.emitter.fail(failure);
    }
    for (var one : together) {
      assertSame(failure, one.getFailure());
    }
    assertEquals(List.of("c0", "c1", "c2"), last().batches);
    last().answer();
    for (var i = 0; i < 3; i++) {
      waiting.get(i).assertItem("(c" + i + ")");
    }
  }

  @Test
  void aCallThatCannotBeMadeFailsThoseInItOnly() {
    var broken = new AtomicInteger();
    var failing =
        new Coalescer<String, String, String>(
            destination -> ROOM,
            String::length,
            (destination, batches) -> {
              if (broken.getAndIncrement() == 0) {
                throw new IllegalStateException("cannot be made");
              }
              return Uni.createFrom().item(batches);
            });
    for (var expected : List.of("cannot be made", "")) {
      var answer = failing.send("x", "a").subscribe().withSubscriber(UniAssertSubscriber.create());
      if (expected.isEmpty()) {
        answer.assertItem("a");
      } else {
        answer.assertFailedWith(IllegalStateException.class, expected);
      }
      assertEquals(0, failing.busy());
    }
  }

  @Test
  void answersToMoreOrToNoneAreAFailure() {
    for (var answers : List.of(List.<String>of(), List.of("(a)", "(b)"))) {
      var answer = send("a");
      last().emitter.complete(answers);
      answer.assertFailedWith(IllegalStateException.class);
    }
  }

  @Test
  void whoeverIsCancelledWhileWaitingIsNotSentAndHarmsNobody() {
    fill();
    var b = send("b");
    var c = send("c");
    var d = send("d");
    c.cancel();
    calls.get(0).answer();
    assertEquals(List.of("b", "d"), last().batches);
    b.cancel();
    last().answer();
    b.assertNotTerminated();
    c.assertNotTerminated();
    d.assertItem("(d)");
  }

  @Test
  void whereAllWaitingAreCancelledNothingIsSent() {
    fill();
    var started = calls.size();
    send("b").cancel();
    send("c").cancel();
    answerAll();
    assertEquals(started, calls.size());
    assertEquals(0, coalescer.busy());
  }

  @Test
  void whatACallLeavesUndoneIsSentAgainInTwo() {
    fill();
    var all = IntStream.range(0, 6).mapToObj(i -> send("" + i)).toList();
    calls.get(0).answer();
    var call = last();
    assertEquals(6, call.batches.size());
    send("later");
    call.emitter.complete(List.of("(0)"));
    all.get(0).assertItem("(0)");
    var n = calls.size();
    assertEquals(List.of(List.of("1", "2", "3"), List.of("4", "5")), sent().subList(n - 2, n));
    all.get(4).cancel();
    calls.get(n - 2).emitter.complete(List.of("(1)", "(2)"));
    assertEquals(List.of("3"), last().batches);
    answerAll();
    for (var i : List.of(1, 2, 3, 5)) {
      all.get(i).assertItem("(" + i + ")");
    }
    all.get(4).assertNotTerminated();
  }

  @Test
  void answersComeOnTheContextOfWhoeverAsked() throws Exception {
    var vertx = Vertx.vertx();
    try {
      fill();
      var with = new CompletableFuture<Boolean>();
      var ready = new CountDownLatch(1);
      var context = vertx.getOrCreateContext();
      context.runOnContext(
          ignored -> {
            coalescer
                .send("x", "a")
                .subscribe()
                .with(answer -> with.complete(Vertx.currentContext() == context));
            ready.countDown();
          });
      assertTrue(ready.await(PATIENCE, TimeUnit.SECONDS));
      var without = new CompletableFuture<Thread>();
      coalescer.send("x", "b").subscribe().with(answer -> without.complete(Thread.currentThread()));
      var answering = new AtomicReference<Thread>();
      Beside.run(
              () -> {
                answering.set(Thread.currentThread());
                answerAll();
              })
          .get(PATIENCE, TimeUnit.SECONDS);
      assertTrue(with.get(PATIENCE, TimeUnit.SECONDS));
      assertSame(answering.get(), without.get(PATIENCE, TimeUnit.SECONDS));
      assertNotSame(Thread.currentThread(), answering.get());
    } finally {
      vertx.close().toCompletionStage().toCompletableFuture().join();
    }
  }

  @Test
  void whatComesInOneTurnOfAnEventLoopSharesACall() throws Exception {
    var vertx = Vertx.vertx();
    try {
      var before = new CompletableFuture<Integer>();
      var after = new CompletableFuture<List<List<String>>>();
      var context = vertx.getOrCreateContext();
      context.runOnContext(
          ignored -> {
            List.of("a", "b", "c")
                .forEach(batch -> coalescer.send("x", batch).subscribe().with(answer -> {}));
            before.complete(calls.size());
            context.runOnContext(again -> after.complete(sent()));
          });
      assertEquals(0, before.get(PATIENCE, TimeUnit.SECONDS));
      assertEquals(List.of(List.of("a", "b", "c")), after.get(PATIENCE, TimeUnit.SECONDS));
    } finally {
      vertx.close().toCompletionStage().toCompletableFuture().join();
    }
  }

  /** One event loop that is busy holds up what it sends itself only. */
  @Test
  void whoIsOnNoEventLoopWaitsForNone() throws Exception {
    var vertx = Vertx.vertx();
    try {
      var waiting = new CountDownLatch(1);
      var goOn = new CountDownLatch(1);
      vertx.runOnContext(
          ignored -> {
            coalescer.send("x", "a").subscribe().with(answer -> {});
            waiting.countDown();
            await(goOn);
          });
      assertTrue(waiting.await(PATIENCE, TimeUnit.SECONDS));
      send("b");
      assertEquals(List.of(List.of("a", "b")), sent());
      goOn.countDown();
    } finally {
      vertx.close().toCompletionStage().toCompletableFuture().join();
    }
  }

  /** A worker has the context of its request, and its event loop has other things to do. */
  @Test
  void whoAsksFromAWorkerSendsAtOnce() throws Exception {
    var vertx = Vertx.vertx();
    try {
      var sentByThen =
          vertx.executeBlocking(
              () -> {
                coalescer.send("x", "a").subscribe().with(answer -> {});
                return sent();
              });
      assertEquals(
          List.of(List.of("a")),
          sentByThen.toCompletionStage().toCompletableFuture().get(PATIENCE, TimeUnit.SECONDS));
    } finally {
      vertx.close().toCompletionStage().toCompletableFuture().join();
    }
  }

  @Test
  void aCallerWhoseContextIsGoneHarmsNoOther() throws Exception {
    var vertx = Vertx.vertx();
    fill();
    var asked = new CountDownLatch(1);
    vertx.runOnContext(
        ignored -> {
          coalescer.send("x", "a").subscribe().with(answer -> {});
          asked.countDown();
        });
    assertTrue(asked.await(PATIENCE, TimeUnit.SECONDS));
    var other = send("b");
    vertx.close().toCompletionStage().toCompletableFuture().join();
    answerAll();
    assertEquals(List.of("a", "b"), last().batches);
    other.assertItem("(b)");
  }

  /** Calls that are answered before they return do not grow the stack. */
  @Test
  void aClientThatNeverStopsNeedsNoStack() {
    var immediate =
        new Coalescer<String, String, String>(
            destination -> ROOM,
            String::length,
            (destination, batches) -> Uni.createFrom().item(batches));
    var left = new AtomicInteger(100_000);
    again(immediate, left);
    assertEquals(0, left.get());
    assertEquals(0, immediate.busy());
  }

  private static void again(Coalescer<String, String, String> immediate, AtomicInteger left) {
    if (left.get() > 0) {
      immediate
          .send("x", "a")
          .subscribe()
          .with(
              answer -> {
                left.decrementAndGet();
                again(immediate, left);
              });
    }
  }

  /**
   * Many threads, calls answered, failed and left undone by others: every batch is answered once,
   * with its own answer, and the batches that a thread sent without waiting go in their order.
   */
  @Test
  void everyBatchIsAnsweredOnceWhateverHappens() throws Exception {
    var seed = System.nanoTime();
    System.out.println("everyBatchIsAnsweredOnceWhateverHappens: seed " + seed);
    var answerers = Executors.newFixedThreadPool(3);
    var started = new ConcurrentHashMap<String, List<int[]>>();
    var crowded = new AtomicInteger();
    var random = new Random(seed);
    var busy =
        new Coalescer<String, int[], int[]>(
            destination -> ROOM,
            batch -> batch[2],
            (destination, batches) -> {
              if (batches.stream().mapToInt(batch -> batch[2]).sum() > ROOM) {
                throw new AssertionError("too much in a call");
              }
              crowded.addAndGet(batches.size() > 1 ? 1 : 0);
              // Calls for one destination are made one after the other.
              started.computeIfAbsent(destination, key -> new ArrayList<>()).addAll(batches);
              var fate = random.nextInt(20);
              var done = destination.equals("0") || fate > 1 ? batches.size() : 1;
              return Uni.createFrom()
                  .emitter(
                      emitter ->
                          answerers.execute(
                              () -> {
                                if (fate == 0) {
                                  emitter.fail(new IllegalStateException());
                                } else {
                                  emitter.complete(batches.subList(0, done));
                                }
                              }));
            });
    var threads = 4;
    var rounds = 20_000;
    var answered = new AtomicInteger();
    var failed = new AtomicInteger();
    var twice = new AtomicInteger();
    var wrong = new AtomicInteger();
    var all = new CountDownLatch(threads * rounds);
    var tasks = new ArrayList<CompletableFuture<Void>>();
    for (var thread = 0; thread < threads; thread++) {
      var id = thread;
      tasks.add(
          Beside.run(
              () -> {
                var own = new Random(seed + id);
                for (var round = 0; round < rounds; round++) {
                  var batch = new int[] {id, round, 1 + own.nextInt(4)};
                  var times = new AtomicInteger();
                  busy.send("" + own.nextInt(3), batch)
                      .subscribe()
                      .with(
                          answer -> {
                            twice.addAndGet(times.getAndIncrement());
                            wrong.addAndGet(answer == batch ? 0 : 1);
                            answered.incrementAndGet();
                            all.countDown();
                          },
                          failure -> {
                            twice.addAndGet(times.getAndIncrement());
                            failed.incrementAndGet();
                            all.countDown();
                          });
                }
              }));
    }
    for (var task : tasks) {
      task.get(PATIENCE, TimeUnit.SECONDS);
    }
    assertTrue(all.await(PATIENCE, TimeUnit.SECONDS), all.getCount() + " got no answer");
    answerers.shutdown();
    assertTrue(answerers.awaitTermination(PATIENCE, TimeUnit.SECONDS));
    assertEquals(0, twice.get(), "answered twice");
    assertEquals(0, wrong.get(), "answers of others");
    assertEquals(threads * rounds, answered.get() + failed.get());
    assertTrue(failed.get() > 0, "no failures");
    assertTrue(crowded.get() > 0, "no shared calls");
    assertEquals(0, busy.busy());
    // Destination 0 leaves nothing undone, so nothing is sent twice there.
    var latest = new int[threads];
    Arrays.fill(latest, -1);
    for (var batch : started.get("0")) {
      assertTrue(latest[batch[0]] < batch[1], "out of order");
      latest[batch[0]] = batch[1];
    }
  }

  /** Lets as many calls be under way as keep others waiting. */
  private void fill() {
    for (var i = calls.size(); i < Coalescer.CALLS_IN_FLIGHT; i++) {
      send("filler");
    }
    assertEquals(Coalescer.CALLS_IN_FLIGHT, calls.size());
  }

  /** Answers all calls, those too that are made meanwhile. */
  private void answerAll() {
    for (var i = 0; i < calls.size(); i++) {
      calls.get(i).answer();
    }
  }

  private UniAssertSubscriber<String> send(String batch) {
    return coalescer
        .send("x", batch)
        .subscribe()
        .withSubscriber(UniAssertSubscriber.<String>create());
  }

  private List<List<String>> sent() {
    return calls.stream().map(Call::batches).toList();
  }

  private Call last() {
    assertFalse(calls.isEmpty());
    return calls.get(calls.size() - 1);
  }

  private record Call(
      String destination, List<String> batches, UniEmitter<? super List<String>> emitter) {

    private void answer() {
      emitter.complete(batches.stream().map(batch -> "(" + batch + ")").toList());
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      assertTrue(latch.await(PATIENCE, TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
