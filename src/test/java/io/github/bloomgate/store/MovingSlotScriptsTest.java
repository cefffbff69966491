package io.github.bloomgate.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.redis.TestCluster;
import io.github.bloomgate.redis.TestLink;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.Failures;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A filter in a slot of a cluster that is moving. A script is refused if one of its keys is on the
 * other node, so a filter of several segments is unavailable during the move, but never wrong.
 */
@Tag("topology")
class MovingSlotScriptsTest extends OneFilter {

  private static TestCluster cluster;

  private Known first;
  private Known second;
  private TestRedis from;
  private TestRedis to;

  @BeforeAll
  static void start() {
    cluster = TestCluster.started();
    link.close();
    link = new TestLink(cluster.options(), Duration.ofSeconds(2));
    useStores();
  }

  @BeforeEach
  void append() {
    first = appended(live, 0, Known.NOTHING_YET);
    second = appended(live, 1, Known.NOTHING_YET);
    from = cluster.owner(live.stateKey());
    to =
        cluster.nodes().stream()
            .filter(TestRedis::isRunning)
            .filter(this::isOther)
            .findFirst()
            .orElseThrow();
  }

  private boolean isOther(TestRedis node) {
    return node != from && node.command("INFO", "replication").toString().contains("role:master");
  }

  private int slot() {
    return cluster.slot(live.stateKey());
  }

  private SegmentGroup both() {
    return group(live, ask(0, first), ask(1, second));
  }

  private void assertIsAnswered() {
    assertEquals(
        List.of(SegmentReply.SAME, SegmentReply.SAME), groups(both()).get(0).orElseThrow());
  }

  /** A segment without a key may have been moved. */
  @Test
  void beforeAnyKeyIsMovedOnlyFirstBlocksAreRefused() {
    cluster.beginMove(slot(), from, to);
    assertIsAnswered();
    first = appended(live, 0, first);
    assertIsAnswered();
    var birth = group(live, append(7, Known.NOTHING_YET, block(3)));
    Failures.assertFails(ErrorCode.STORE_UNAVAILABLE, segments.advance(List.of(birth)));
    cluster.moveKeys(slot(), from, to, Integer.MAX_VALUE);
    cluster.endMove(slot(), from, to);
    assertIsAnswered();
    appended(live, 7, Known.NOTHING_YET);
  }

  @Test
  void aFilterWithOneMovedKeyIsUnavailable() {
    cluster.beginMove(slot(), from, to);
    cluster.moveKey(live.segmentKey(1), from, to);
    Failures.assertFails(ErrorCode.STORE_UNAVAILABLE, segments.advance(List.of(both())));
    var add = group(live, append(0, first, block(3)), append(1, second, block(3)));
    Failures.assertFails(ErrorCode.STORE_UNAVAILABLE, segments.advance(List.of(add)));
    cluster.moveKeys(slot(), from, to, Integer.MAX_VALUE);
    cluster.endMove(slot(), from, to);
    assertIsAnswered();
    assertTrue(cluster.tryAgainRefusals() > 0);
  }

  @Test
  void afterTheMoveAllOperationsWork() {
    cluster.move(slot(), from, to);
    assertIsAnswered();
    assertDone(expire(name, Optional.of(LATER)));
    var next = open(name);
    appended(next(name), 0, Known.NOTHING_YET);
    var reply = stores.commit(name, found(name).state().withWritten(Written.NONE));
    filters.drop(Optional.of(name), dropped(reply).orElseThrow(), 0);
    assertEquals(next.content(), found(name).state().content());
  }
}
