package io.github.bloomgate.server.observe;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.redis.TestLink;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.store.FormerLayout;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.runtime.configuration.ConfigurationException;
import org.junit.jupiter.api.Test;

class LayoutCheckTest {

  @Test
  void aServiceDoesNotStartOnFiltersInAFormerLayout() {
    try (var redis = TestRedis.started();
        var link = new TestLink(redis.options())) {
      var check = new LayoutCheck(new FormerLayout(link.link()));
      assertDoesNotThrow(() -> check.start(new StartupEvent()));
      redis.command("ZADD", "bloom:catalogue", "0", "users");
      var refusal =
          assertThrows(ConfigurationException.class, () -> check.start(new StartupEvent()));
      assertTrue(refusal.getMessage().contains("bloom:catalogue"), refusal.getMessage());
    }
  }
}
