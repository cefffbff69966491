package io.github.bloomgate.http;

import io.github.bloomgate.redis.TestRedis;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import io.quarkus.test.junit.QuarkusTestProfile;
import java.util.List;
import java.util.Map;

/** Points the service at a Redis of this test. */
public final class OwnRedis implements QuarkusTestProfile {
  @Override
  public Map<String, String> getConfigOverrides() {
    return Map.of(
        "bloomgate.streams.max-concurrent", "1",
        "quarkus.http.read-timeout", "6s",
        "bloomgate.redis.call-timeout", "3s",
        "bloomgate.redis.connect-timeout", "3s");
  }

  @Override
  public List<TestResourceEntry> testResources() {
    return List.of(new TestResourceEntry(Server.class));
  }

  public static final class Server implements QuarkusTestResourceLifecycleManager {
    static TestRedis redis;

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
