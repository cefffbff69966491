package io.github.bloomgate.filters;

import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.OnRedis;
import io.github.bloomgate.support.TestInstance;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

/** The memory outside the heap. */
@OnRedis
class SegmentMemoryTest {

  private static final int SEGMENTS = 16;
  private static final long SEGMENT_BYTES = 1 << 21;

  static TestRedis redis;
  static TestInstance service;

  /** Otherwise, it would stay allocated until the next garbage collection. */
  @Test
  void aDescriptionReleasesTheSegmentsItHasRead() {
    var name = name();
    service.create(name, TestInstance.shape(8 * SEGMENTS * SEGMENT_BYTES, 7));
    service.add(name, elements("e", 1_000));
    var before = usedBytes();
    service.describe(name);
    var kept = usedBytes() - before;
    assertTrue(kept <= SEGMENTS / 2 * SEGMENT_BYTES, kept + " bytes");
  }

  private static long usedBytes() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals("direct"))
        .mapToLong(BufferPoolMXBean::getMemoryUsed)
        .sum();
  }
}
