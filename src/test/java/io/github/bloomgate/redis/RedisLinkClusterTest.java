package io.github.bloomgate.redis;

import static io.github.bloomgate.redis.TestLink.assertFails;
import static io.github.bloomgate.redis.TestLink.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.quarkus.redis.runtime.client.config.RedisConfig;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.impl.ContextInternal;
import io.vertx.redis.client.RedisClientType;
import io.vertx.redis.client.RedisOptions;
import io.vertx.redis.client.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The link to a cluster of two nodes, each with half of the slots. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
@Tag("topology")
class RedisLinkClusterTest {
  private static final int SLOTS = 16_384;
  // Slots 5061 and 12182, according to CLUSTER KEYSLOT.
  private static final String LOWER = "bar";
  private static final String UPPER = "foo";

  /** More redirections than the link follows, for each of two requests. */
  private static final int MANY_TIMES = 2 * 35;

  private static final String[] SETTINGS = {
    "--cluster-enabled",
    "yes",
    "--cluster-require-full-coverage",
    "no",
    "--cluster-node-timeout",
    // On a busy machine, a node may not run for seconds.
    "15000"
  };

  private TestRedis lower;
  private TestRedis upper;

  @BeforeEach
  void start() {
    lower = TestRedis.started(SETTINGS);
    upper = TestRedis.started(SETTINGS);
    join(lower, upper);
  }

  @AfterEach
  void stop() {
    upper.close();
    lower.close();
  }

  private static RedisOptions options(TestRedis node) {
    return new RedisOptions().setType(RedisClientType.CLUSTER).addConnectionString(node.uri());
  }

  @Test
  void theLossOfOneNodeAffectsOnlyItsSlotsUntilItIsBack() {
    try (TestLink link = new TestLink(options(lower).addConnectionString(upper.uri()))) {
      awaitWritable(link, LOWER);
      awaitWritable(link, UPPER);

      upper.kill();
      assertEquals("1", await(link.read("GET", LOWER)).toString());
      assertFails(ErrorCode.STORE_UNAVAILABLE, link.read("GET", UPPER));
      assertEquals("1", await(link.read("GET", LOWER)).toString());

      upper.start();
      awaitWritable(link, UPPER);
      assertEquals("1", await(link.read("GET", LOWER)).toString());
    }
  }

  @Test
  void aUserOfAnyNameReachesEveryNode() {
    for (TestRedis node : List.of(lower, upper)) {
      node.command("ACL", "SETUSER", "ops@example.com", "on", ">p+w/ %", "~*", "+@all");
      node.command("ACL", "SETUSER", "default", "off");
    }
    String address = lower.uri().replace("//", "//ops%40example.com:p+w%2F%20%25@");
    RedisOptions options =
        new RedisOptions().setType(RedisClientType.CLUSTER).addConnectionString(address);
    new LinkOptions().customize(RedisConfig.DEFAULT_CLIENT_NAME, options);
    try (TestLink link = new TestLink(options)) {
      awaitWritable(link, LOWER);
      awaitWritable(link, UPPER);
    }
  }

  @Test
  void everyNodeIsSentTheScriptItLacks() {
    try (TestLink link = new TestLink(options(lower).addConnectionString(upper.uri()))) {
      awaitWritable(link, LOWER);
      awaitWritable(link, UPPER);
      ScriptRunner runner = new ScriptRunner(link.link(), link.registry());
      for (String key : List.of(LOWER, UPPER, LOWER, UPPER)) {
        String owned = "{" + key + "}:none";
        assertEquals("OK", await(runner.run(Script.DROP, List.of(owned), request -> {})).status());
      }
      assertEquals(2, link.registry().get("bloom.script.fallbacks").counter().count());
    }
  }

  /** The request waits until its timeout, however slowly the keys of the slot move. */
  @Test
  void aRequestWaitsForTheKeysOfASlotThatIsMoved() {
    try (TestLink link = new TestLink(options(lower), TestLink.MAX_WAIT)) {
      String one = "{" + LOWER + "}1";
      String other = "{" + LOWER + "}2";
      awaitWritable(link, one);
      awaitWritable(link, other);
      String slot = lower.command("CLUSTER", "KEYSLOT", LOWER).toString();
      String from = lower.command("CLUSTER", "MYID").toString();
      String to = upper.command("CLUSTER", "MYID").toString();
      upper.command("CLUSTER", "SETSLOT", slot, "IMPORTING", from);
      lower.command("CLUSTER", "SETSLOT", slot, "MIGRATING", to);
      move(one, lower, upper);

      CompletableFuture<Response> read = link.read("MGET", one, other).subscribeAsCompletionStage();
      // Keys on neither node are requested from both, repeatedly.
      CompletableFuture<Response> made =
          link.write("MSET", one + "made", "1", other + "made", "1").subscribeAsCompletionStage();
      Awaitility.await()
          .until(
              () ->
                  made.isDone()
                      || lower.tryAgainRefusals() + upper.tryAgainRefusals() > MANY_TIMES);
      move(other, lower, upper);
      for (TestRedis node : List.of(upper, lower)) {
        node.command("CLUSTER", "SETSLOT", slot, "NODE", to);
      }
      assertEquals("[1, 1]", read.join().toString());
      assertEquals("OK", made.join().toString());
    }
  }

  /** The owners of slots are read once, and all waiting callers continue on their context. */
  @Test
  void callersWaitingForSlotsContinueOnTheirContext() throws Exception {
    try (TestLink link = new TestLink(options(lower))) {
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

  private static void move(String key, TestRedis from, TestRedis to) {
    from.command("MIGRATE", "127.0.0.1", String.valueOf(to.port()), key, "0", "60000");
  }

  private static void join(TestRedis lower, TestRedis upper) {
    own(lower, 0, SLOTS / 2);
    own(upper, SLOTS / 2, SLOTS);
    lower.command("CLUSTER", "MEET", "127.0.0.1", String.valueOf(upper.port()));
    for (TestRedis node : List.of(lower, upper)) {
      Awaitility.await()
          .until(
              () ->
                  node.command("CLUSTER", "INFO").toString().contains("cluster_slots_ok:" + SLOTS)
                      && node.command("CLUSTER", "INFO").toString().contains("cluster_state:ok"));
    }
  }

  private static void own(TestRedis node, int from, int to) {
    String[] arguments = new String[1 + to - from];
    arguments[0] = "ADDSLOTS";
    IntStream.range(from, to).forEach(slot -> arguments[1 + slot - from] = String.valueOf(slot));
    node.command("CLUSTER", arguments);
  }

  private static void awaitWritable(TestLink link, String key) {
    Awaitility.await()
        .ignoreException(BloomException.class)
        .until(() -> "OK".equals(await(link.write("SET", key, "1")).toString()));
  }
}
