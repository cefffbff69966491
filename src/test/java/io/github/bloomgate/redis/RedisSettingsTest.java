package io.github.bloomgate.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Settings read from INFO of a complete and of a restricted Redis. */
class RedisSettingsTest {

  @Test
  void theSettingsAreFoundAmongTheRest() {
    var info = "# Memory\r\nmaxmemory:0\r\nmaxmemory_policy:volatile-lru\r\n\r\naof_enabled:0\r\n";
    assertEquals(
        new RedisSettings("volatile-lru", false, "Redis (version not known)"),
        RedisSettings.of(info));
    assertEquals(
        new RedisSettings("noeviction", true, "Redis 7.0.15"),
        RedisSettings.of(
            "redis_version:7.0.15\r\nmaxmemory_policy:noeviction\r\naof_enabled:1\r\n"));
  }

  @Test
  void valkeyGoesByItsOwnName() {
    var info = "redis_version:7.2.4\r\nserver_name:valkey\r\nvalkey_version:8.0.1\r\n";
    assertEquals("Valkey 8.0.1", RedisSettings.of(info).product());
  }

  @Test
  void missingSettingsAreNotReported() {
    assertEquals(new RedisSettings("", true, "Redis (version not known)"), RedisSettings.of(""));
    assertEquals(
        new RedisSettings("", true, "Redis (version not known)"),
        RedisSettings.of("# Server\r\nnonsense\r\n"));
  }
}
