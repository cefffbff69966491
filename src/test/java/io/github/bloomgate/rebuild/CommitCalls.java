package io.github.bloomgate.rebuild;

import static io.github.bloomgate.support.TestInstance.await;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static io.github.bloomgate.support.TestInstance.shape;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.bloomgate.filters.Description;
import io.github.bloomgate.filters.NewDeadline;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.redis.ScriptWork;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.store.TestStores;
import io.github.bloomgate.support.OneNodeCluster;
import io.github.bloomgate.support.TestInstance;
import io.vertx.redis.client.RedisClientType;
import io.vertx.redis.client.RedisOptions;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Rebuilds to be committed on a single Redis, and on a cluster. */
abstract class CommitCalls {

  static final FilterParameters ONE = shape(400_000, 7);

  /** In the year 2100. */
  static final NewDeadline LATE = NewDeadline.at(Instant.parse("2100-01-01T00:00:00Z"));

  static TestRedis single;
  static TestRedis cluster;
  static TestInstance onSingle;
  static TestInstance onCluster;
  static TestInstance onClusterUnawares;
  static ScriptWork work;

  final FilterName name = name();

  enum Place {
    SINGLE,
    CLUSTER,

    /** By a client that takes a cluster for a single Redis. */
    CLUSTER_UNAWARES;

    TestInstance instance() {
      return switch (this) {
        case SINGLE -> onSingle;
        case CLUSTER -> onCluster;
        case CLUSTER_UNAWARES -> onClusterUnawares;
      };
    }
  }

  @BeforeAll
  static void start() {
    single = TestRedis.started();
    cluster = OneNodeCluster.started();
    onSingle = new TestInstance(single);
    var options = new RedisOptions(cluster.options()).setType(RedisClientType.CLUSTER);
    onCluster = TestInstance.ofCluster(cluster, options, Clock.systemUTC());
    onClusterUnawares = new TestInstance(cluster);
    work = new ScriptWork(single);
  }

  @AfterAll
  static void stop() {
    work.close();
    onSingle.close();
    onCluster.close();
    onClusterUnawares.close();
    single.close();
    cluster.close();
  }

  Filter loaded(TestInstance instance, FilterParameters parameters) {
    var next =
        instance.openings.awaitReady(
            instance.openings.open(name, live -> parameters, TestInstance.PATIENCE));
    await(instance.loads.load(next, elements("loaded ", 100)));
    return next;
  }

  /** What the resource does. */
  Description request(TestInstance instance, NewDeadline deadline) {
    var next = await(instance.loads.find(name, Optional.empty()));
    return instance.descriptions.describeChanged(name, instance.rebuilds.commit(next, 1, deadline));
  }

  static void assertListed(TestInstance instance, Filter filter) {
    var of = filter.name();
    assertEquals(0, instance.redis("ZSCORE", TestStores.catalogueKey(), of.value()).toDouble());
    instance.assertReconciled(of);
    assertEquals(filter.sizeBytes(), counted(instance, of));
  }

  static long counted(TestInstance instance, FilterName of) {
    var entry = instance.redis("HGET", TestStores.usageKeys().get(1), of.value()).toString();
    assertEquals(2, entry.split(" ").length, entry);
    return Long.parseLong(entry.split(" ")[1]);
  }

  long score() {
    return onSingle.redis("ZSCORE", TestStores.unsettledKey(), name.value()).toDouble().longValue();
  }
}
