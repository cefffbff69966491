package io.github.bloomgate.store;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.bloomgate.model.Generation;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Segments that are as the caller of {@code lua/advance.lua} knows them: little of them is read.
 */
class AdvanceSameTest extends AdvanceCalls {

  @Test
  void allSegmentsAreTheSame() {
    assertEquals(List.of("SAME", "SAME", "SAME"), statuses(questions()));
  }

  /** The state is the one that the long way writes, block by block. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void whatIsAddedIsJournaled(int segment) {
    var mark = field(segment, "mark");
    var position = 0;
    for (var block = 0; block < 3; block++) {
      var adding = knowing(filter, segment).adding(1, 2, 3 + block);
      assertEquals(position, adding.position());
      assertEquals(List.of("SAME"), statuses(adding));
      position += adding.blocks().length;
      assertEquals(BYTES + position, length(segment));
      assertEquals(Integer.toString(position), field(segment, "tip"));
      assertEquals(last16(adding.blocks()), field(segment, "mark"));
      assertEquals(mark, field(segment, "baseMark"));
    }
    var reply = ask(question(filter, segment).at(0, mark)).get(0);
    assertEquals("OK " + position, reply.status() + " " + reply.bytes(1).length);
  }

  @Test
  void whatARebuildLoadsIsTold() {
    redis.command("HSET", key(0, 0), "next", "a rebuild");
    for (var segment = 0; segment < SEGMENTS; segment++) {
      var reply = ask(knowing(filter, segment).adding(1, 2, 3)).get(0);
      assertEquals("SAME a rebuild", reply.status() + " " + reply.text(1));
    }
  }

  @Test
  void whoeverAsksASegmentTwiceIsToldWhatTheSameCallJournaled() {
    var one = knowing(filter, 1);
    var replies = ask(one.adding(1, 2, 3), one.adding(4, 5, 6));
    assertEquals("SAME", replies.get(0).status());
    assertEquals("OK", replies.get(1).status());
    assertEquals(27, replies.get(1).bytes(1).length);
    assertEquals(BYTES + 54, length(1));
  }

  /** So many bytes have been journaled. */
  @ParameterizedTest
  @CsvSource({"3, SAME", "4, LONG"})
  void aJournalOfMostBytesTakesNoMore(int blocks, String status) {
    for (var block = 0; block < blocks; block++) {
      assertEquals(List.of("SAME"), statuses(knowing(filter, 0).adding(1, 2, 3)));
    }
    assertEquals(List.of(status), statuses(knowing(filter, 0).adding(4, 5, 6)));
    assertEquals(List.of("SAME"), statuses(knowing(filter, 0)));
  }

  @Test
  void onlyWhoWaitsForReplicasWritesWithoutAdding() {
    var mark = field(0, "mark");
    var changes = redis.info("persistence", "rdb_changes_since_last_save");
    assertEquals(List.of("SAME"), statuses(knowing(filter, 0)));
    assertEquals(changes, redis.info("persistence", "rdb_changes_since_last_save"));
    assertEquals("SAME", call("1", List.of(knowing(filter, 0))).reply(1).status());
    assertEquals(changes + 1, redis.info("persistence", "rdb_changes_since_last_save"));
    assertEquals(mark, field(0, "mark"));
  }

  /** Each of these has to be looked at, and is told as it would be otherwise. */
  @ParameterizedTest
  @CsvSource({
    "HSET, state, mark 0123456789abcdef, REREAD",
    "HDEL, state, mark, REREAD",
    "HSET, state, bitsSet 1, REREAD",
    "HDEL, state, bitsSet, DAMAGED",
    "HSET, state, generation 0123456789abcdef.7, STALE",
    "HDEL, state, generation, DAMAGED",
    "DEL, state, '', DAMAGED",
    "DEL, bits, '', DAMAGED",
    "SETRANGE, bits, 16 x, DAMAGED",
    "SET, bits, short, DAMAGED",
    "SET, state, text, WRONG_TYPE"
  })
  void whatIsNotTheSameIsNotTakenForIt(
      String command, String key, String arguments, String status) {
    for (var segment : List.of(1, 0)) {
      var adding = knowing(filter, segment).adding(1, 2, 3);
      harm(command, key(segment, key.equals("state") ? 0 : 1), arguments);
      assertEquals(List.of(status), statuses(adding));
      assertEquals(List.of(status), statuses(adding), "it was journaled");
    }
  }

  @Test
  void aQuestionOfAnotherGenerationIsStale() {
    var old = new Generation("0123456789abcdef", 1);
    assertEquals(List.of("STALE"), statuses(knowing(filter, 0).of(old)));
    assertEquals(List.of("STALE"), statuses(knowing(filter, 1).of(old)));
  }

  /** The later segment is the same, and its filter is not. */
  @ParameterizedTest
  @CsvSource({
    "HSET, 0, generation another, STALE",
    "HDEL, 0, generation, DAMAGED",
    "DEL, 0, '', DAMAGED",
    "DEL, 1, '', DAMAGED",
    "SET, 0, text, WRONG_TYPE"
  })
  void theFirstSegmentIsLookedAtToo(String command, int key, String arguments, String status) {
    var later = knowing(filter, 1).adding(1, 2, 3);
    harm(command, key(0, key), arguments);
    assertEquals(List.of(status, status), statuses(later, knowing(filter, 2)));
    assertEquals(BYTES, length(1));
  }

  @Test
  void whatMovesIsNotTheSame() {
    var all = questions();
    redis.command("HSET", key(0, 0), "moving", "a move");
    for (var one : all) {
      assertEquals("MOVING", call(one.adding(1, 2, 3)).status());
      assertEquals(BYTES, length(one.segment()));
    }
  }

  private static void harm(String command, String key, String arguments) {
    var words = Stream.concat(Stream.of(key), Arrays.stream(arguments.split(" ")));
    redis.command(command, words.filter(word -> !word.isEmpty()).toArray(String[]::new));
  }

  private Question[] questions() {
    return IntStream.range(0, SEGMENTS).mapToObj(i -> knowing(filter, i)).toArray(Question[]::new);
  }

  private static String last16(byte[] blocks) {
    return new String(blocks, blocks.length - BYTES, BYTES, StandardCharsets.US_ASCII);
  }

  private String field(int segment, String field) {
    return redis.command("HGET", key(segment, 0), field).toString();
  }
}
