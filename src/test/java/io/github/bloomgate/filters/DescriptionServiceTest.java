package io.github.bloomgate.filters;

import static io.github.bloomgate.support.Failures.assertFails;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.memory.Client;
import io.github.bloomgate.memory.MemoryBudget;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.Window;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.OnRedis;
import io.github.bloomgate.support.TestInstance;
import io.github.bloomgate.support.TestWindows;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
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

  /** Segments with a journal are read as a whole. */
  @Test
  void aDescriptionWaitsForMemory() throws Exception {
    var name = name();
    service.create(name, TestInstance.shape(8 * SEGMENT_BYTES, 7));
    service.add(name, elements("e", 1_000));
    var memory = service.get(MemoryBudget.class);
    var waiting = service.metrics.get("bloom.memory.waiting").gauge();
    CompletableFuture<Description> description;
    try (var all = memory.takeOrWait(MemoryBudget.Use.BITMAPS, memory.most())) {
      assertEquals(memory.most(), all.bytes());
      description = CompletableFuture.supplyAsync(() -> service.describe(name), service.waiting);
      Awaitility.await().until(() -> waiting.value() == 1);
      assertFalse(description.isDone());
    }
    assertEquals(1_000, description.get().statistics().insertions());
  }

  @Test
  void aListStopsWhenItsClientLeaves() {
    var prefix = name().value();
    for (var i = 0; i < 60; i++) {
      service.create(new FilterName(prefix + i), TestInstance.shape(1_000, 7));
    }
    var looks = new AtomicInteger();
    var leaves = new Client("leaves", () -> looks.incrementAndGet() > 20);
    redis.command("CONFIG", "RESETSTAT");
    assertFails(
        ErrorCode.INVALID_REQUEST,
        () -> service.descriptions.list(List.of(prefix), Optional.empty(), 100, true, leaves));
    var calls = Pattern.compile("cmdstat_evalsha:calls=([0-9]+),");
    var statistics = calls.matcher(redis.command("INFO", "commandstats").toString());
    assertTrue(statistics.find());
    // One for the names, and those before it left.
    assertTrue(Integer.parseInt(statistics.group(1)) <= 20, statistics.group());
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
