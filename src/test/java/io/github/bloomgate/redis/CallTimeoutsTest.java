package io.github.bloomgate.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Timeouts on an event loop that was busy. */
class CallTimeoutsTest {

  /** With this timeout, calls are checked ten times a second. */
  private static final Duration TIMEOUT = Duration.ofMinutes(1);

  /** Several checks. */
  private static final Duration BUSY = Duration.ofMillis(600);

  @Test
  void aReplyThatIsReadSoonAfterAPauseIsInTime() throws Exception {
    var vertx = Vertx.vertx();
    try {
      var outcome = new CompletableFuture<String>();
      vertx.runOnContext(ignored -> callDuringAPause(vertx, outcome));
      assertEquals("read", outcome.get(2, TimeUnit.MINUTES));
    } finally {
      vertx.close().toCompletionStage().toCompletableFuture().get(2, TimeUnit.MINUTES);
    }
  }

  private static void callDuringAPause(Vertx vertx, CompletableFuture<String> outcome) {
    var timeouts = new CallTimeouts(vertx, TIMEOUT, expired -> outcome.complete("expired"));
    var due = System.nanoTime() + BUSY.toNanos() / 2;
    Uni.createFrom()
        .<Reply>emitter(
            emitter ->
                timeouts.watch(
                    new Call(Request.cmd(Command.PING), Effect.READ, false, due, emitter)))
        .subscribe()
        .with(ignored -> {}, ignored -> {});
    var end = System.nanoTime() + BUSY.toNanos();
    while (System.nanoTime() - end < 0) {
      Thread.onSpinWait();
    }
    // After all checks that were missed, because timers run in the order of their times.
    vertx.setTimer(1, ignored -> outcome.complete("read"));
  }
}
