package io.github.bloomgate.elements;

import static io.github.bloomgate.support.Failures.assertFails;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.elements.ElementCall.Kind;
import io.github.bloomgate.elements.ElementRequest.Outcome;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.redis.TestCluster;
import io.github.bloomgate.redis.TestLink;
import io.github.bloomgate.redis.TestRedis;
import io.smallrye.mutiny.Uni;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Filters on several nodes of a cluster. */
@Tag("topology")
class RoundsClusterTest extends RoundsFixture {

  private static TestCluster cluster;

  @BeforeAll
  static void startCluster() {
    one.close();
    other.close();
    cluster = TestCluster.started();
    one = new Instance(cluster.options(), MEMORY);
    other = new Instance(cluster.options(), MEMORY);
  }

  @Test
  void filtersOnDifferentNodesAreUsed() {
    var filters = IntStream.range(0, 12).mapToObj(i -> fixed(2, 4_096, 0, false)).toList();
    var sent =
        filters.stream().map(filter -> one.send(request(Kind.ADD, filter, "a", "b", "c"))).toList();
    TestLink.await(Uni.join().all(sent).andFailFast())
        .forEach(outcome -> assertEquals(Outcome.DONE, outcome));
    for (var filter : filters) {
      assertTrue(other.contains(filter, "a") && other.contains(filter, "c"));
    }
  }

  /** The cluster looks like a single Redis, as it does behind a proxy. */
  @Test
  void aClusterIsNoticedByItsRefusalOfSeveralFilters() {
    var node = nodeOf(fixed(2, 4_096, 0, false));
    var filters =
        Stream.generate(() -> fixed(2, 4_096, 0, false))
            .filter(filter -> nodeOf(filter) == node)
            .limit(3)
            .toList();
    try (var instance = new Instance(node.options(), MEMORY)) {
      var refused = filters.stream().map(filter -> request(Kind.ADD, filter, "a")).toList();
      TestLink.await(instance.rounds.send(refused));
      for (var request : refused) {
        assertFails(ErrorCode.STORE_UNAVAILABLE, request::result);
      }
      var repeated = filters.stream().map(filter -> request(Kind.ADD, filter, "a")).toList();
      TestLink.await(instance.rounds.send(repeated));
      repeated.forEach(request -> assertEquals(Outcome.DONE, request.result()));
    }
  }

  @Test
  void filtersOnDifferentNodesAreRefreshed() {
    var filters = IntStream.range(0, 12).mapToObj(i -> fixed(2, 4_096, 0, false)).toList();
    filters.forEach(filter -> other.add(filter, "a"));
    filters.forEach(one::awaitCopies);
    filters.forEach(filter -> other.add(filter, "b"));
    var refreshes = filters.stream().map(one::refresh).toList();
    one.rounds.refresh(refreshes);
    refreshes.forEach(refresh -> TestLink.await(refresh.outcome()));
    for (var filter : filters) {
      assertTrue(one.containsInCopies(filter, "b").orElseThrow());
    }
  }

  @Test
  void aNodeThatHangsDelaysOnlyItsOwnFilters() {
    var slow = fixed(2, 4_096, 0, false);
    var hanging = nodeOf(slow);
    var quick =
        Stream.generate(() -> fixed(2, 4_096, 0, false))
            .filter(filter -> nodeOf(filter) != hanging)
            .findFirst()
            .get();
    var toSlow = request(Kind.ADD, slow, "a");
    var toQuick = request(Kind.ADD, quick, "a");
    hanging.freeze();
    try {
      var delayed = one.send(toSlow).subscribeAsCompletionStage().toCompletableFuture();
      assertEquals(Outcome.DONE, TestLink.await(one.send(toQuick)));
      assertFalse(delayed.isDone());
    } finally {
      hanging.thaw();
    }
    cluster.awaitWhole();
  }

  private static TestRedis nodeOf(TestFilter filter) {
    return cluster.owner(filter.view().live().stored().segmentKey(0));
  }
}
