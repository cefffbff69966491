package io.github.bloomgate.store;

import static io.github.bloomgate.support.Failures.assertFails;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.redis.Effect;
import io.github.bloomgate.redis.TestLink;
import io.github.bloomgate.segment.Verdict;
import io.github.bloomgate.store.StoredContent.Raw;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Long bitmaps of a library's scheme in keys of the service. */
class RawScriptTest extends AdoptionCalls {

  private static final FilterShape LONG = new FilterShape(1, 1L << 27, 3);

  private Raw created() {
    created(name, Optional.of(LATER));
    return new Raw(live(name), LONG, Optional.empty());
  }

  @Test
  void aBitmapIsCreatedByTheFirstAdd() {
    var raw = created();
    assertEquals(List.of(NO), test(raw, 1, 2, 3));
    assertCounts(0, 0, raw);
    assertFalse(exists(raw.redisKey()));
    assertEquals(List.of(NEW), add(raw, 1, 2, 3));
    assertEquals(written(0), found(name).state().written());
    assertExpiry(Optional.of(LATER), raw.redisKey());
    assertCounts(3, 1, raw);
  }

  @Test
  void anAddInTheLastMillisecondLeavesNothing() {
    for (var round = 0; round < 100; round++) {
      name = name();
      var raw = created();
      var expiry = System.currentTimeMillis() + 3;
      redis("HSET", Keys.state(name), "expiresAt", expiry);
      redis("PEXPIREAT", Keys.state(name), expiry);
      while (System.currentTimeMillis() < expiry) {
        Thread.onSpinWait();
      }
      replyToAdd(bits(raw, 1, 2, 3));
      assertNotEquals(-1, redis("PTTL", raw.redisKey()).toInteger(), "no expiry");
    }
  }

  @Test
  void itGrowsByStepsOfFourMebibytes() {
    var raw = created();
    assertEquals(List.of(NEW), add(raw, 1, 2, (1 << 27) - 1));
    assertEquals(1 << 24, redis("STRLEN", raw.redisKey()).toInteger());
    assertEquals(List.of(MAYBE), test(raw, 1, 2, (1 << 27) - 1));
    assertCounts(3, 1, raw);
  }

  /** It may be longer than noted, because a crash can cut off the note. */
  @Test
  void aBitmapThatIsCutIsDamage() {
    var raw = created();
    add(raw, 1, 2, 80_000);
    assertEquals("10001", redis("HGET", Keys.state(name), "length").toString());
    add(raw, 1, 2, 90_000);
    redis("HSET", Keys.state(name), "length", 10_001);
    assertEquals(List.of(MAYBE), test(raw, 1, 2, 90_000));
    for (var length : List.of(10_000, 1)) {
      redis("SET", raw.redisKey(), "x".repeat(length));
      assertFails(ErrorCode.FILTER_DAMAGED, () -> test(raw, 1, 2, 80_000));
      assertFails(ErrorCode.FILTER_DAMAGED, () -> add(raw, 1, 2, 80_000));
      assertFails(ErrorCode.FILTER_DAMAGED, raws.counts(raw));
      assertFails(ErrorCode.FILTER_DAMAGED, raws.read(raw, 0, 10));
    }
  }

  @Test
  void aFullFilterRefusesNewElementsOnly() {
    var raw = created();
    var elements = elements(1, 2, 3, 4, 5, 6, 1, 1, 2);
    assertEquals(List.of(NEW, Verdict.REFUSED, MAYBE), addAll(new RawBits(raw, elements, 1)));
    assertCounts(3, 1, raw);
  }

  /** A step of growth takes 2 ms, so a call makes only one. */
  @Test
  void severalContentsAreUsedInOneCallThatGrowsOne() {
    var first = created();
    name = name();
    var second = created();
    var ends = List.<Bits>of(bits(first, 1, 2, 1 << 26), bits(second, 3, 4, 1 << 26));
    var grown = new BitsReply.Postponed();
    assertEquals(List.of(grown, grown), TestLink.await(segments.bits(ends, Effect.WRITE)));
    assertEquals(1 << 22, redis("STRLEN", first.redisKey()).toInteger());
    assertEquals(0, redis("STRLEN", second.redisKey()).toInteger());
    ends.forEach(this::addAll);
    redis("DEL", second.redisKey());
    var replies = TestLink.await(segments.bits(ends, Effect.READ));
    assertEquals(List.of(MAYBE), answers(replies.get(0)));
    assertFails(ErrorCode.FILTER_DAMAGED, () -> answers(replies.get(1)));
  }

  @Test
  void importedBytesAreJoinedWithExistingBits() {
    var seed = System.nanoTime();
    var random = new Random(seed);
    var raw = created();
    var expected = new byte[5_000];
    for (var i = 0; i < 20; i++) {
      var bytes = new byte[1 + random.nextInt(500)];
      random.nextBytes(bytes);
      var from = random.nextInt(expected.length - bytes.length);
      for (var j = 0; j < bytes.length; j++) {
        expected[from + j] |= bytes[j];
      }
      TestLink.await(raws.fill(raw, from, bytes, 1));
    }
    assertArrayEquals(expected, TestLink.await(raws.read(raw, 0, expected.length)), "seed " + seed);
    assertEquals(20, TestLink.await(raws.counts(raw)).insertions());
    assertExpiry(Optional.of(LATER), raw.redisKey());
    assertEquals(0, redis("KEYS", "*" + name + "*fold*").size());
  }

  @Test
  void aFullRedisRefusesAddsAndAnswersTests() {
    var raw = created();
    add(raw, 1, 2, 3);
    redis("CONFIG", "SET", "maxmemory", redis.info("memory", "used_memory") / 2);
    try {
      assertFails(ErrorCode.STORE_FULL, () -> add(raw, 4, 5, 6));
      assertEquals(List.of(MAYBE, NO), test(raw, 1, 2, 3, 4, 5, 6));
    } finally {
      redis("CONFIG", "SET", "maxmemory", 0);
    }
    assertCounts(3, 1, raw);
  }
}
