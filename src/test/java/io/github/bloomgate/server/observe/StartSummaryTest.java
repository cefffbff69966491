package io.github.bloomgate.server.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.bloomgate.config.BloomgateConfig;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The first line says where the data is, without passwords. */
@QuarkusTest
class StartSummaryTest {

  @Inject BloomgateConfig config;

  @Test
  void theAddressOfRedisIsLoggedWithoutItsPassword() {
    var hosts =
        List.of(
            "redis://bloomgate:p%40ss@one:6379/2",
            "rediss://:secret@two",
            "redis://three?password=secret",
            "unix:///run/redis.sock?password=secret");

    assertEquals(
        "at redis://one:6379/2, rediss://two, redis://three, unix:///run/redis.sock",
        StartSummary.place(Optional.of(hosts), config.embedded()));
  }

  @Test
  void theFolderOfTheEmbeddedRedisIsLogged() {
    assertEquals(
        "of its own (data in %s)".formatted(config.embedded().dataDir().toAbsolutePath()),
        StartSummary.place(Optional.empty(), config.embedded()));
  }
}
