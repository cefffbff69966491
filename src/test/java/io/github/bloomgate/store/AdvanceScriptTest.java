package io.github.bloomgate.store;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.bloomgate.journal.Blocks;
import io.github.bloomgate.journal.Marks;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.Generation;
import io.github.bloomgate.redis.Script;
import io.github.bloomgate.redis.ScriptReply;
import io.github.bloomgate.redis.TestLink;
import io.github.bloomgate.redis.TestRedis;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code lua/advance.lua} answers to several questions in one call. */
class AdvanceScriptTest {

  /** Of the filters of {@link ScriptBench}. */
  private static final int K = 3;

  private static final int SEGMENTS = 3;
  private static final int MOST = 100;
  private static final byte[] NONE = {};
  private static final Marks MARKS = new Marks();

  /** More than a reply takes before it ends. */
  private static final int HALF_A_REPLY = (1 << 19) + 1;

  private static TestRedis redis;
  private static TestLink link;
  private static TestStores stores;

  private Filter filter;

  @BeforeAll
  static void start() {
    redis = TestRedis.started();
    link = new TestLink(redis.options());
    stores = TestStores.over(link);
  }

  @AfterAll
  static void stop() {
    link.close();
    redis.close();
  }

  @BeforeEach
  void create() {
    filter = created();
  }

  private static Filter created() {
    var filter = ScriptBench.filter(SEGMENTS, 0, Optional.empty());
    stores.filters().create(filter);
    for (var segment = 1; segment < SEGMENTS; segment++) {
      var birth = TestLink.await(stores.laterSegments().make(filter, segment)).orElseThrow();
      TestLink.await(stores.laterSegments().activate(filter, segment, birth));
    }
    for (var segment = 0; segment < SEGMENTS; segment++) {
      TestLink.await(stores.journals().follow(filter, segment));
    }
    return filter;
  }

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
        54, ask(question(filter, 1).at(first.position, first.mark)).get(0).bytes(1).length);
  }

  /** Each question names the generation that its positions are for. */
  @Test
  void aQuestionOfAnotherGenerationIsStaleInWhicheverOrder() {
    var fresh = question(filter, 0);
    var old = fresh.of(new Generation("0123456789abcdef", 1));
    assertEquals(List.of("OK", "STALE", "OK"), statuses(fresh, old, fresh));
    assertEquals(List.of("STALE", "OK", "STALE"), statuses(old, fresh, old));
    var later = question(filter, 1);
    assertEquals(List.of("OK", "STALE"), statuses(later, later.of(old.generation)));
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

  /** What was answered was done, and what was not answered was not. */
  @Test
  void aLongReplyEnds() {
    var questions = IntStream.range(0, SEGMENTS).mapToObj(i -> question(filter, i)).toList();
    for (var segment = 0; segment < SEGMENTS; segment++) {
      redis.command("APPEND", key(segment, 1), "x".repeat(HALF_A_REPLY));
      redis.command("HSET", key(segment, 0), "tip", Integer.toString(HALF_A_REPLY));
      redis.command("HSET", key(segment, 0), "baseMark", questions.get(segment).mark);
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

  private String key(int segment, int index) {
    return TestStores.keys(filter, segment).get(index);
  }

  private String field(int segment, String field) {
    return redis.command("HGET", key(segment, 0), field).toString();
  }

  private long length(int segment) {
    return redis.command("STRLEN", key(segment, 1)).toLong();
  }

  private Question[] questions() {
    return IntStream.range(0, SEGMENTS).mapToObj(i -> question(filter, i)).toArray(Question[]::new);
  }

  private static List<String> statuses(Question... questions) {
    return ask(questions).stream().map(ScriptReply::status).toList();
  }

  private static List<ScriptReply> ask(Question... questions) {
    var reply = call(questions);
    assertEquals("OK", reply.status());
    return IntStream.range(1, reply.size()).mapToObj(reply::reply).toList();
  }

  private static ScriptReply call(Question... questions) {
    return call("0", List.of(questions));
  }

  private static ScriptReply call(String isAwaited, List<Question> questions) {
    var keys = new ArrayList<String>();
    for (var question : questions) {
      keys.addAll(TestStores.keys(question.filter, question.segment).subList(0, 2));
      keys.addAll(TestStores.keys(question.filter, 0).subList(0, 2));
    }
    return TestLink.await(
        link.scripts()
            .run(
                Script.ADVANCE,
                keys,
                request -> {
                  request.arg(isAwaited);
                  for (var question : questions) {
                    request
                        .arg(question.generation.toString())
                        .arg(K)
                        .arg(question.position)
                        .arg(question.mark)
                        .arg(question.blocks)
                        .arg(question.most)
                        .arg(0)
                        .arg("");
                  }
                }));
  }

  /** Of who knows all of the segment. */
  private static Question question(Filter filter, int segment) {
    var state = TestStores.keys(filter, segment).get(0);
    var tip = redis.command("HGET", state, "tip");
    var mark = redis.command("HGET", state, "mark").toString();
    return new Question(
        filter, filter.generation(), segment, tip == null ? 0 : tip.toLong(), mark, NONE, MOST);
  }

  /** What one segment is asked. */
  private record Question(
      Filter filter,
      Generation generation,
      int segment,
      long position,
      String mark,
      byte[] blocks,
      int most) {

    private Question adding(int... positions) {
      var added = new Blocks(MARKS, K);
      added.add(positions, 0);
      return new Question(filter, generation, segment, position, mark, added.bytes(), most);
    }

    private Question of(Generation another) {
      return new Question(filter, another, segment, position, mark, blocks, most);
    }

    private Question at(long place, String seen) {
      return new Question(filter, generation, segment, place, seen, blocks, most);
    }

    private Question unbounded() {
      return new Question(filter, generation, segment, position, mark, blocks, Integer.MAX_VALUE);
    }
  }
}
