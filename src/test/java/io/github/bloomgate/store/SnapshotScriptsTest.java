package io.github.bloomgate.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.model.Durability;
import io.github.bloomgate.model.SegmentCounts;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.redis.Script;
import io.github.bloomgate.redis.TestLink;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The scripts that shorten the journal of a segment, and journals that are damaged. */
class SnapshotScriptsTest extends JournalScriptCalls {

  @Test
  void aNewSnapshotKeepsTheTailAndALittleHistory() {
    var copy = follow();
    var behind = follow();
    for (var i = 0; i < 3; i++) {
      add(copy, i, i + 1, i + 2);
    }
    var atItsBegin = follow();
    for (var i = 3; i < 40; i++) {
      add(copy, i, i + 1, i + 2);
    }
    var at = copy.reached();
    var history = copy.history();
    assertEquals(history, atItsBegin.reached());
    var slow = follow();
    behind.replay(advance(behind).blocks());
    add(copy, 100, 101, 102);
    assertTrue(TestLink.await(journals.fold(filter, 0, slow, at, "", Durability.PRIMARY)).done());
    assertEquals(history.position(), redis.command("HGET", state, "base").toLong());
    for (var follower : List.of(behind, atItsBegin)) {
      var told = advance(follower);
      assertDone(told);
      follower.replay(told.blocks());
      assertEquals(copy.counts(), follower.counts());
    }
    assertEquals(copy.counts(), follow().counts());
    // Somebody was faster, or slept for an hour.
    assertFalse(TestLink.await(journals.fold(filter, 0, slow, at, "", Durability.PRIMARY)).done());
    assertEquals(copy.counts(), follow().counts());
    assertTrue(redis.command("PTTL", bits).toLong() > 0);
  }

  /** Somebody else has dropped it meanwhile. */
  @Test
  void historyThatIsGoneIsNotAskedFor() {
    var copy = follow();
    for (var i = 0; i < 10; i++) {
      add(copy, i, i + 1, i + 2);
    }
    TestLink.await(journals.replay(filter, 0, true));
    add(copy, 100, 101, 102);
    assertTrue(copy.history().position() < redis.command("HGET", state, "base").toLong());
    var at = copy.reached();
    assertTrue(TestLink.await(journals.fold(filter, 0, copy, at, "", Durability.PRIMARY)).done());
    add(copy, 110, 111, 112);
    assertEquals(copy.counts(), follow().counts());
    assertEquals(copy.counts(), TestLink.await(segments.count(filter, 0)));
  }

  @Test
  void aSnapshotOfAnotherLengthIsRefused() {
    var copy = follow();
    add(copy, 1, 2, 3);
    var reached = copy.reached();
    for (var length : List.of(0, BYTES - 1, BYTES + 1)) {
      var reply =
          TestLink.await(
              link.scripts()
                  .run(
                      Script.FOLD,
                      TestStores.keys(filter, 0),
                      request ->
                          request
                              .arg(filter.generation().toString())
                              .arg(K)
                              .arg(reached.position())
                              .arg(reached.mark())
                              .arg(new byte[length])
                              .arg(0)
                              .arg(0)
                              .arg(reached.position())
                              .arg(reached.mark())
                              .arg("")));
      assertEquals("BEYOND", reply.status());
    }
    assertEquals(copy.counts(), follow().counts());
  }

  @Test
  void aSnapshotWithMoreIsTakenOnlyWhereNobodyAddedMeanwhile() {
    var copy = follow();
    add(copy, 1, 2, 3);
    var at = copy.reached();
    var other = follow();
    copy.content().add(new int[] {7, 8, 9}, 0);
    add(other, 4, 5, 6);
    var mark = marks.next();
    assertFalse(
        TestLink.await(journals.fold(filter, 0, copy, at, mark, Durability.PRIMARY)).done());
    assertEquals(new SegmentCounts(6, 2), follow().counts());
    var again = follow();
    var tip = again.reached();
    again.content().add(new int[] {7, 8, 9}, 0);
    assertTrue(
        TestLink.await(journals.fold(filter, 0, again, tip, mark, Durability.PRIMARY)).done());
    again.written(mark);
    assertEquals(AdvanceReply.Outcome.REREAD, advance(other).outcome());
    assertDone(advance(again));
    assertEquals(new SegmentCounts(9, 3), follow().counts());
    assertEquals(new SegmentCounts(9, 3), TestLink.await(segments.count(filter, 0)));
  }

  @Test
  void aJournalThatIsTooLongIsNotMadeLonger() {
    var copy = follow();
    while (copy.kept() < copy.mostBytes()) {
      add(copy, 1, 2, 3);
    }
    var length = redis.command("STRLEN", bits).toLong();
    assertEquals(AdvanceReply.Outcome.LONG, advance(copy, blocks(4, 5, 6)).outcome());
    assertDone(advance(copy));
    assertEquals(length, redis.command("STRLEN", bits).toLong());
    assertEquals(new SegmentCounts(3, 1), follow().counts());
  }

  @Test
  void whatIsReadIsTheSnapshotOnly() {
    add(follow(), 1, 2, 3);
    assertEquals(BYTES, read(0, 100).length);
    assertEquals(1, read(BYTES - 1, 100).length);
    assertEquals(0, read(BYTES, 1).length);
  }

  private byte[] read(long offset, int length) {
    return TestLink.await(segments.read(filter, 0, offset, length)).bytes();
  }

  /** As by an eviction, or by hand. */
  @ParameterizedTest
  @CsvSource({
    "HSET, tip, 500",
    "HSET, base, 1",
    "HSET, folded, 1000",
    "HSET, base, x",
    "APPEND, more, ",
    "SETRANGE, 0, ",
    "DEL, , "
  })
  void aJournalThatIsNotWholeIsDamaged(String command, String field, String value) {
    var copy = follow();
    add(copy, 1, 2, 3);
    switch (command) {
      case "HSET" -> redis.command("HSET", state, field, value);
      case "APPEND" -> redis.command("APPEND", bits, field);
      case "DEL" -> redis.command("DEL", bits);
      default -> redis.command("SET", bits, redis.command("GETRANGE", bits, "0", "20").toString());
    }
    Awaitility.await()
        .pollDelay(Duration.ZERO)
        .untilAsserted(() -> assertDamaged(() -> advance(copy)));
    assertDamaged(this::follow);
    assertDamaged(() -> TestLink.await(journals.replay(filter, 0, true)));
    assertDamaged(() -> TestLink.await(segments.read(filter, 0, 0, BYTES)));
    assertDamaged(() -> TestLink.await(segments.count(filter, 0)));
  }

  /** Two bytes of the number of entries, 9 of an entry, 16 of the mark. */
  @ParameterizedTest
  @CsvSource({"16, 0000", "16, ffff", "18, ffffff", "24, 000080"})
  void aJournalThatIsNoneIsDamaged(int offset, String hex) {
    add(follow(), 1, 2, 3);
    var bytes = HexFormat.of().parseHex(hex);
    for (var i = 0; i < 8 * bytes.length; i++) {
      var bit = bytes[i / 8] >>> (7 - i % 8) & 1;
      redis.command("SETBIT", bits, Integer.toString(8 * offset + i), Integer.toString(bit));
    }
    assertDamaged(this::follow);
    assertDamaged(() -> TestLink.await(journals.replay(filter, 0, true)));
    assertDamaged(() -> TestLink.await(segments.count(filter, 0)));
    assertDamaged(() -> TestLink.await(segments.union(filter, 0, 0, new byte[] {1}, 1)));
  }

  private static void assertDamaged(Runnable call) {
    var failure = assertThrows(BloomException.class, call::run);
    assertEquals(ErrorCode.FILTER_DAMAGED, failure.code());
  }
}
