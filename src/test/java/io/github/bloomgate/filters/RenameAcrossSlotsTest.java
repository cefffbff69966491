package io.github.bloomgate.filters;

import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.OneNodeCluster;
import io.github.bloomgate.support.TestInstance;
import java.time.Clock;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** On a cluster of one node, which the service was not told to be one. */
class RenameAcrossSlotsTest extends RenameAcrossSlots {

  private static TestRedis redis;

  @BeforeAll
  static void startRedis() {
    redis = OneNodeCluster.started();
  }

  @AfterAll
  static void stopRedis() {
    redis.close();
  }

  @BeforeEach
  void start() {
    startInstances();
  }

  @AfterEach
  void stop() {
    closeInstances();
  }

  @Override
  TestInstance instance(Clock clock) {
    return new TestInstance(redis, clock);
  }

  @Override
  TestInstance stepwise() {
    return TestInstance.stepwise(redis);
  }

  @Override
  List<TestRedis> primaries() {
    return List.of(redis);
  }

  @Override
  TestRedis owner(String key) {
    return redis;
  }
}
