package io.github.bloomgate.filters;

import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.model.Window;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.OnRedis;
import io.github.bloomgate.support.TestInstance;
import io.github.bloomgate.support.TestWindows;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.time.Clock;
import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The memory that descriptions need, and descriptions by an instance whose clock is wrong. */
@OnRedis
class DescriptionServiceTest {

  private static final int SEGMENTS = 16;
  private static final long SEGMENT_BYTES = 1 << 21;
  private static final Window HOUR = Window.ofSeconds(3_600, 4, false);

  static TestRedis redis;
  static TestInstance service;
  @OnRedis.Special static TestInstance ahead;

  @BeforeAll
  static void start() {
    ahead = new TestInstance(redis, Clock.offset(Clock.systemUTC(), Duration.ofHours(2)));
  }

  /** Otherwise, the memory would stay allocated until the next garbage collection. */
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

  /** The memory outside the heap. */
  private static long usedBytes() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals("direct"))
        .mapToLong(BufferPoolMXBean::getMemoryUsed)
        .sum();
  }

  @Test
  void aWindowIsCountedByTheRedisClock() {
    var name = name();
    service.create(name, TestWindows.sized(1_000, HOUR));
    service.add(name, elements("e", 10));
    var expected = service.describe(name);
    assertTrue(expected.statistics().bitsSet() > 0);
    assertSame(expected, ahead.describe(name));

    var to = name();
    assertSame(expected, ahead.descriptions.describeChanged(ahead.renames.rename(name, to, false)));

    // Without a journal, the header of a segment is enough.
    service.fold();
    assertSame(expected, ahead.describe(to));
    assertSame(expected, ahead.descriptions.describeChanged(ahead.renames.rename(to, name, false)));
  }

  private static void assertSame(Description expected, Description actual) {
    assertEquals(expected.statistics(), actual.statistics());
    assertEquals(expected.slices().size(), actual.slices().size());
  }
}
