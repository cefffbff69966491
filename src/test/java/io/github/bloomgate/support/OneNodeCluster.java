package io.github.bloomgate.support;

import io.github.bloomgate.redis.TestRedis;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** A Redis Cluster of one node: keys are in one slot, or no script reaches them together. */
public final class OneNodeCluster {

  private static final int SLOTS = 16_384;

  private OneNodeCluster() {}

  public static TestRedis started() {
    var redis = TestRedis.started("--cluster-enabled", "yes");
    var slots = IntStream.range(0, SLOTS).mapToObj(Integer::toString);
    redis.command("CLUSTER", Stream.concat(Stream.of("ADDSLOTS"), slots).toArray(String[]::new));
    Awaitility.await()
        .atMost(TestInstance.PATIENCE)
        .until(() -> redis.command("CLUSTER", "INFO").toString().contains("cluster_state:ok"));
    return redis;
  }
}
