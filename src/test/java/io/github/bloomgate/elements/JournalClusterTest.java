package io.github.bloomgate.elements;

import static io.github.bloomgate.support.TestInstance.SEVERAL;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static io.github.bloomgate.support.TestInstance.shape;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.redis.TestCluster;
import io.github.bloomgate.store.TestStores;
import io.github.bloomgate.support.TestInstance;
import java.time.Clock;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Copies of segments on the nodes of a cluster, which may be replaced unnoticed. */
@Tag("topology")
class JournalClusterTest {

  private static final FilterParameters ONE = shape(400_000, 7);

  private static TestCluster cluster;
  private static TestInstance one;
  private static TestInstance other;

  private final FilterName name = name();

  @BeforeAll
  static void start() {
    cluster = TestCluster.started();
    one = instance();
    other = instance();
  }

  private static TestInstance instance() {
    return TestInstance.ofCluster(cluster.node(0), cluster.options(), Clock.systemUTC());
  }

  @AfterAll
  static void stop() {
    one.close();
    other.close();
    cluster.close();
  }

  static List<FilterParameters> kinds() {
    return List.of(ONE, SEVERAL);
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void whatOneAddsTheOtherKnowsWithoutReadingItAgain(FilterParameters kind) {
    one.create(name, kind);
    for (var instance : List.of(one, other)) {
      instance.add(name, elements("warm ", 1_000));
      instance.assertMaybe(name, elements("warm ", 1_000));
    }
    var again = again(other);
    var news = one.describe(name).statistics().insertions();
    for (var round = 0; round < 100; round++) {
      var some = elements("round " + round + " ", 10);
      for (var flag : (round % 2 == 0 ? one : other).add(name, some)) {
        news += flag ? 1 : 0;
      }
      one.assertMaybe(name, some);
      other.assertMaybe(name, some);
    }
    assertEquals(again, again(other));
    assertEquals(news, one.describe(name).statistics().insertions());
    assertEquals(news, other.describe(name).statistics().insertions());
  }

  @Test
  void aRestoredBackupIsNotTakenForWhatItReplaced() {
    var keys = TestStores.keys(one.create(name, ONE), 0);
    var node = cluster.owner(keys.get(0));
    one.add(name, elements("before ", 1_000));
    for (var key : keys) {
      node.command("COPY", key, "backup:" + key);
    }
    one.add(name, elements("after ", 1_000));
    one.assertMaybe(name, elements("after ", 1_000));
    for (var key : keys) {
      node.command("COPY", "backup:" + key, key, "REPLACE");
    }
    one.assertMaybe(name, elements("before ", 1_000));
    var news = 0;
    for (var flag : one.add(name, elements("after ", 1_000))) {
      news += flag ? 1 : 0;
    }
    assertTrue(news > 900, news + " of 1000 were lost, and can be added");
    other.assertMaybe(name, elements("after ", 1_000));
  }

  private static double again(TestInstance instance) {
    return instance.metrics.get("bloom.copies.reads").tag("reason", "again").counter().count();
  }
}
