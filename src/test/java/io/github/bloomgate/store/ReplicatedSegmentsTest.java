package io.github.bloomgate.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.redis.TestLink;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.Failures;
import io.github.bloomgate.support.OnRedis;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What replicas confirm of segments. */
@OnRedis({"--repl-diskless-sync", "yes", "--repl-diskless-sync-delay", "0"})
class ReplicatedSegmentsTest extends OneFilter {

  @OnRedis.Special private static TestRedis replica;

  private Known known;

  @BeforeAll
  static void start() {
    replica = TestRedis.started("--replicaof", "127.0.0.1", String.valueOf(redis.port()));
    Awaitility.await()
        .until(() -> replica.command("INFO", "replication").toString().contains("status:up"));
  }

  @BeforeEach
  void append() {
    known = appended(live, 0, Known.NOTHING_YET);
  }

  /** The reply for each segment; empty if the version is another. */
  private Optional<List<SegmentReply>> confirm(Known... all) {
    var questions = new ArrayList<SegmentGroup.Question>();
    for (var i = 0; i < all.length; i++) {
      questions.add(ask(i, all[i]));
    }
    var group = new SegmentGroup(live, FORMAT, questions);
    // A replica on a busy machine may need longer than the timeout.
    return Awaitility.await()
        .ignoreExceptions()
        .until(() -> TestLink.await(segments.confirm(group)), Objects::nonNull)
        .groups()
        .get(0);
  }

  private void assertConfirmed(Known... all) {
    var replies = confirm(all).orElseThrow();
    assertTrue(
        replies.stream().allMatch(SegmentReply.Followed.class::isInstance), replies.toString());
  }

  private void assertReply(SegmentReply last, Known... all) {
    assertEquals(last, confirm(all).orElseThrow().get(all.length - 1));
  }

  @Test
  void blocksOfAnotherInstanceAreConfirmed() {
    var other = appended(live, 1, Known.NOTHING_YET);
    assertConfirmed(known, other);
    for (var segment = 0; segment < 2; segment++) {
      var copy = replica.command("GET", live.segmentKey(segment)).toString().length();
      assertEquals(redis.command("GET", live.segmentKey(segment)).toString().length(), copy);
    }
  }

  /** According to its documentation, WAIT covers the writes of its own connection. */
  @Test
  void replicasConfirmAWriteOfTheirCall() {
    confirm(known);
    assertEquals(1, redis.command("HEXISTS", live.stateKey(), "barrier").toInteger());
  }

  /** The element is known, so nothing is appended, but its block has not reached the replica. */
  @Test
  void aKnownElementIsNotConfirmedWhileTheReplicaLags() {
    replica.freeze();
    try {
      known = appended(live, 0, known);
      var group = group(live, ask(0, known));
      Failures.assertFails(ErrorCode.NOT_REPLICATED, segments.confirm(group));
    } finally {
      replica.thaw();
    }
    assertConfirmed(known);
  }

  @Test
  void blocksAppendedSinceDoNotMatter() {
    appended(live, 0, known);
    assertReply(SegmentReply.SAME, known);
  }

  /** After a failover, the block may be missing, so the add is tried again. */
  @Test
  void aMarkThatIsGoneIsNotConfirmed() {
    assertReply(new SegmentReply.Reread(), new Known(known.position(), mark()));
    assertReply(new SegmentReply.Reread(), known, known);
    var after = appended(live, 0, known);
    assertEquals(FoldReply.DONE, fold(after.of(live, 0, FORMAT, 0)));
    assertConfirmed(after);
    assertReply(new SegmentReply.Reread(), known);
  }

  @Test
  void anotherVersionIsReported() {
    var before = live;
    filters.grow(live, random(), "{}");
    assertEquals(Optional.empty(), confirm(known));
    redis.command("DEL", before.stateKey());
    assertEquals(Optional.empty(), confirm(known));
    redis.command("SET", before.stateKey(), "x");
    assertEquals(Optional.empty(), confirm(known));
  }

  @Test
  void aSegmentOfAnotherTypeIsReported() {
    redis.command("DEL", live.segmentKey(0));
    redis.command("RPUSH", live.segmentKey(0), "x");
    assertReply(new SegmentReply.WrongType(), known);
    assertTrue(exists(live, 0));
  }
}
