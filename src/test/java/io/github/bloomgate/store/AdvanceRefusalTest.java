package io.github.bloomgate.store;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.bloomgate.model.Generation;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Questions in one call of {@code lua/advance.lua} that are refused, each by itself. */
class AdvanceRefusalTest extends AdvanceCalls {

  /** Each question names the generation that its positions are for. */
  @Test
  void aQuestionOfAnotherGenerationIsStaleInWhicheverOrder() {
    var fresh = question(filter, 0);
    var old = fresh.of(new Generation("0123456789abcdef", 1));
    assertEquals(List.of("OK", "STALE", "OK"), statuses(fresh, old, fresh));
    assertEquals(List.of("STALE", "OK", "STALE"), statuses(old, fresh, old));
    var later = question(filter, 1);
    assertEquals(List.of("OK", "STALE"), statuses(later, later.of(old.generation())));
  }

  @Test
  void aQuestionOfAnotherKIsDamage() {
    redis.command("HSET", key(1, 0), "numHashFunctions", "4");
    assertEquals(List.of("OK", "DAMAGED", "OK"), statuses(questions()));
  }

  /** The filter is another by now, or has none: the segment itself is not gone. */
  @Test
  void whereTheFirstSegmentIsGoneOrAnotherTheOthersAreStale() {
    var all = questions();
    redis.command("HSET", key(0, 0), "generation", "another");
    assertEquals(List.of("STALE", "STALE", "STALE"), statuses(all));
    redis.command("DEL", key(0, 0), key(0, 1));
    assertEquals(List.of("GONE", "STALE", "STALE"), statuses(all));
    assertEquals(16, length(1));
  }

  @ParameterizedTest
  @CsvSource({
    "0, DEL, DAMAGED, state, firstState",
    "1, DEL, DAMAGED, bits, firstBits",
    "0, LIST, WRONG_TYPE, state, firstState",
    "1, LIST, WRONG_TYPE, bits, firstBits"
  })
  void whatIsWrongWithTheFirstSegmentIsSaidOfItsKey(
      int key, String harm, String status, String own, String first) {
    var later = question(filter, 1).adding(1, 2, 3);
    var itself = question(filter, 0);
    redis.command("DEL", key(0, key));
    if (harm.equals("LIST")) {
      redis.command("RPUSH", key(0, key), "theirs");
    }
    var replies = ask(later, itself);
    assertEquals(status + " " + first, replies.get(0).status() + " " + replies.get(0).text(1));
    assertEquals(status + " " + own, replies.get(1).status() + " " + replies.get(1).text(1));
    assertEquals(16, length(1), "was journaled");
  }

  /** What comes after the first that moves was not done, so it may be asked again. */
  @Test
  void whatMovesEndsTheCall() {
    var moving = created();
    var keys = TestStores.keys(moving, 0);
    var other = question(filter, 0).adding(1, 2, 3);
    var first = question(moving, 0).adding(1, 2, 3);
    var later = question(moving, 1).adding(1, 2, 3);
    var last = question(filter, 1).adding(1, 2, 3);
    redis.command("HSET", keys.get(0), "moving", "a move");
    for (var one : List.of(first, later)) {
      var reply = call(one, last);
      assertEquals("MOVING", reply.status());
      assertEquals("a move", reply.text(1));
      assertEquals(16, length(1));
    }
    assertEquals(List.of("OK"), statuses(other, later, last));
    assertEquals(16, length(1));
    assertEquals(43, length(0));
    assertEquals(List.of("OK"), statuses(question(filter, 0), first, last));
    assertEquals(16, length(1));
  }

  private Question[] questions() {
    return IntStream.range(0, SEGMENTS).mapToObj(i -> question(filter, i)).toArray(Question[]::new);
  }
}
