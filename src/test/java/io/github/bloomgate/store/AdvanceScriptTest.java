package io.github.bloomgate.store;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.bloomgate.redis.ScriptReply;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code lua/advance.lua} answers to several questions in one call. */
class AdvanceScriptTest extends AdvanceCalls {

  /** More than a reply takes before it ends. */
  private static final int HALF_A_REPLY = (1 << 19) + 1;

  @Test
  void eachSegmentIsAskedForItself() {
    var first = question(filter, 0).adding(1, 2, 3);
    var second = question(filter, 1).adding(4, 5, 6);
    assertEquals(List.of("OK", "OK", "OK"), statuses(first, second, question(filter, 2)));
    var replies = ask(question(filter, 0), question(filter, 1), question(filter, 2));
    for (var i = 0; i < SEGMENTS; i++) {
      assertEquals("OK", replies.get(i).status());
      assertEquals(0, replies.get(i).bytes(1).length);
      assertEquals(i < 2 ? 2 + 9 + 16 : 0, length(i) - 16, "segment " + i);
    }
  }

  /** As by two requests that know the filter by two names, or as live and as next. */
  @Test
  void whoeverAsksASegmentAgainIsToldWhatTheSameCallJournaled() {
    var first = question(filter, 1).adding(1, 2, 3);
    var behind = question(filter, 1).adding(4, 5, 6);
    var replies = ask(first, behind, question(filter, 0));
    assertEquals(List.of("OK", "OK", "OK"), replies.stream().map(ScriptReply::status).toList());
    assertEquals(0, replies.get(0).bytes(1).length);
    assertEquals(27, replies.get(1).bytes(1).length);
    assertEquals(54, length(1) - 16);
    assertEquals("54", field(1, "tip"));
    assertEquals(
        54, ask(question(filter, 1).at(first.position(), first.mark())).get(0).bytes(1).length);
  }

  /** What was answered was done, and what was not answered was not. */
  @Test
  void aLongReplyEnds() {
    var questions = IntStream.range(0, SEGMENTS).mapToObj(i -> question(filter, i)).toList();
    for (var segment = 0; segment < SEGMENTS; segment++) {
      redis.command("APPEND", key(segment, 1), "x".repeat(HALF_A_REPLY));
      redis.command("HSET", key(segment, 0), "tip", Integer.toString(HALF_A_REPLY));
      redis.command("HSET", key(segment, 0), "baseMark", questions.get(segment).mark());
    }
    var long3 = HALF_A_REPLY + 16;
    var replies =
        ask(questions.get(0), questions.get(1), questions.get(2).adding(1, 2, 3).unbounded());
    assertEquals(2, replies.size());
    assertEquals(HALF_A_REPLY, replies.get(0).bytes(1).length);
    assertEquals(HALF_A_REPLY, replies.get(1).bytes(1).length);
    assertEquals(long3, length(2));
    replies = ask(questions.get(2).adding(1, 2, 3).unbounded(), questions.get(1), questions.get(0));
    assertEquals(2, replies.size());
    assertEquals(long3 + 27, length(2));
  }

  /** So many bytes have been journaled, folded or not. */
  @ParameterizedTest
  @CsvSource({"99, OK", "100, LONG", "101, LONG"})
  void aJournalOfMostBytesTakesNoMore(int bytes, String status) {
    var mark = field(0, "mark");
    redis.command("APPEND", key(0, 1), "x".repeat(bytes));
    var text = Integer.toString(bytes);
    // What is counted is that of the tip, and whoever asks is not there.
    redis.command("HSET", key(0, 0), "bitsSet", "5");
    redis.command("HSET", key(0, 0), "tip", text, "folded", text, "baseMark", mark);
    var one = question(filter, 0).at(0, mark).adding(1, 2, 3);
    var reply = ask(one).get(0);
    assertEquals(status, reply.status());
    assertEquals(bytes, reply.bytes(1).length);
    assertEquals(bytes + 16 + (status.equals("OK") ? 27 : 0), length(0));
    assertEquals(0, reply.number(3));
    assertEquals(bytes, reply.number(4));
  }

  /** Since replicas confirm what was written last, something is. */
  @Test
  void onlyWhoWaitsForReplicasWritesWithoutAdding() {
    var mark = field(0, "mark");
    var changes = redis.info("persistence", "rdb_changes_since_last_save");
    assertEquals(List.of("OK"), statuses(question(filter, 0)));
    assertEquals(changes, redis.info("persistence", "rdb_changes_since_last_save"));
    assertEquals("OK", call("1", List.of(question(filter, 0))).reply(1).status());
    assertEquals(changes + 1, redis.info("persistence", "rdb_changes_since_last_save"));
    assertEquals(mark, field(0, "mark"));
  }

  @Test
  void whoHasToReadAgainIsToldOfTheRebuild() {
    redis.command("HSET", key(0, 0), "next", "a rebuild");
    for (var segment = 0; segment < SEGMENTS; segment++) {
      var another = question(filter, segment).at(0, MARKS.next());
      var reply = ask(another.adding(1, 2, 3)).get(0);
      assertEquals("REREAD a rebuild", reply.status() + " " + reply.text(1));
      assertEquals(16, length(segment));
      assertEquals("a rebuild", ask(question(filter, segment)).get(0).text(2));
    }
  }

  private String field(int segment, String field) {
    return redis.command("HGET", key(segment, 0), field).toString();
  }
}
