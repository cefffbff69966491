package io.github.bloomgate.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.redis.TestSentinels;
import io.github.bloomgate.support.Load;
import io.github.bloomgate.support.PlainHttp;
import io.github.bloomgate.support.TestExtent;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The contract with a primary that sentinels watch, and then failovers. */
@QuarkusTest
@WithTestResource(SentinelTest.Server.class)
@Timeout(value = 2, unit = TimeUnit.HOURS)
@Tag("topology")
class SentinelTest extends TopologyContractTest {

  /** The number of times each fault occurs. */
  private static final int ROUNDS = TestExtent.of("test.cluster-rounds", 1, 3);

  private static final List<String> SHAPES =
      List.of(
          "{\"expectedInsertions\": 100000, \"falsePositiveProbability\": 0.000001}",
          // Eight segments.
          "{\"bitSize\": 134217728, \"numHashFunctions\": 20}");

  private static int filters;

  @Override
  TestRedis nodeOf(String key) {
    return Server.sentinels.primary();
  }

  @Test
  void afterTheLossOfThePrimaryTheServiceFindsTheNewOne() {
    for (var round = 0; round < ROUNDS; round++) {
      lose(TestRedis::kill, TestRedis::start);
    }
  }

  @Test
  void afterAPrimaryThatHangsTheServiceFindsTheNewOne() {
    for (var round = 0; round < ROUNDS; round++) {
      lose(TestRedis::freeze, TestRedis::thaw);
    }
  }

  /** For about ten seconds the old primary takes changes, and then drops them. */
  @Test
  void aPlannedFailoverIsFollowedBeforeTheOldPrimaryIsAReplica() {
    for (var round = 0; round < ROUNDS; round++) {
      var old = Server.sentinels.primary();
      var next = Server.sentinels.other(old);
      var adds = new PacedAdds(create(SHAPES.get(0)));
      long followed;
      try (adds) {
        adds.awaitAcknowledged(20);
        Server.sentinels.failOver();
        Server.sentinels.awaitPrimary(next);
        adds.awaitAcknowledged(20);
        followed = System.nanoTime();
        Server.sentinels.awaitReplica(old);
        adds.awaitAcknowledged(20);
      }
      assertEquals(List.of(), adds.lostSince(followed, "SENTINEL FAILOVER"));
    }
  }

  private void lose(Consumer<TestRedis> fault, Consumer<TestRedis> repair) {
    var dead = Server.sentinels.primary();
    var plain = PlainHttp.load("");
    var replicated = PlainHttp.load("?durability=replicated");
    long before;
    long afterFault;
    try (plain;
        replicated) {
      for (var load : List.of(plain, replicated)) {
        SHAPES.forEach(shape -> load.use(create(shape)));
        load.awaitRounds(20);
      }
      before = System.nanoTime();
      dead.awaitReplicatedBy(Server.sentinels.other(dead));
      fault.accept(dead);
      afterFault = System.nanoTime();
      Server.sentinels.awaitPrimary(Server.sentinels.other(dead));
      // Nothing can be confirmed during this time, but adds to the old primary after its return are
      // lost.
      plain.awaitRounds(20);
      repair.accept(dead);
      Server.sentinels.awaitReplica(dead);
      for (var load : List.of(plain, replicated)) {
        load.awaitRounds(20);
      }
    }
    for (var load : List.of(plain, replicated)) {
      assertTrue(
          load.failures().stream().allMatch(failure -> Load.AWAY.contains(failure.code())),
          () -> load.failures().toString());
    }
    assertEquals(List.of(), replicated.denied());
    assertEquals(List.of(), replicated.lost());
    plain.assertLostOnlyAround(before, afterFault);
  }

  private String create(String shape) {
    var name = "watched-" + filters++;
    PlainHttp.call(201, "PUT", "/v1/filters/" + name, shape);
    return name;
  }

  public static final class Server implements QuarkusTestResourceLifecycleManager {
    private static TestSentinels sentinels;

    @Override
    public Map<String, String> start() {
      sentinels = TestSentinels.started();
      return Map.of(
          // Long enough to distinguish a slow Redis from a lost one. Not longer, because a lost one
          // may hang.
          "bloomgate.redis.call-timeout",
          "10s",
          "bloomgate.redis.connect-timeout",
          "10s",
          "bloomgate.redis.replication-timeout",
          "5s",
          "quarkus.redis.hosts",
          sentinels.hosts(),
          "quarkus.redis.client-type",
          "sentinel",
          "quarkus.redis.master-name",
          TestSentinels.NAME);
    }

    @Override
    public void stop() {
      sentinels.close();
    }
  }
}
