package io.github.bloomgate.elements;

import static io.github.bloomgate.support.TestInstance.assertFails;
import static io.github.bloomgate.support.TestInstance.await;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static io.github.bloomgate.support.TestInstance.openNext;
import static io.github.bloomgate.support.TestInstance.sized;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.bloomgate.model.Durability;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.store.SlotKeys;
import io.github.bloomgate.support.OnRedis;
import io.github.bloomgate.support.TestInstance;
import org.junit.jupiter.api.Test;

/** Adds that consist of several batches and are acknowledged at the end. */
@OnRedis
class LongAddTest {

  private static TestRedis redis;
  private static TestInstance one;

  /** The state of the filter still names the expired rebuild, until another is opened. */
  @Test
  void anExpiredRebuildLacksNothing() {
    var name = name();
    one.create(name, sized(1_000, 0.01, WhenFull.ACCEPT));
    openNext(one, name);
    redis.command("DEL", SlotKeys.next(name));
    var add = new LongAdd(one.elements, one.live, name, Durability.PRIMARY);
    assertEquals(10, await(add.apply(elements("a", 10))).trueCount());
    add.acknowledge();
    one.assertMaybe(name, elements("a", 10));
  }

  /** Under its new name, it may have been rebuilt before the elements were acknowledged. */
  @Test
  void aRenamedFilterMayLackTheElements() {
    var name = name();
    one.create(name, sized(1_000, 0.01, WhenFull.ACCEPT));
    var add = new LongAdd(one.elements, one.live, name, Durability.PRIMARY);
    assertEquals(10, await(add.apply(elements("a", 10))).trueCount());
    one.renames.rename(name, name(), false);
    assertFails(ErrorCode.FILTER_NOT_FOUND, add::acknowledge);
  }
}
