package io.github.bloomgate.topology;

import io.github.bloomgate.redis.TestRedis;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;

/** The contract on a single Redis, with which the others are compared. */
@QuarkusTest
@TestProfile(SingleContractTest.Profile.class)
@Tag("topology")
class SingleContractTest extends ContractTest {

  @Override
  TestRedis nodeOf(String key) {
    return Server.redis;
  }

  /** Points the service at the Redis of this test. */
  public static final class Profile implements QuarkusTestProfile {
    @Override
    public List<TestResourceEntry> testResources() {
      return List.of(new TestResourceEntry(Server.class));
    }
  }

  /** Runs Redis while the test runs. */
  public static final class Server implements QuarkusTestResourceLifecycleManager {
    private static TestRedis redis;

    @Override
    public Map<String, String> start() {
      redis = TestRedis.started();
      return Map.of("quarkus.redis.hosts", redis.uri());
    }

    @Override
    public void stop() {
      redis.close();
    }
  }
}
