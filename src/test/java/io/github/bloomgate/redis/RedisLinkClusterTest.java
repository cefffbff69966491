package io.github.bloomgate.redis;

import static io.github.bloomgate.redis.TestLink.await;
import static io.github.bloomgate.support.Failures.assertFails;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.support.BusyWorkers;
import io.github.bloomgate.support.InParallel;
import io.quarkus.redis.runtime.client.config.RedisConfig;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.impl.ContextInternal;
import io.vertx.redis.client.RedisClientType;
import io.vertx.redis.client.RedisOptions;
import io.vertx.redis.client.Response;
import java.io.IOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The link to a cluster. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
@Tag("topology")
class RedisLinkClusterTest {
  // Slots 5061, 12182 and 3300, according to CLUSTER KEYSLOT.
  private static final String LOWER = "bar";
  private static final String UPPER = "foo";

  /** No other test leaves keys in its slot, which could not be moved then. */
  private static final String MOVED = "b";

  /** More redirections than the link follows, for each of two requests. */
  private static final int MANY_TIMES = 2 * 35;

  private static final int MANY_NODES = 200;

  private static TestCluster cluster;

  @BeforeAll
  static void start() {
    cluster = TestCluster.started();
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @Test
  void theLossOfOneNodeAffectsOnlyItsSlotsUntilItIsBack() {
    try (TestLink link = new TestLink(cluster.options())) {
      awaitWritable(link, LOWER);
      awaitWritable(link, UPPER);

      TestRedis upper = cluster.owner(UPPER);
      upper.kill();
      assertEquals("1", await(link.read("GET", LOWER)).toString());
      assertFails(ErrorCode.STORE_UNAVAILABLE, link.read("GET", UPPER));
      assertEquals("1", await(link.read("GET", LOWER)).toString());

      upper.start();
      awaitWritable(link, UPPER);
      assertEquals("1", await(link.read("GET", LOWER)).toString());
      cluster.awaitWhole();
    }
  }

  @Test
  void aUserOfAnyNameReachesEveryNode() {
    for (TestRedis node : cluster.nodes()) {
      node.command("ACL", "SETUSER", "ops@example.com", "on", ">p+w/ %", "~*", "+@all");
      node.command("ACL", "SETUSER", "default", "off");
    }
    String address = cluster.node(0).uri().replace("//", "//ops%40example.com:p+w%2F%20%25@");
    RedisOptions options =
        new RedisOptions().setType(RedisClientType.CLUSTER).addConnectionString(address);
    new LinkOptions().customize(RedisConfig.DEFAULT_CLIENT_NAME, options);
    try (TestLink link = new TestLink(options)) {
      awaitWritable(link, LOWER);
      awaitWritable(link, UPPER);
    } finally {
      cluster.nodes().forEach(node -> node.command("ACL", "SETUSER", "default", "on"));
    }
  }

  @Test
  void everyNodeIsSentTheScriptItLacks() {
    try (TestLink link = new TestLink(cluster.options())) {
      awaitWritable(link, LOWER);
      awaitWritable(link, UPPER);
      ScriptRunner runner = new ScriptRunner(link.link(), link.registry());
      for (String key : List.of(LOWER, UPPER, LOWER, UPPER)) {
        String owned = "{" + key + "}:none";
        assertEquals(
            "OK",
            await(
                    runner.send(
                        new ScriptCall(Script.DROP, Effect.WRITE, List.of(owned), new Arguments())))
                .status());
      }
      assertEquals(
          2, link.registry().get("bloom.script.fallbacks").tag("script", "drop").counter().count());
    }
  }

  /** A slot that is moved, with one of its two keys on each node. */
  private record HalfMoved(int number, TestRedis from, TestRedis to) {

    private static final String MOVED_KEY = "{" + MOVED + "}1";
    private static final String LEFT_KEY = "{" + MOVED + "}2";

    static HalfMoved begin(TestLink link) {
      awaitWritable(link, MOVED_KEY);
      awaitWritable(link, LEFT_KEY);
      int number = cluster.slot(MOVED);
      var slot = new HalfMoved(number, cluster.owner(number), cluster.owner(UPPER));
      cluster.beginMove(number, slot.from, slot.to);
      cluster.moveKey(MOVED_KEY, slot.from, slot.to);
      return slot;
    }

    void end() {
      cluster.moveKey(LEFT_KEY, from, to);
      cluster.endMove(number, from, to);
    }

    void moveBack() {
      cluster.move(number, to, from);
    }
  }

  /** The request waits until its timeout, however slowly the keys of the slot move. */
  @Test
  void aRequestWaitsForTheKeysOfASlotThatIsMoved() {
    try (TestLink link = new TestLink(cluster.options(), TestLink.MAX_WAIT)) {
      HalfMoved slot = HalfMoved.begin(link);
      int refusals = cluster.tryAgainRefusals();

      CompletableFuture<Response> read =
          link.read("MGET", HalfMoved.MOVED_KEY, HalfMoved.LEFT_KEY).subscribeAsCompletionStage();
      // Keys on neither node are requested from both, repeatedly.
      CompletableFuture<Response> made =
          link.write("MSET", HalfMoved.MOVED_KEY + "made", "1", HalfMoved.LEFT_KEY + "made", "1")
              .subscribeAsCompletionStage();
      Awaitility.await()
          .until(() -> made.isDone() || cluster.tryAgainRefusals() > refusals + MANY_TIMES);
      slot.end();
      assertEquals("[1, 1]", InParallel.resultOf(read).toString());
      assertEquals("OK", InParallel.resultOf(made).toString());
      slot.moveBack();
    }
  }

  /** All workers may be waiting for such requests. */
  @Test
  void aRequestIsRepeatedEvenIfAllWorkersAreBusy() {
    try (TestLink link = new TestLink(cluster.options(), TestLink.MAX_WAIT)) {
      HalfMoved slot = HalfMoved.begin(link);
      int refusals = cluster.tryAgainRefusals();
      BusyWorkers.during(
          () -> {
            CompletableFuture<Response> read =
                link.read("MGET", HalfMoved.MOVED_KEY, HalfMoved.LEFT_KEY)
                    .subscribeAsCompletionStage();
            Awaitility.await().until(() -> cluster.tryAgainRefusals() > refusals + MANY_TIMES);
            slot.end();
            assertEquals("[1, 1]", InParallel.resultOf(read).toString());
          });
      slot.moveBack();
    }
  }

  @Test
  void aCallToANodeThatLeavesTheClusterIsAnswered() {
    try (TestLink link = new TestLink(cluster.options())) {
      awaitWritable(link, LOWER);
      TestRedis leaving = cluster.owner(LOWER);
      leaving.command("CLIENT", "PAUSE", "600000", "WRITE");
      CompletableFuture<Response> written =
          link.write("SET", LOWER, "2").subscribeAsCompletionStage();
      cluster.takeSlots(leaving);
      // Over another connection, until the link has read the owners of slots again.
      Awaitility.await()
          .until(() -> failureOfRead(link, LOWER).contains("no node of the cluster owns the keys"));
      cluster.giveSlots(leaving);
      leaving.command("CLIENT", "UNPAUSE");
      assertEquals("OK", InParallel.resultOf(written).toString());
      cluster.awaitWhole();
    }
  }

  private static String failureOfRead(TestLink link, String key) {
    var read = link.link().send(TestLink.request("GET", key), Effect.REPLICATED);
    return assertFails(ErrorCode.STORE_UNAVAILABLE, read).getMessage();
  }

  /** It would take many times as long as a test waits. */
  @Test
  void aRequestDoesNotWaitForEachNodeThatHangs() throws IOException {
    try (ServerSocket silent = new ServerSocket(0, MANY_NODES)) {
      RedisOptions options = new RedisOptions().setType(RedisClientType.CLUSTER);
      for (int i = 1; i <= MANY_NODES; i++) {
        options.addConnectionString("redis://127.0.0." + i + ":" + silent.getLocalPort());
      }
      try (TestLink link = new TestLink(options, Duration.ofSeconds(1))) {
        assertFails(ErrorCode.STORE_UNAVAILABLE, link.read("GET", LOWER));
      }
    }
  }

  /** The owners of slots are read once, and all waiting callers continue on their context. */
  @Test
  void callersWaitingForSlotsContinueOnTheirContext() throws Exception {
    try (TestLink link = new TestLink(cluster.options())) {
      var asked = new ArrayList<Context>();
      var seen = new ArrayList<CompletableFuture<Context>>();
      for (var i = 0; i < 20; i++) {
        var context = ((ContextInternal) link.vertx().getOrCreateContext()).duplicate();
        var found = new CompletableFuture<Context>();
        asked.add(context);
        seen.add(found);
        var key = "key" + i;
        context.runOnContext(
            ignored ->
                link.read("GET", key)
                    .subscribe()
                    .with(reply -> found.complete(Vertx.currentContext())));
      }
      for (var i = 0; i < asked.size(); i++) {
        assertSame(asked.get(i), seen.get(i).get(120, TimeUnit.SECONDS));
      }
    }
  }

  private static void awaitWritable(TestLink link, String key) {
    Awaitility.await()
        .ignoreException(BloomException.class)
        .until(() -> "OK".equals(await(link.write("SET", key, "1")).toString()));
  }
}
