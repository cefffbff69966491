package io.github.bloomgate.elements;

import static io.github.bloomgate.support.TestInstance.await;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.hash.KeyOrigin;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.store.TestStores;
import io.github.bloomgate.support.TestInstance;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Instances that know the secret of keyed filters, another one, or none. */
abstract class KeyedInstances {

  static final String FIRST = "a1".repeat(32);
  static final String SECOND = "b2".repeat(32);
  static final List<byte[]> SOME = elements("some", 50);
  static final List<byte[]> OTHERS = elements("others", 50);

  static TestRedis redis;

  /** Knows the first secret. */
  static TestInstance knowing;

  /** The same service after a rotation: the second secret is for new filters. */
  static TestInstance rotated;

  static TestInstance ofOther;
  static TestInstance ofNone;

  @BeforeAll
  static void start() {
    redis = TestRedis.started();
    knowing = TestInstance.withSecrets(redis, FIRST);
    rotated = TestInstance.withSecrets(redis, SECOND, FIRST);
    ofOther = TestInstance.withSecrets(redis, SECOND);
    ofNone = TestInstance.withSecrets(redis);
  }

  @AfterAll
  static void stop() {
    for (var instance : List.of(knowing, rotated, ofOther, ofNone)) {
      instance.close();
    }
    redis.close();
  }

  static FilterParameters keyed() {
    return FilterParameters.forElements(
        HashSchemes.named("bloomgate-1-keyed").orElseThrow(), 1000, 1e-9, WhenFull.ACCEPT);
  }

  static FilterParameters plain() {
    return TestInstance.sized(1000, 1e-9, WhenFull.ACCEPT);
  }

  static Filter filled() {
    var filter = knowing.create(name(), keyed());
    knowing.add(filter.name(), SOME);
    return filter;
  }

  static KeyOrigin origin(FilterName name) {
    return ofNone.describe(name).filter().parameters().hashScheme().keyOrigin().orElseThrow();
  }

  static void assertHolds(TestInstance instance, FilterName name) {
    instance.assertMaybe(name, SOME);
    assertEquals(0, await(instance.elements.test(name, OTHERS)).trueCount());
  }

  static String bits(FilterName name) {
    return redis.command("GET", TestStores.keys(name).get(1)).toString();
  }
}
