package io.github.bloomgate.redis.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.github.bloomgate.config.BloomgateConfig;
import io.github.bloomgate.support.RawRedis;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import jakarta.inject.Inject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A configured Redis wins: the embedded one is not started and its folder not even created. */
@QuarkusTest
@TestProfile(ConfiguredRedisTest.WithOwnRedis.class)
@Tag("slow")
class ConfiguredRedisTest {

  private static final Path OWN_FOLDER = Path.of("target", "own-redis");
  private static final Path UNUSED_FOLDER = Path.of("target", "never-created");

  @Inject RawRedis redis;
  @Inject BloomgateConfig config;

  @Test
  void theConfiguredRedisIsUsed() throws Exception {
    assertEquals(UNUSED_FOLDER, config.embedded().dataDir());
    assertEquals(
        OWN_FOLDER.toRealPath().toString(),
        redis.run("CONFIG", "GET", "dir").get("dir").toString());
    assertFalse(Files.exists(UNUSED_FOLDER));
  }

  /** Starts a separate Redis and configures it. */
  public static class OwnRedis implements QuarkusTestResourceLifecycleManager {

    private EmbeddedRedis redis;

    @Override
    public Map<String, String> start() {
      redis = EmbeddedRedis.start(Settings.in(OWN_FOLDER).withPort(0), true);
      return Map.of(
          "quarkus.redis.hosts", redis.uri().toString(),
          "bloomgate.embedded.data-dir", UNUSED_FOLDER.toString());
    }

    @Override
    public void stop() {
      redis.close();
    }
  }

  /** Runs the test above in an application of its own. */
  public static class WithOwnRedis implements QuarkusTestProfile {

    @Override
    public List<TestResourceEntry> testResources() {
      return List.of(new TestResourceEntry(OwnRedis.class));
    }
  }
}
