package io.github.bloomgate.elements;

import static io.github.bloomgate.support.TestInstance.await;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.journal.SegmentCopy;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.store.TestStores;
import io.github.bloomgate.support.TestInstance;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.function.Executable;

/**
 * A segment with a journal that is damaged by hand, and instances that hold a copy of it, one that
 * is behind, and none.
 */
abstract class DamagedSegment {

  static final List<byte[]> WARM = elements("warm ", 1_000);
  static final List<byte[]> FIRST = elements("first ", 60);
  static final List<byte[]> SECOND = elements("second ", 60);

  static TestRedis redis;
  static TestInstance holder;
  static TestInstance behind;
  static TestInstance without;

  final FilterName name = name();
  Filter filter;
  String state;
  String bits;

  @BeforeAll
  static void start() {
    redis = TestRedis.started();
    holder = new TestInstance(redis);
    behind = new TestInstance(redis);
    without = TestInstance.withoutCopies(redis);
  }

  @AfterAll
  static void stop() {
    holder.close();
    behind.close();
    without.close();
    redis.close();
  }

  /** What all are told of it. */
  enum Harm {
    CUT_BY_A_BYTE(ErrorCode.FILTER_DAMAGED),
    CUT_BY_A_BLOCK(ErrorCode.FILTER_DAMAGED),
    CUT_WHOLE(ErrorCode.FILTER_DAMAGED),
    CUT_AMID_THE_SNAPSHOT(ErrorCode.FILTER_DAMAGED),
    MADE_LONGER(ErrorCode.FILTER_DAMAGED),
    BASE_LOST(ErrorCode.FILTER_DAMAGED),
    BASE_RAISED(ErrorCode.FILTER_DAMAGED),
    FOLDED_LOST(ErrorCode.FILTER_DAMAGED),
    FOLDED_BEYOND(ErrorCode.FILTER_DAMAGED),
    TIP_LOST(ErrorCode.FILTER_DAMAGED),
    TIP_RAISED(ErrorCode.FILTER_DAMAGED),
    NO_NUMBER(ErrorCode.FILTER_DAMAGED),
    BITS_EVICTED(ErrorCode.FILTER_DAMAGED),
    STATE_EVICTED(ErrorCode.FILTER_DAMAGED),
    BOTH_EVICTED(ErrorCode.FILTER_NOT_FOUND),
    BITS_OF_ANOTHER_TYPE(ErrorCode.WRONG_KEY_TYPE),
    STATE_OF_ANOTHER_TYPE(ErrorCode.WRONG_KEY_TYPE);

    final ErrorCode told;

    Harm(ErrorCode told) {
      this.told = told;
    }
  }

  void harm(Harm harm) {
    var length = redis.command("STRLEN", bits).toLong();
    var snapshot = filter.shape().segmentBytes();
    var block = (length - snapshot) / 2;
    switch (harm) {
      case CUT_BY_A_BYTE -> cut(length - 1);
      case CUT_BY_A_BLOCK -> cut(length - block);
      case CUT_WHOLE -> cut(snapshot);
      case CUT_AMID_THE_SNAPSHOT -> cut(snapshot / 2);
      case MADE_LONGER -> redis.command("APPEND", bits, "more");
      case BASE_LOST -> redis.command("HDEL", state, "base");
      case BASE_RAISED -> redis.command("HINCRBY", state, "base", "1");
      case FOLDED_LOST -> redis.command("HDEL", state, "folded");
      case FOLDED_BEYOND -> redis.command("HINCRBY", state, "folded", Long.toString(length));
      case TIP_LOST -> redis.command("HDEL", state, "tip");
      case TIP_RAISED -> redis.command("HINCRBY", state, "tip", Long.toString(block));
      case NO_NUMBER -> redis.command("HSET", state, "folded", "nan");
      case BITS_EVICTED -> redis.command("DEL", bits);
      case STATE_EVICTED -> redis.command("DEL", state);
      case BOTH_EVICTED -> redis.command("DEL", bits, state);
      case BITS_OF_ANOTHER_TYPE -> {
        redis.command("DEL", bits);
        redis.command("RPUSH", bits, "theirs");
      }
      case STATE_OF_ANOTHER_TYPE -> redis.command("SET", state, "theirs");
    }
  }

  /** Bytes cannot be sent as text, so a script takes them away. */
  void cut(long length) {
    redis.command(
        "EVAL",
        "redis.call('SET', KEYS[1], redis.call('GETRANGE', KEYS[1], 0, ARGV[1] - 1))",
        "1",
        bits,
        Long.toString(length));
  }

  /**
   * A segment whose journal begins behind 0, with a block that is in the bitmap and one that is
   * not. One instance has replayed both and another only the first.
   */
  void create(FilterParameters kind, int segment) {
    filter = holder.create(name, kind);
    state = TestStores.keys(filter, segment).get(0);
    bits = TestStores.keys(filter, segment).get(1);
    holder.add(name, WARM);
    holder.add(name, elements("before ", 60));
    holder.fold(filter);
    holder.assertMaybe(name, WARM);
    behind.assertMaybe(name, WARM);
    holder.add(name, FIRST);
    await(holder.stores.journals().replay(filter, segment, false));
    behind.assertMaybe(name, FIRST);
    holder.add(name, SECOND);
    var places = redis.command("HMGET", state, "base", "folded", "tip");
    var numbers = IntStream.range(0, 3).mapToLong(i -> places.get(i).toLong()).toArray();
    assertTrue(0 < numbers[0] && numbers[0] < numbers[1] && numbers[1] < numbers[2], "" + places);
  }

  static void assertThere(TestInstance instance, FilterName name) {
    for (var some : List.of(WARM, FIRST, SECOND)) {
      instance.assertMaybe(name, some);
    }
  }

  void assertThere(TestInstance instance) {
    assertThere(instance, name);
  }

  void assertAllFail(ErrorCode code) {
    for (var instance : List.of(holder, behind, without)) {
      assertFails(code, instance);
      assertFails(code, () -> instance.describe(name));
    }
  }

  /**
   * Also when asked again, and of a single element. Fields of a state that somebody changed by hand
   * are noticed a moment later, see {@link SegmentCopy#isToBeLookedAt}.
   */
  void assertFails(ErrorCode code, TestInstance instance) {
    Awaitility.await()
        .atMost(TestInstance.PATIENCE)
        .pollDelay(Duration.ZERO)
        .until(() -> fails(() -> instance.test(name, SECOND)));
    for (var tries = 0; tries < 2; tries++) {
      assertFails(code, () -> instance.test(name, SECOND));
      assertFails(code, () -> instance.add(name, elements("late ", 60)));
    }
  }

  private static boolean fails(Runnable call) {
    try {
      call.run();
      return false;
    } catch (BloomException failure) {
      return true;
    }
  }

  static void assertFails(ErrorCode code, Executable call) {
    var failure = assertThrows(BloomException.class, call);
    assertEquals(code, failure.code(), failure.getMessage());
  }
}
