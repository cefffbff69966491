package io.github.bloomgate.support;

import io.github.bloomgate.redis.TestRedis;
import io.vertx.redis.client.impl.ZModem;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** A Redis Cluster of one node, which refuses scripts with keys in different slots. */
public final class OneNodeCluster {

  private static final int SLOTS = 16_384;

  private OneNodeCluster() {}

  /** Another name whose keys are in the same slot. */
  public static String inSlotOf(String name) {
    var slot = ZModem.generate(name);
    return IntStream.iterate(1, number -> number + 1)
        .mapToObj(number -> name + "-" + number)
        .filter(other -> ZModem.generate(other) == slot)
        .findFirst()
        .orElseThrow();
  }

  public static TestRedis started() {
    var redis = TestRedis.started("--cluster-enabled", "yes");
    assignSlots(redis);
    return redis;
  }

  /** Assigns all slots to a server that runs with cluster-enabled. */
  public static void assignSlots(TestRedis redis) {
    var slots = IntStream.range(0, SLOTS).mapToObj(Integer::toString);
    redis.command("CLUSTER", Stream.concat(Stream.of("ADDSLOTS"), slots).toArray(String[]::new));
    Awaitility.await()
        .atMost(TestInstance.MAX_WAIT)
        .until(() -> redis.command("CLUSTER", "INFO").toString().contains("cluster_state:ok"));
  }
}
