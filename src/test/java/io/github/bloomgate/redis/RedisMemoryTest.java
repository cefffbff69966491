package io.github.bloomgate.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** The free memory of a Redis, from its INFO. */
class RedisMemoryTest {

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
  void missingValuesAreUnknown() {
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
