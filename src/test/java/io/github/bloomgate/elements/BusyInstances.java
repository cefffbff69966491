package io.github.bloomgate.elements;

import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static io.github.bloomgate.support.TestInstance.shape;

import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.TestInstance;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Two instances on a Redis of their own, and one that is held while it asks a segment. */
abstract class BusyInstances {

  static final FilterParameters ONE = shape(400_000, 7);
  static final List<byte[]> WARM = elements("warm ", 1_000);

  final FilterName name = name();

  TestRedis redis;
  TestInstance one;
  TestInstance other;

  @BeforeEach
  void start() {
    redis = TestRedis.started();
    one = new TestInstance(redis);
    other = new TestInstance(redis);
  }

  @AfterEach
  void stop() {
    one.close();
    other.close();
    redis.close();
  }

  /** An instance that has journaled, and is held while it asks the segment: others wait. */
  TestInstance busy() {
    return busy(ONE);
  }

  TestInstance busy(FilterParameters kind) {
    var instance = TestInstance.stepwise(redis);
    instance.create(name, kind);
    instance.add(name, WARM);
    instance.assertMaybe(name, WARM);
    instance.add(name, elements("journaled ", 20));
    instance.steps().hold();
    instance.elements.test(name, WARM).subscribe().with(done -> {}, failure -> {});
    return instance;
  }
}
