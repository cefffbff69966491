package io.github.bloomgate.redis;

import static io.github.bloomgate.redis.TestLink.await;
import static io.github.bloomgate.support.Failures.assertFails;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.support.OnRedis;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** The link to a healthy Redis, and the errors for its refusals. */
@OnRedis
class RedisLinkTest {
  private static TestLink link;

  @Test
  void tenThousandParallelRequestsShareOneConnection() throws Exception {
    try (TestRedis redis = TestRedis.started();
        TestLink link = new TestLink(redis.options(), Duration.ofSeconds(60))) {
      List<CompletableFuture<Response>> replies = new ArrayList<>();
      for (int i = 0; i < 10_000; i++) {
        replies.add(link.read("ECHO", "text " + i).subscribeAsCompletionStage());
      }
      for (int i = 0; i < replies.size(); i++) {
        assertEquals("text " + i, replies.get(i).get(120, TimeUnit.SECONDS).toString());
      }
      // The second connection is the one that asks.
      assertEquals(2, redis.info("clients", "connected_clients"));
      assertEquals(0, link.reconnects());
      assertEquals(1, link.connected());
    }
  }

  @Test
  void requestsOverTheDriversBoundAreRefusedAsUnavailable() throws Exception {
    try (TestRedis redis = TestRedis.started();
        TestLink link = new TestLink(redis.options().setMaxWaitingHandlers(10))) {
      link.awaitService();
      redis.freeze();
      List<Uni<Response>> replies = new ArrayList<>();
      for (int i = 0; i < 11; i++) {
        Uni<Response> reply = link.write("INCR", "n").memoize().indefinitely();
        reply.subscribe().with(ignored -> {}, ignored -> {});
        replies.add(reply);
      }
      BloomException refused = assertFails(ErrorCode.STORE_UNAVAILABLE, replies.get(10));
      assertTrue(refused.getMessage().contains("Too many requests"), refused.getMessage());
      redis.thaw();
      for (int i = 0; i < 10; i++) {
        assertEquals(i + 1, await(replies.get(i)).toLong());
      }
    }
  }

  @Test
  void everyByteValueSurvivesInArgumentsAndReplies() {
    byte[] all = new byte[256];
    for (int i = 0; i < all.length; i++) {
      all[i] = (byte) i;
    }
    await(link.link().send(Request.cmd(Command.SET).arg("array").arg(all), Effect.WRITE));
    await(
        link.link()
            .send(Request.cmd(Command.SET).arg("buffer").arg(Buffer.buffer(all)), Effect.WRITE));
    assertArrayEquals(all, await(link.read("GET", "array")).toBytes());
    assertArrayEquals(all, await(link.read("GET", "buffer")).toBytes());
    Request script = Request.cmd(Command.EVAL).arg("return {ARGV[1], ARGV[2]}").arg(0);
    Response reply = await(link.link().send(script.arg(all).arg(7L), Effect.READ));
    assertArrayEquals(all, reply.get(0).toBytes());
    assertEquals("7", reply.get(1).toString());
  }

  @Test
  void resultsAreDeliveredOnTheContextOfTheSubscriber() throws Exception {
    for (Uni<Response> sent : List.of(link.read("PING"), link.read("NOSUCH"))) {
      Context context = link.vertx().getOrCreateContext();
      CompletableFuture<Context> seen = new CompletableFuture<>();
      context.runOnContext(
          ignored ->
              sent.subscribe()
                  .with(
                      reply -> seen.complete(Vertx.currentContext()),
                      failure -> seen.complete(Vertx.currentContext())));
      assertSame(context, seen.get(120, TimeUnit.SECONDS));
    }
  }

  @Test
  void resultsForManyStayOnTheEventLoopOfTheLink() throws Exception {
    CompletableFuture<Context> own = new CompletableFuture<>();
    link.read("PING").subscribe().with(reply -> own.complete(Vertx.currentContext()));
    CompletableFuture<Context> seen = new CompletableFuture<>();
    link.vertx()
        .getOrCreateContext()
        .runOnContext(
            ignored ->
                link.link()
                    .exchange(TestLink.request("PING"), Effect.READ)
                    .subscribe()
                    .with(reply -> seen.complete(Vertx.currentContext())));
    assertSame(own.get(120, TimeUnit.SECONDS), seen.get(120, TimeUnit.SECONDS));
  }

  @Test
  void eachSubscriptionSendsAgain() {
    Uni<Response> increment = link.write("INCR", "n");
    assertEquals(1, await(increment).toLong());
    assertEquals(2, await(increment).toLong());
  }

  @Test
  void aBusyRedisIsUnavailable() throws Exception {
    try (TestRedis redis = TestRedis.started("--lua-time-limit", "20");
        TestLink link = new TestLink(redis.options());
        TestLink other = new TestLink(redis.options())) {
      link.awaitService();
      CompletableFuture<Response> endless =
          other.read("EVAL", "while true do end", "0").subscribeAsCompletionStage();
      BloomException failure =
          Awaitility.await()
              .until(
                  () -> {
                    try {
                      await(link.read("GET", "key"));
                      return null;
                    } catch (BloomException e) {
                      return e;
                    }
                  },
                  e -> e != null);
      assertEquals(ErrorCode.STORE_UNAVAILABLE, failure.code(), failure.getMessage());
      assertTrue(failure.getMessage().contains("BUSY"), failure.getMessage());
      await(link.read("SCRIPT", "KILL"));
      assertFails(ErrorCode.STORE_UNAVAILABLE, Uni.createFrom().completionStage(endless));
      link.awaitService();
    }
  }

  @Test
  void aWrongPasswordIsNamedAndNotShown() throws Exception {
    try (TestRedis redis = TestRedis.started("--requirepass", "right");
        TestLink wrong = new TestLink(redis.options().setPassword("hunter2"));
        TestLink none = new TestLink(redis.options());
        TestLink right = new TestLink(redis.options().setPassword("right"))) {
      BloomException failure = assertFails(ErrorCode.STORE_UNAVAILABLE, wrong.read("PING"));
      assertTrue(
          failure.getMessage().startsWith("Redis rejects the configured password"),
          failure.getMessage());
      assertFalse(failure.getMessage().contains("hunter2"), failure.getMessage());
      failure = assertFails(ErrorCode.STORE_UNAVAILABLE, none.read("GET", "key"));
      assertTrue(failure.getMessage().contains("NOAUTH"), failure.getMessage());
      assertEquals("PONG", await(right.read("PING")).toString());
    }
  }

  @Test
  void otherErrorsAreInternalAndQuoteNoArgument() {
    for (Uni<Response> wrong :
        List.of(link.write("NOSUCH", "secret"), link.write("GET", "secret", "secret"))) {
      BloomException failure = assertFails(ErrorCode.INTERNAL, wrong);
      assertFalse(failure.getMessage().contains("secret"), failure.getMessage());
      assertEquals(null, failure.getCause());
    }
    assertEquals(0, link.reconnects());
  }

  @Test
  void aClosedLinkFailsAndLeavesNoConnection() throws Exception {
    try (TestRedis redis = TestRedis.started();
        TestLink link = new TestLink(redis.options())) {
      link.awaitService();
      link.link().close();
      assertFails(ErrorCode.STORE_UNAVAILABLE, link.read("PING"));
      Awaitility.await().until(() -> redis.info("clients", "connected_clients") == 1);
    }
  }
}
