package io.github.bloomgate.topology;

import io.github.bloomgate.redis.TestRedis;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import org.junit.jupiter.api.Tag;

/** The contract on a Redis Cluster. */
@QuarkusTest
@TestProfile(ClusterProfile.class)
@Tag("topology")
class ClusterContractTest extends TopologyContractTest {

  @Override
  TestRedis nodeOf(String key) {
    return ClusterProfile.cluster().owner(key);
  }
}
