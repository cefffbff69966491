package io.github.bloomgate.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** What is read of INFO, of a Redis that tells all and of one that hides much. */
class RedisSettingsTest {

  @Test
  void theSettingsAreFoundAmongTheRest() {
    var info = "# Memory\r\nmaxmemory:0\r\nmaxmemory_policy:volatile-lru\r\n\r\naof_enabled:0\r\n";
    assertEquals(new RedisSettings("volatile-lru", false), RedisSettings.of(info));
    assertEquals(
        new RedisSettings("noeviction", true),
        RedisSettings.of("maxmemory_policy:noeviction\r\naof_enabled:1\r\n"));
  }

  @Test
  void whatIsNotToldIsNoDanger() {
    assertEquals(new RedisSettings("", true), RedisSettings.of(""));
    assertEquals(new RedisSettings("", true), RedisSettings.of("# Server\r\nnonsense\r\n"));
  }
}
