package io.github.bloomgate.filters;

import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.memory.MemoryBudget;
import io.github.bloomgate.memory.MemoryBudget.Use;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.TestInstance;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What is too much to be ordered is refused, and nothing is held of it. */
class OrderedListsTest {

  private static final int MOST = 3;

  private static TestRedis redis;
  private static TestInstance service;

  @BeforeAll
  static void start() {
    redis = TestRedis.started();
    service = new TestInstance(redis);
  }

  @AfterAll
  static void stop() {
    service.close();
    redis.close();
  }

  private static MemoryBudget memory(long bytes) {
    return new MemoryBudget(2 * bytes, 0, new SimpleMeterRegistry());
  }

  private static OrderedLists lists(MemoryBudget memory) {
    var stores = service.stores;
    var glances =
        new Glances(
            stores.found(),
            stores.filters(),
            stores.segments(),
            stores.rebuilds(),
            stores.catalogue());
    return new OrderedLists(stores.catalogue(), glances, memory, Clock.systemUTC(), MOST);
  }

  private static FilterPage list(OrderedLists lists, FilterName prefix) {
    return lists.list(FilterOrder.MEMORY, List.of(prefix.value()), Optional.empty(), MOST, false);
  }

  private static FilterName filters(int count) {
    var prefix = name();
    for (var i = 0; i < count; i++) {
      service.create(new FilterName(prefix.value() + i), TestInstance.shape(1000, 7));
    }
    return prefix;
  }

  @Test
  void moreThanTheLimitAreRefusedByNumber() {
    var memory = memory(1 << 20);
    var failure = assertThrows(BloomException.class, () -> list(lists(memory), filters(MOST + 1)));
    assertEquals(ErrorCode.LIMIT_EXCEEDED, failure.code());
    assertTrue(failure.getMessage().startsWith("4 filters are too many"), failure.getMessage());
    assertEquals(0, memory.taken(Use.ORDERS));
    assertEquals(MOST, list(lists(memory), filters(MOST)).entries().size());
  }

  @Test
  void theirMemoryIsOfTheBudget() {
    var enough = memory(MOST * Ranking.BYTES_EACH);
    var lists = lists(enough);
    var prefix = filters(MOST);
    list(lists, prefix);
    assertEquals(MOST * Ranking.BYTES_EACH, enough.taken(Use.ORDERS));

    var tooLittle = memory(MOST * Ranking.BYTES_EACH - 1);
    var failure = assertThrows(BloomException.class, () -> list(lists(tooLittle), prefix));
    assertEquals(ErrorCode.OVERLOADED, failure.code());
    assertEquals(0, tooLittle.taken(Use.ORDERS));
  }
}
