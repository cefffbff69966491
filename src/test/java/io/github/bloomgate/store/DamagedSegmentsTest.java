package io.github.bloomgate.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.redis.TestLink;
import io.github.bloomgate.segment.SegmentField;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The replies of the scripts for an evicted, truncated or overwritten segment are never "no". */
class DamagedSegmentsTest extends OneFilter {

  private Known known;

  @BeforeEach
  void append() {
    known = appended(live, 0, appended(live, 0, Known.NOTHING_YET));
  }

  private enum Harm {
    MISSING,
    EMPTY,
    SHORT,
    HEADER,
    POSITIONS,
    COUNTS,
    CUT,
    CUT_IN_ZEROS,
    TYPE;

    void apply(String key) {
      switch (this) {
        case MISSING -> redis.command("DEL", key);
        case EMPTY -> redis.command("SET", key, "");
        case SHORT -> redis.command("SET", key, "0123456789");
        case HEADER -> redis.command("SETRANGE", key, "16", "blooms");
        case POSITIONS -> redis.command("SETRANGE", key, String.valueOf(16 + 16 + 6), "zz");
        case COUNTS -> redis.command("SETRANGE", key, String.valueOf(16 + 24), "zz");
        case CUT -> cut(key, 16 + 56);
        case CUT_IN_ZEROS -> {
          redis.command("SETRANGE", key, "0", "\0".repeat(16));
          cut(key, 12);
        }
        case TYPE -> {
          redis.command("DEL", key);
          redis.command("RPUSH", key, "x");
        }
      }
    }

    private static void cut(String key, int length) {
      redis.command(
          "EVAL",
          "redis.call('SET', KEYS[1], redis.call('GETRANGE', KEYS[1], 0, ARGV[1]))",
          "1",
          key,
          String.valueOf(length - 1));
    }
  }

  @ParameterizedTest
  @EnumSource
  void callsOnTheJournalReportTheDamage(Harm harm) {
    harm.apply(live.segmentKey(0));
    var other = new Known(known.position(), mark());
    for (var one : List.of(Known.NOTHING_YET, other)) {
      var expected = harm == Harm.TYPE ? new SegmentReply.WrongType() : new SegmentReply.Damaged();
      assertEquals(expected, advance(live, ask(0, one)));
      assertEquals(expected, advance(live, append(0, one, block(3))));
    }
    assertEquals(FoldReply.DAMAGED, fold());
    assertEquals(FoldReply.DAMAGED, patch());
  }

  private FoldReply fold() {
    return fold(known.of(live, 0, FORMAT, 0));
  }

  private FoldReply patch() {
    var fields = List.of(new SegmentField(3, 1, 1));
    return TestLink.await(segments.patch(known.of(live, 0, FORMAT, 0), fields));
  }

  /** Without a journal, the string ends with the header. */
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "CUT")
  void bitsReportsTheDamage(Harm harm) {
    fold();
    harm.apply(live.segmentKey(0));
    var bits = new SegmentBits(live, 0, FORMAT, new byte[6], mark());
    assertDamaged(harm, TestStores.test(segments, bits));
    assertDamaged(harm, TestStores.add(segments, bits));
  }

  private static void assertDamaged(Harm harm, BitsReply reply) {
    var failed = assertInstanceOf(BitsReply.Failed.class, reply);
    var expected = harm == Harm.TYPE ? ErrorCode.WRONG_KEY_TYPE : ErrorCode.FILTER_DAMAGED;
    assertEquals(expected, failed.failure().code());
  }

  @Test
  void aStateOfAnotherTypeIsReported() {
    redis.command("DEL", live.stateKey());
    redis.command("SET", live.stateKey(), "x");
    assertEquals(List.of(Optional.empty()), groups(group(live, ask(0, known))));
    assertEquals(FoldReply.CHANGED, fold());
    assertEquals(FoldReply.CHANGED, patch());
    var bits = new SegmentBits(live, 0, FORMAT, new byte[6], mark());
    assertEquals(new BitsReply.Outdated(), TestStores.test(segments, bits));
  }

  /** After a crash, Redis may have restored only the first changes of the call that created it. */
  @Test
  void aTestListsAnUnlistedSegment() {
    redis.command("HSET", live.stateKey(), "written", "");
    assertEquals(SegmentReply.SAME, advance(live, ask(0, known)));
    assertEquals(written(0), found(name).state().written());
  }

  @Test
  void anAddListsAnUnlistedSegment() {
    redis.command("HSET", live.stateKey(), "written", "");
    appended(live, 0, known);
    assertEquals(written(0), found(name).state().written());
  }

  @Test
  void aStaleReaderListsAnUnlistedSegment() {
    redis.command("HDEL", live.stateKey(), "written");
    assertEquals(new SegmentReply.Reread(), advance(live, ask(0, new Known(1, mark()))));
    assertEquals(written(0), found(name).state().written());
  }

  @Test
  void aFoldListsAnUnlistedSegment() {
    redis.command("HSET", live.stateKey(), "written", "");
    assertEquals(FoldReply.DONE, fold());
    assertEquals(written(0), found(name).state().written());
  }

  @Test
  void aDamagedSegmentIsNotListed() {
    redis.command("HSET", live.stateKey(), "written", "");
    Harm.HEADER.apply(live.segmentKey(0));
    assertEquals(new SegmentReply.Damaged(), advance(live, ask(0, known)));
    assertEquals(Written.NONE, found(name).state().written());
  }

  @Test
  void aFullRedisStillAnswersTests() {
    var used = Long.toString(redis.info("memory", "used_memory") / 2);
    var before = bytes(live, 0);
    redis.command("CONFIG", "SET", "maxmemory", used);
    try {
      var replies =
          advance(
              live,
              FORMAT,
              append(0, known, block(3)),
              append(1, Known.NOTHING_YET, block(3)),
              ask(0, known),
              ask(2, Known.NOTHING_YET));
      assertEquals(
          List.of(
              new SegmentReply.Full(),
              new SegmentReply.Full(),
              SegmentReply.SAME,
              SegmentReply.SAME),
          replies);
    } finally {
      redis.command("CONFIG", "SET", "maxmemory", "0");
    }
    assertArrayEquals(before, bytes(live, 0));
    assertFalse(exists(live, 1));
    assertEquals(written(0), found(name).state().written());
  }

  @Test
  void aFullRedisStillDeletesExpiresClearsAndAborts() {
    var other = name();
    created(other, Optional.of(LATER));
    var second = live(other);
    appended(second, 0, Known.NOTHING_YET);
    var third = name();
    created(third);
    open(third);
    var fourth = name();
    created(fourth);
    var next = open(fourth);
    var used = Long.toString(redis.info("memory", "used_memory") / 2);
    redis.command("CONFIG", "SET", "maxmemory", used);
    try {
      assertDone(expire(other, Optional.of(LATER.plusSeconds(9))));
      assertDone(expire(other, Optional.empty()));
      var dropped = dropped(stores.clear(other, Written.NONE));
      assertFalse(filters.drop(Optional.of(other), dropped.orElseThrow(), 0));
      assertDone(stores.abort(third));
      var found = found(fourth);
      assertDone(TestLink.await(rebuilds.loaded(next(fourth), 3, Written.NONE)));
      assertDone(stores.commit(fourth, found.state().withWritten(Written.NONE)));
      assertDone(delete(live, written(0)));
    } finally {
      redis.command("CONFIG", "SET", "maxmemory", "0");
    }
    assertInstanceOf(FindReply.Gone.class, TestLink.await(filters.find(name, false, List.of())));
    assertTrue(found(third).next().isEmpty());
    assertEquals(next.content(), found(fourth).state().content());
  }
}
