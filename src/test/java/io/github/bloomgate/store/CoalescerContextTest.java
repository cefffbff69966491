package io.github.bloomgate.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.support.Beside;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The threads and contexts from which the coalescer is called, and on which it answers. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class CoalescerContextTest extends CoalescedCalls {

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
    assertEquals(List.of("a", "b"), last().batches());
    other.assertItem("(b)");
  }

  private static void await(CountDownLatch latch) {
    try {
      assertTrue(latch.await(PATIENCE, TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
