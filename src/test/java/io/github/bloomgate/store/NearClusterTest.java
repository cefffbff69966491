package io.github.bloomgate.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.filter.Filter;
import io.github.bloomgate.redis.TestCluster;
import io.github.bloomgate.redis.TestLink;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Copies near the service, of segments on nodes that may be replaced unnoticed. */
@Tag("topology")
class NearClusterTest {

  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final long[] ADDED = {1, 2, 3};
  private static final long[] ABSENT = {4, 5, 6};

  private static TestCluster cluster;
  private static TestLink link;
  private static TestStores stores;

  private final Filter filter = ScriptBench.filter(1, 0, Optional.empty());

  @BeforeAll
  static void start() {
    cluster = TestCluster.started();
    link = new TestLink(cluster.options());
    stores = TestStores.over(link);
  }

  @AfterAll
  static void stop() {
    link.close();
    cluster.close();
  }

  @Test
  void aCopyDecidesAsLongAsTheNodeHasItsHistory() {
    assertTrue(TestLink.await(stores.filters().create(filter)));
    var node = cluster.owner(TestStores.keys(filter, 0).get(0));
    for (var key : TestStores.keys(filter, 0)) {
      node.command("COPY", key, "backup:" + key);
    }
    assertArrayEquals(new boolean[] {true}, TestLink.await(add(ADDED)).added());
    Awaitility.await().atMost(PATIENCE).until(this::isDecidedNear);
    assertArrayEquals(new boolean[] {true}, TestLink.await(add(ABSENT)).added());
    assertTrue(isDecidedNear(), "an add made here made the copy useless");

    for (var key : TestStores.keys(filter, 0)) {
      node.command("COPY", "backup:" + key, key, "REPLACE");
    }
    assertFalse(isDecidedNear());
    assertFalse(test(ADDED));
    assertArrayEquals(new boolean[] {true}, TestLink.await(add(ADDED)).added());
    assertTrue(test(ADDED));
    assertFalse(test(ABSENT));
  }

  private boolean isDecidedNear() {
    if (test(ADDED)) {
      var copies = stores.tests().copies(filter);
      if (copies.isPresent() && copies.get().contains(0, ADDED)) {
        TestLink.await(copies.get().confirm(0));
        return copies.get().decidesAll();
      }
    }
    return false;
  }

  private Uni<AddReply> add(long[] positions) {
    return stores.segments().add(filter, batch(positions));
  }

  private boolean test(long[] positions) {
    return TestLink.await(stores.tests().inRedis(filter, batch(positions)))[0];
  }

  private static SegmentBatch batch(long[] positions) {
    return new SegmentBatch(0, new int[1], positions);
  }
}
