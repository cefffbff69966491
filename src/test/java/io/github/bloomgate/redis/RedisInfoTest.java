package io.github.bloomgate.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Reads settings from the INFO of Redis, with and without restrictions. */
class RedisInfoTest {

  @Test
  void theSettingsAreFoundAmongOtherLines() {
    var info = "# Memory\r\nmaxmemory:0\r\nmaxmemory_policy:volatile-lru\r\n\r\naof_enabled:0\r\n";
    assertSettings("volatile-lru", false, "Redis (version not known)", info);
    assertSettings(
        "noeviction",
        true,
        "Redis 7.0.15",
        "redis_version:7.0.15\r\nmaxmemory_policy:noeviction\r\naof_enabled:1\r\n");
  }

  @Test
  void valkeyIsReportedByItsOwnName() {
    var info = "redis_version:7.2.4\r\nserver_name:valkey\r\nvalkey_version:8.0.1\r\n";
    assertEquals("Valkey 8.0.1", RedisInfo.of(info).product());
  }

  @Test
  void missingSettingsAreNotReported() {
    assertSettings("", true, "Redis (version not known)", "");
    assertSettings("", true, "Redis (version not known)", "# Server\r\nnonsense\r\n");
  }

  private static void assertSettings(
      String maxmemoryPolicy, boolean appendOnly, String product, String info) {
    var found = RedisInfo.of(info);
    assertEquals(maxmemoryPolicy, found.maxmemoryPolicy());
    assertEquals(appendOnly, found.appendOnly());
    assertEquals(product, found.product());
  }
}
