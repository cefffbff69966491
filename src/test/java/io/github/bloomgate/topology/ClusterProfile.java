package io.github.bloomgate.topology;

import io.github.bloomgate.redis.TestCluster;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import io.quarkus.test.junit.QuarkusTestProfile;
import java.util.List;
import java.util.Map;

/** Points the service at a Redis Cluster of three primaries with a replica each. */
public final class ClusterProfile implements QuarkusTestProfile {
  private static volatile TestCluster cluster;

  static TestCluster cluster() {
    return cluster;
  }

  @Override
  public List<TestResourceEntry> testResources() {
    return List.of(new TestResourceEntry(Server.class));
  }

  public static final class Server implements QuarkusTestResourceLifecycleManager {

    @Override
    public Map<String, String> start() {
      cluster = TestCluster.started();
      return Map.of(
          // Long enough to distinguish a slow node from a lost one. Not longer, because a lost one
          // may hang, and requests during the move of a slot wait for it.
          "bloomgate.redis.call-timeout",
          "5s",
          "bloomgate.redis.connect-timeout",
          "5s",
          "bloomgate.redis.replication-timeout",
          "5s",
          "quarkus.redis.hosts",
          cluster.hosts(),
          "quarkus.redis.client-type",
          "cluster");
    }

    @Override
    public void stop() {
      cluster.close();
    }
  }
}
