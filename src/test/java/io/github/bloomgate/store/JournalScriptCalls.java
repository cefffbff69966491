package io.github.bloomgate.store;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.journal.Blocks;
import io.github.bloomgate.journal.Marks;
import io.github.bloomgate.journal.SegmentCopy;
import io.github.bloomgate.model.Durability;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.redis.TestLink;
import io.github.bloomgate.redis.TestRedis;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** Journals of segments in a Redis, followed and written as an instance does. */
abstract class JournalScriptCalls {

  /** Of the filters of {@link ScriptBench}: 128 bits, 3 hash functions. */
  static final int K = 3;

  static final int BYTES = 16;

  static TestRedis redis;
  static TestLink link;
  static TestStores stores;
  static SegmentStore segments;
  static JournalStore journals;
  static Advances advances;
  static FilterStore filters;

  final Marks marks = new Marks();

  Filter filter;
  String state;
  String bits;

  @BeforeAll
  static void start() {
    redis = TestRedis.started();
    link = new TestLink(redis.options());
    stores = TestStores.over(link);
    segments = stores.segments();
    journals = stores.journals();
    advances = stores.advances();
    filters = stores.filters();
  }

  @AfterAll
  static void stop() {
    link.close();
    redis.close();
  }

  @BeforeEach
  void create() {
    filter = ScriptBench.filter(1, 0, Optional.of(ScriptBench.LATE));
    assertTrue(filters.create(filter));
    state = TestStores.keys(filter, 0).get(0);
    bits = TestStores.keys(filter, 0).get(1);
  }

  SegmentCopy follow() {
    return TestLink.await(journals.follow(filter, 0)).orElseThrow();
  }

  void add(SegmentCopy copy, int... positions) {
    var blocks = blocks(positions);
    var reply = advance(copy, blocks);
    assertDone(reply);
    copy.replay(reply.blocks());
    copy.content().add(positions, 0);
    copy.journaled(blocks.length(), blocks.mark());
  }

  /** Whether more is told of the segment than that it is the same, depends on how fast this is. */
  static void assertDone(AdvanceReply reply) {
    assertTrue(isDone(reply), reply.outcome().toString());
  }

  static boolean isDone(AdvanceReply reply) {
    return reply.outcome() == AdvanceReply.Outcome.OK
        || reply.outcome() == AdvanceReply.Outcome.SAME;
  }

  Blocks none() {
    return new Blocks(marks, K);
  }

  Blocks blocks(int... positions) {
    var blocks = new Blocks(marks, K);
    blocks.add(positions, 0);
    blocks.bytes();
    return blocks;
  }

  AdvanceReply advance(SegmentCopy copy) {
    return advance(copy, none());
  }

  AdvanceReply advance(SegmentCopy copy, Blocks blocks) {
    return TestLink.await(
        advances.advance(filter, 0, copy, blocks.bytes(), true, Durability.PRIMARY));
  }
}
