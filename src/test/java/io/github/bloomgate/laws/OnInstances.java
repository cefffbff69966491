package io.github.bloomgate.laws;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.OnRedis;
import io.github.bloomgate.support.TestInstance;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;

/** Two instances, and one without copies of segments, on one Redis. */
@OnRedis
abstract class OnInstances {

  static final long SEED = System.nanoTime();

  static TestRedis redis;
  static TestInstance one;
  static TestInstance other;
  @OnRedis.Special static TestInstance bare;

  @BeforeAll
  static void start() {
    System.out.println("seed " + SEED);
    bare = TestInstance.withoutCopies(redis);
  }

  static List<TestInstance> all() {
    return List.of(one, other, bare);
  }

  static int count(boolean[] flags) {
    return (int) IntStream.range(0, flags.length).filter(i -> flags[i]).count();
  }

  static void assertOneOf(Set<ErrorCode> allowed, BloomException failure) {
    assertTrue(allowed.contains(failure.code()), failure.code() + ": " + failure.getMessage());
  }
}
