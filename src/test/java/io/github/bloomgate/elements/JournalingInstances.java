package io.github.bloomgate.elements;

import static io.github.bloomgate.support.TestInstance.SEVERAL;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static io.github.bloomgate.support.TestInstance.shape;

import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.store.TestStores;
import io.github.bloomgate.support.TestInstance;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Instances that journal what they add to the same segments, one of them without copies. */
abstract class JournalingInstances {

  static final FilterParameters ONE = shape(400_000, 7);
  static final int WARM = 1_000;

  static TestRedis redis;
  static TestInstance one;
  static TestInstance other;
  static TestInstance withoutCopies;

  final FilterName name = name();

  @BeforeAll
  static void start() {
    redis = TestRedis.started();
    one = new TestInstance(redis);
    other = new TestInstance(redis);
    withoutCopies = TestInstance.withoutCopies(redis);
  }

  @AfterAll
  static void stop() {
    one.close();
    other.close();
    withoutCopies.close();
    redis.close();
  }

  static List<FilterParameters> kinds() {
    return List.of(ONE, SEVERAL, shape(30_000, 3));
  }

  static long length(Filter filter) {
    return IntStream.range(0, filter.shape().segments())
        .mapToLong(
            segment -> redis.command("STRLEN", TestStores.keys(filter, segment).get(1)).toLong())
        .sum();
  }

  /** Until an instance has a copy of each segment. */
  void warm(TestInstance instance) {
    instance.add(name, elements("warm ", WARM));
    instance.assertMaybe(name, elements("warm ", WARM));
    instance.assertMaybe(name, elements("warm ", WARM));
  }
}
