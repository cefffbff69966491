package io.github.bloomgate.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.model.BitmapVersion;
import io.github.bloomgate.model.Durability;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.SegmentCounts;
import io.github.bloomgate.redis.TestLink;
import io.github.bloomgate.redis.TestRedis;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Reading bytes of a segment and joining bytes into one. */
class BytesScriptsTest {

  private static final BitmapVersion EMPTY = new BitmapVersion("0");

  private static TestRedis redis;
  private static TestLink link;
  private static TestStores stores;
  private static SegmentStore segments;
  private static FilterStore filters;

  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);

  @BeforeAll
  static void start() {
    redis = TestRedis.started();
    link = new TestLink(redis.options());
    stores = TestStores.over(link);
    segments = stores.segments();
    filters = stores.filters();
  }

  @AfterAll
  static void stop() {
    link.close();
    redis.close();
  }

  @Test
  void readGivesBytesAndCountsOfOneMoment() {
    var filter = create(Optional.empty());
    union(filter, 3, new byte[] {1, (byte) 0x80, 7}, 2);
    var all = read(filter, 0, 100);
    assertArrayEquals(
        new byte[] {0, 0, 0, 1, (byte) 0x80, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, all.bytes());
    assertEquals(new SegmentCounts(5, 2), all.counts());
    assertArrayEquals(new byte[] {1, (byte) 0x80}, read(filter, 3, 2).bytes());
    assertArrayEquals(new byte[] {0}, read(filter, 15, 2).bytes());
    assertArrayEquals(new byte[0], read(filter, 16, 1).bytes());
  }

  @Test
  void bitsOfBytesAreThoseOfSetbit() {
    var filter = create(Optional.empty());
    union(filter, 1, new byte[] {(byte) 0x80}, 1);
    assertEquals(1, redis.command("GETBIT", bits(filter), "8").toInteger());
    assertEquals(0, redis.command("GETBIT", bits(filter), "15").toInteger());
  }

  @Test
  void unionSetsAndNeverClears() {
    var filter = create(Optional.empty());
    assertEquals(3, union(filter, 2, new byte[] {0b0101, 0b1000}, 1));
    assertEquals(2, union(filter, 2, new byte[] {0b0110, 0b1001}, 1));
    assertEquals(0, union(filter, 2, new byte[] {0, 0b1000}, 0));
    var now = read(filter, 2, 2);
    assertArrayEquals(new byte[] {0b0111, 0b1001}, now.bytes());
    assertEquals(new SegmentCounts(5, 2), now.counts());
  }

  @Test
  void unionOfRandomRangesIsWhatTheyComeTo() {
    var filter = create(Optional.empty());
    var expected = new byte[16];
    var insertions = 0L;
    for (var i = 0; i < 500; i++) {
      var offset = random.nextInt(16);
      var bytes = new byte[random.nextInt(1, 17 - offset)];
      for (var bits = random.nextInt(3); bits > 0; bits--) {
        bytes[random.nextInt(bytes.length)] |= (byte) (1 << random.nextInt(8));
      }
      var before = count(expected);
      for (var b = 0; b < bytes.length; b++) {
        expected[offset + b] |= bytes[b];
      }
      insertions += i;
      assertEquals(count(expected) - before, union(filter, offset, bytes, i), "seed " + seed);
      var now = read(filter, 0, 16);
      assertArrayEquals(expected, now.bytes(), "seed " + seed);
      assertEquals(new SegmentCounts(count(expected), insertions), now.counts(), "seed " + seed);
      assertEquals(count(expected), redis.command("BITCOUNT", bits(filter)).toLong());
    }
  }

  @Test
  void unionLeavesTheDeadlineAndNothingElse() {
    var filter = create(Optional.of(ScriptBench.LATE));
    union(filter, 0, new byte[] {1}, 1);
    union(filter, 0, new byte[] {2}, 1);
    for (var key : TestStores.keys(filter, 0)) {
      var left = redis.command("PTTL", key).toLong();
      var off = System.currentTimeMillis() + left - ScriptBench.LATE;
      assertTrue(left > 0 && Math.abs(off) < 600_000, key + " has " + left + " ms left");
    }
    assertEquals(2, redis.command("KEYS", "*" + filter.name() + "*").size());
  }

  @Test
  void bytesBehindTheEndAreRefused() {
    var filter = create(Optional.empty());
    assertThrows(IllegalArgumentException.class, () -> union(filter, 16, new byte[1], 1));
    assertThrows(IllegalArgumentException.class, () -> union(filter, 0, new byte[17], 1));
    assertThrows(IllegalArgumentException.class, () -> union(filter, 0, new byte[0], 1));
    assertThrows(IllegalArgumentException.class, () -> union(filter, -1, new byte[1], 1));
    assertThrows(
        IllegalArgumentException.class,
        () -> union(filter, 0, new byte[SegmentStore.MAX_UNION_BYTES + 1], 1));
    assertThrows(IllegalArgumentException.class, () -> read(filter, 0, 0));
    assertThrows(
        IllegalArgumentException.class, () -> read(filter, 0, SegmentStore.MAX_READ_BYTES + 1));
    assertEquals(new SegmentCounts(0, 0), read(filter, 0, 16).counts());
    assertEquals(16, redis.command("STRLEN", bits(filter)).toInteger());
  }

  /** Whatever sets a bit leaves a mark that nothing else leaves. */
  @Test
  void everyChangeLeavesAnotherVersion() {
    var filter = create(Optional.empty());
    var seen = new ArrayList<BitmapVersion>();
    assertEquals(EMPTY, version(filter));
    seen.add(version(filter));
    for (var change : changes(filter)) {
      change.run();
      seen.forEach(before -> assertFalse(before.isSameAs(version(filter))));
      seen.add(version(filter));
    }
    assertEquals(0, union(filter, 1, new byte[] {0x10}, 0));
    assertEquals(seen.get(seen.size() - 1), version(filter));
    assertTrue(version(filter).isKnown());
  }

  private List<Runnable> changes(Filter filter) {
    return List.of(
        () -> TestLink.await(stores.elements().add(filter, batch(7, 8, 9), Durability.PRIMARY)),
        () -> assertEquals(1, union(filter, 1, new byte[] {0x10}, 1)),
        () -> TestLink.await(stores.elements().add(filter, batch(1, 2, 3), Durability.PRIMARY)));
  }

  private static SegmentBatch batch(long... positions) {
    return new SegmentBatch(0, new int[1], positions);
  }

  /** As it was left by a version of the service that knew no marks, or by one that runs beside. */
  @Test
  void whatLeftNoMarkIsNotTakenForWhatWasRead() {
    var filter = create(Optional.empty());
    union(filter, 5, new byte[] {1}, 1);
    var marked = version(filter);
    redis.command("SETBIT", bits(filter), "0", "1");
    redis.command("HSET", TestStores.keys(filter, 0).get(0), "bitsSet", "2");
    assertFalse(version(filter).isSameAs(marked));
    redis.command("HDEL", TestStores.keys(filter, 0).get(0), "mark");
    assertFalse(version(filter).isKnown());
    union(filter, 6, new byte[] {1}, 1);
    assertTrue(version(filter).isKnown());
  }

  @Test
  void aClearedFilterHasTheVersionOfAnEmptyOne() {
    var filter = create(Optional.empty());
    union(filter, 5, new byte[] {1}, 1);
    filters.clear(filter);
    var cleared = TestLink.await(filters.find(filter.name())).orElseThrow().filter();
    assertEquals(EMPTY, version(cleared));
  }

  private static BitmapVersion version(Filter filter) {
    return read(filter, 0, 16).version();
  }

  @Test
  void anotherGenerationAndAMissingFilterAreRefused() {
    var filter = create(Optional.empty());
    filters.clear(filter);
    var read = assertThrows(StaleFilterException.class, () -> read(filter, 0, 16));
    assertTrue(!read.gone());
    assertThrows(StaleFilterException.class, () -> union(filter, 0, new byte[] {1}, 1));
    filters.delete(filter.name(), false);
    var gone = assertThrows(StaleFilterException.class, () -> union(filter, 0, new byte[] {1}, 1));
    assertTrue(gone.gone());
    assertEquals(0, redis.command("KEYS", "*" + filter.name() + "*").size());
  }

  private static Filter create(Optional<Long> deadline) {
    var filter = ScriptBench.filter(1, 0, deadline);
    assertTrue(filters.create(filter));
    return filter;
  }

  private static SegmentBytes read(Filter filter, long offset, int length) {
    return TestLink.await(segments.read(filter, 0, offset, length));
  }

  private static long union(Filter filter, long offset, byte[] bytes, long insertions) {
    return TestLink.await(segments.union(filter, 0, offset, bytes, insertions));
  }

  private static String bits(Filter filter) {
    return List.copyOf(TestStores.keys(filter, 0)).get(1);
  }

  private static long count(byte[] bytes) {
    var count = 0L;
    for (var value : bytes) {
      count += Integer.bitCount(value & 0xff);
    }
    return count;
  }
}
