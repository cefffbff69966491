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

/** Calls of {@code lua/advance.lua}, and a filter of several segments for them. */
abstract class AdvanceCalls {

  /** Of the filters of {@link ScriptBench}. */
  static final int K = 3;

  static final int SEGMENTS = 3;
  static final int MOST = 100;

  /** Of the bitmap of a segment. */
  static final int BYTES = 16;

  static final byte[] NONE = {};
  static final Marks MARKS = new Marks();

  static TestRedis redis;
  static TestLink link;
  static TestStores stores;

  Filter filter;

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

  static Filter created() {
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

  String key(int segment, int index) {
    return TestStores.keys(filter, segment).get(index);
  }

  long length(int segment) {
    return redis.command("STRLEN", key(segment, 1)).toLong();
  }

  static List<String> statuses(Question... questions) {
    return ask(questions).stream().map(ScriptReply::status).toList();
  }

  static List<ScriptReply> ask(Question... questions) {
    var reply = call(questions);
    assertEquals("OK", reply.status());
    return IntStream.range(1, reply.size()).mapToObj(reply::reply).toList();
  }

  static ScriptReply call(Question... questions) {
    return call("0", List.of(questions));
  }

  static ScriptReply call(String isAwaited, List<Question> questions) {
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
                        .arg(question.bitsSet)
                        .arg("")
                        .arg(question.stored)
                        .arg(question.journaled)
                        .arg(question.unfolded);
                  }
                }));
  }

  /** Of who knows all of the segment. */
  static Question question(Filter filter, int segment) {
    var state = TestStores.keys(filter, segment).get(0);
    var tip = redis.command("HGET", state, "tip");
    var mark = redis.command("HGET", state, "mark").toString();
    return new Question(
        filter,
        filter.generation(),
        segment,
        tip == null ? 0 : tip.toLong(),
        mark,
        NONE,
        MOST,
        "0",
        "",
        0,
        0);
  }

  /** Likewise, who also tells what the segment is like when nobody has changed it. */
  static Question knowing(Filter filter, int segment) {
    var keys = TestStores.keys(filter, segment);
    var one = question(filter, segment);
    var folded = redis.command("HGET", keys.get(0), "folded");
    return new Question(
        filter,
        one.generation,
        segment,
        one.position,
        one.mark,
        NONE,
        MOST,
        redis.command("HGET", keys.get(0), "bitsSet").toString(),
        redis.command("STRLEN", keys.get(1)).toString(),
        redis.command("STRLEN", keys.get(1)).toLong() - BYTES,
        one.position - (folded == null ? 0 : folded.toLong()));
  }

  /** What one segment is asked. */
  record Question(
      Filter filter,
      Generation generation,
      int segment,
      long position,
      String mark,
      byte[] blocks,
      int most,
      String bitsSet,
      String stored,
      long journaled,
      long unfolded) {

    Question adding(int... positions) {
      var added = new Blocks(MARKS, K);
      added.add(positions, 0);
      return with(generation, position, mark, added.bytes(), most);
    }

    Question of(Generation another) {
      return with(another, position, mark, blocks, most);
    }

    Question at(long place, String seen) {
      return with(generation, place, seen, blocks, most);
    }

    Question unbounded() {
      return with(generation, position, mark, blocks, Integer.MAX_VALUE);
    }

    private Question with(
        Generation its, long place, String seen, byte[] added, int mostJournaled) {
      return new Question(
          filter,
          its,
          segment,
          place,
          seen,
          added,
          mostJournaled,
          bitsSet,
          stored,
          journaled,
          unfolded);
    }
  }
}
