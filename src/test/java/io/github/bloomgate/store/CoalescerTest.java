package io.github.bloomgate.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.support.Beside;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.helpers.test.UniAssertSubscriber;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which batches the coalescer sends together, when and in which order. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class CoalescerTest extends CoalescedCalls {

  @Test
  void whatIsAloneIsSentAtOnce() {
    for (var i = 0; i < 3; i++) {
      var answer = send("a" + i);
      assertEquals(List.of("a" + i), calls.get(i).batches());
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
    assertEquals(List.of("b", "cc", "d"), last().batches());
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

  @Test
  void severalAreAnsweredTogetherWhenTheLastHasItsAnswer() {
    var all = sendAll("a", "b", "c");
    assertEquals(List.of("1", "2", "3"), calls.stream().map(Call::destination).toList());
    calls.get(2).answer();
    calls.get(0).emitter().fail(new IllegalStateException("lost"));
    all.assertNotTerminated();
    calls.get(1).answer();
    all.assertItem(List.of("lost", "(b)", "(c)"));
  }

  @Test
  void severalThatNobodyWaitsForAnyMoreAreNotSent() {
    fill();
    var before = calls.size();
    var filled =
        coalescer
            .sendAll(List.of("x", "y"), List.of("a", "b"), Throwable::getMessage)
            .subscribe()
            .withSubscriber(UniAssertSubscriber.<List<String>>create());
    assertEquals(before + 1, calls.size());
    filled.cancel();
    answerAll();
    assertEquals(List.of("b"), calls.get(before).batches());
    assertEquals(before + 1, calls.size());
  }

  private UniAssertSubscriber<List<String>> sendAll(String... batches) {
    var destinations =
        IntStream.rangeClosed(1, batches.length).mapToObj(Integer::toString).toList();
    return coalescer
        .sendAll(destinations, List.of(batches), Throwable::getMessage)
        .subscribe()
        .withSubscriber(UniAssertSubscriber.<List<String>>create());
  }

  /** Such as questions to which all get one answer. */
  @Test
  void whatTakesNoRoomGoesTogetherToo() {
    var sizeless = new Coalescer<String, String, String>(all -> 1, asker -> 0, this::call);
    var askers = List.of("a", "b", "c", "d", "e");
    askers.forEach(asker -> sizeless.send("x", asker).subscribe().with(answer -> {}));
    assertEquals(List.of(List.of("a"), List.of("b")), sent());
    calls.get(0).answer();
    assertEquals(List.of("c", "d", "e"), last().batches());
    answerAll();
    assertEquals(0, sizeless.busy());
  }

  @Test
  void destinationsDoNotWaitForEachOther() {
    fill();
    coalescer.send("y", "b").subscribe().with(answer -> {});
    assertEquals("y", last().destination());
    assertEquals(List.of("b"), last().batches());
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
    assertEquals(eleven, last().batches());
    List.of("ii", "jj", "kk", "ll", "m").forEach(this::send);
    assertEquals(started + 1, calls.size());
    // Makes the call full.
    send("n");
    assertEquals(List.of("hh", "ii", "jj", "kk", "ll", "m", "n"), last().batches());
  }

  @Test
  void aLargeBatchDoesNotWaitAndTakesAlongWhatFits() {
    fill();
    var started = calls.size();
    send("a");
    send("b");
    send("large");
    assertEquals(List.of("a", "b", "large"), last().batches());
    send("c");
    // Larger than a call should be, which is for the caller to know.
    send("larger than a call");
    assertEquals(
        List.of(List.of("c"), List.of("larger than a call")),
        sent().subList(started + 1, started + 3));
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
}
