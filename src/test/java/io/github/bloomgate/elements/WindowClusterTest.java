package io.github.bloomgate.elements;

import static io.github.bloomgate.support.TestInstance.await;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static io.github.bloomgate.support.TestWindows.sized;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.filters.Quota;
import io.github.bloomgate.model.Durability;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.redis.TestCluster;
import io.github.bloomgate.store.TestStores;
import io.github.bloomgate.support.Beside;
import io.github.bloomgate.support.TestInstance;
import io.github.bloomgate.support.TestWindows;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Filters that forget on the nodes of a cluster, each of which has a clock of its own. */
@Tag("topology")
class WindowClusterTest {

  /** Slices that begin while a test adds. */
  private static final int TURNS = 3;

  private static final Duration TOLERANCE = Duration.ofMinutes(10);

  private static TestCluster cluster;
  private static TestInstance one;
  private static TestInstance other;

  @BeforeAll
  static void start() {
    cluster = TestCluster.started();
    one = TestInstance.ofCluster(cluster.node(0), cluster.options(), Clock.systemUTC());
    other = TestInstance.ofCluster(cluster.node(0), cluster.options(), Clock.systemUTC());
  }

  @AfterAll
  static void stop() {
    one.close();
    other.close();
    cluster.close();
  }

  /** Two add the same at once, to segments on several nodes, while their slices begin. */
  @ParameterizedTest
  @EnumSource
  void everyElementIsNewOnceWhileSlicesBegin(Durability durability) {
    var name = name();
    var filter = one.create(name, sized(1_000_000, TestWindows.MINUTE));
    assertTrue(nodes(filter) > 1, "on one node only");
    var deadline = Instant.now().plus(2, ChronoUnit.HOURS).truncatedTo(ChronoUnit.MILLIS);
    var all = new ArrayList<byte[]>();
    var first = newest(filter);
    for (var round = 0; newest(filter) < first + TURNS; round++) {
      var some = elements("round " + round + " ", 500);
      var told = new AtomicReference<boolean[]>();
      var adds = Beside.run(() -> told.set(add(one, filter, some, durability)));
      var others = add(other, filter, some, durability);
      adds.join();
      for (var i = 0; i < some.size(); i++) {
        assertTrue(told.get()[i] ^ others[i], "new to one of both, in round " + round);
      }
      one.assertMaybe(name, some);
      other.assertMaybe(name, some);
      all.addAll(some);
      if (round == 0) {
        one.changes.expire(name, Optional.of(deadline));
      }
    }
    one.assertMaybe(name, all);
    other.assertMaybe(name, all);
    assertEquals(all.size(), other.describe(name).statistics().insertions());
    assertAllExpire(filter, deadline);
    var copy = name();
    one.copies.copy(name, copy, false, Optional.empty(), Quota.NONE, TestInstance.STAYS);
    other.assertMaybe(copy, all);
    assertEquals(one.describe(name).statistics(), other.describe(copy).statistics());
  }

  /** Its clock is another one, and its copy of the filter the only one that is left. */
  @Test
  void aReplicaThatTakesOverRemembersWhatWasAcknowledged() {
    var name = name();
    var filter = one.create(name, sized(10_000, TestWindows.MINUTE));
    var all = new ArrayList<byte[]>();
    var first = newest(filter);
    for (var round = 0; newest(filter) < first + 2; round++) {
      var some = elements("round " + round + " ", 100);
      add(round % 2 == 0 ? one : other, filter, some, Durability.REPLICATED);
      all.addAll(some);
    }
    var state = keys(filter).get(0);
    var lost = cluster.owner(state);
    lost.kill();
    try {
      cluster.awaitTakeover(cluster.slot(state), lost);
      for (var instance : List.of(one, other)) {
        Awaitility.await()
            .atMost(TestInstance.PATIENCE)
            .ignoreException(BloomException.class)
            .untilAsserted(() -> instance.assertMaybe(name, all));
      }
      var more = elements("more ", 500);
      assertEquals(500, await(one.elements.add(name, more)).trueCount());
      assertEquals(0, await(other.elements.add(name, more)).trueCount());
      other.assertMaybe(name, all);
      assertEquals(all.size() + 500, other.describe(name).statistics().insertions());
    } finally {
      lost.start();
      cluster.awaitWhole();
    }
  }

  private static boolean[] add(
      TestInstance instance, Filter filter, List<byte[]> some, Durability durability) {
    var answers = await(instance.elements.add(filter.name(), some, durability));
    assertEquals(durability == Durability.REPLICATED, answers.replicas().orElse(0) > 0);
    return answers.flags();
  }

  private static List<String> keys(Filter filter) {
    return IntStream.range(0, filter.segments())
        .boxed()
        .flatMap(segment -> TestStores.keys(filter, segment).subList(0, 2).stream())
        .toList();
  }

  private static long nodes(Filter filter) {
    return keys(filter).stream().map(key -> cluster.owner(key).port()).distinct().count();
  }

  /** The newest slice that anything was added in, of all segments. */
  private static long newest(Filter filter) {
    return keys(filter).stream()
        .filter(key -> key.endsWith("state"))
        .map(state -> cluster.owner(state).command("HGET", state, "newestSlice"))
        .mapToLong(newest -> newest == null ? 0 : newest.toLong())
        .max()
        .orElseThrow();
  }

  /** Law 6. */
  private static void assertAllExpire(Filter filter, Instant deadline) {
    for (var key : keys(filter)) {
      var left = cluster.owner(key).command("PTTL", key).toLong();
      var off = Duration.between(deadline, Instant.now().plusMillis(left)).abs();
      assertTrue(left > 0 && off.compareTo(TOLERANCE) < 0, key + " has " + left + " ms left");
    }
  }
}
