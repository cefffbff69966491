package io.github.bloomgate.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Reads settings and the free memory from the INFO of Redis. */
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

  @Test
  void aLimitCounts() {
    assertLeft(600, "used_memory:400", "maxmemory:1000", "maxmemory_policy:noeviction");
    assertLeft(600, "used_memory:400", "maxmemory:1000");
    assertLeft(0, "used_memory:1400", "maxmemory:1000", "total_system_memory:9000");
  }

  @Test
  void memoryRedisDoesNotCountIsSubtracted() {
    assertLeft(650, "used_memory:400", "mem_not_counted_for_evict:50", "maxmemory:1000");
  }

  @Test
  void anEvictingRedisMakesRoomWithinItsLimit() {
    assertLeft(1000, "used_memory:990", "maxmemory:1000", "maxmemory_policy:allkeys-lru");
  }

  @Test
  void withoutALimitTheMemoryOfTheMachineCounts() {
    assertLeft(8600, "used_memory:400", "maxmemory:0", "total_system_memory:9000");
  }

  @Test
  void missingMemoryValuesAreUnknown() {
    assertUnknown();
    assertUnknown("used_memory:400", "maxmemory:0", "total_system_memory:0");
    assertUnknown("used_memory:400", "maxmemory:nonsense");
    assertUnknown("used_memory:400", "maxmemory:1000", "cluster_enabled:1");
  }

  private static void assertLeft(long bytes, String... lines) {
    assertEquals(OptionalLong.of(bytes), left(lines));
  }

  private static void assertUnknown(String... lines) {
    assertEquals(OptionalLong.empty(), left(lines));
  }

  private static OptionalLong left(String... lines) {
    return RedisInfo.of(String.join("\r\n", lines)).memory().left();
  }
}
