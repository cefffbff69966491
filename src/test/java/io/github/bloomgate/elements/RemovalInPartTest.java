package io.github.bloomgate.elements;

import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.failureOf;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.model.Counters;
import io.github.bloomgate.model.Durability;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.store.SlotKeys;
import io.github.bloomgate.support.OnRedis;
import io.github.bloomgate.support.TestInstance;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Removals that fail after half of the elements. */
@OnRedis
class RemovalInPartTest {

  private static TestRedis redis;
  @OnRedis.Special private static TestInstance steps;
  private static TestInstance other;

  @BeforeAll
  static void start() {
    steps = TestInstance.stepwise(redis);
  }

  /** A retry would remove elements twice. */
  @Test
  void aRemovalThatLosesItsFilterReportsIt() {
    var name = name();
    other.create(
        name, Counters.parameters(HashSchemes.nativeScheme(), 3_000_000, 0.01, WhenFull.ACCEPT));
    var some = elements("a", 20);
    other.add(name, some);
    steps.steps().hold();
    var removal =
        steps.begin(
            () -> steps.elements.remove(name, some, Durability.PRIMARY).await().indefinitely());
    for (var i = 0; i < 10 && sum(other.count(name, some)) == 20; i++) {
      steps.go(1);
    }
    assertTrue(sum(other.count(name, some)) > 0, "the removal takes several calls");
    redis.command("SET", SlotKeys.state(name), "of another type");
    while (!removal.isDone()) {
      steps.go(1);
    }
    assertEquals(ErrorCode.STORE_OUTCOME_UNKNOWN, failureOf(removal).orElseThrow().code());
  }

  private static int sum(byte[] counts) {
    var sum = 0;
    for (var count : counts) {
      sum += count;
    }
    return sum;
  }
}
