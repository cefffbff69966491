package io.github.bloomgate.filters;

import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterPlan;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.store.TestStores;
import io.github.bloomgate.support.TestInstance;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** What counts for the quotas is exact: over several instances, and after losses. */
class UsageTest extends CountedInstances {

  @Test
  void aRenamedFilterCountsUnderItsNewNameOnly() {
    var from = new FilterName("a" + name());
    var to = new FilterName("b" + name());
    service.creations.create(from, SMALL, Optional.empty(), Quota.NONE);
    service.renames.rename(from, to, false);
    assertUsageIsExact();
    var before = key("a", 1, SMALL_BYTES);
    var after = key("b", 1, 9 * SMALL_BYTES);
    service.creations.create(new FilterName("a" + name()), SMALL, Optional.empty(), before);
    refused(
        () ->
            service.creations.create(new FilterName("b" + name()), SMALL, Optional.empty(), after));
  }

  @Test
  void whatAnInstanceReservedBeforeItDiedDoesNotStay() {
    var quota = key("n", 1, 0);
    service.stores.totals().reserve(name(), SMALL_BYTES, List.of());
    refused(() -> creating(quota));
    var entries = TestStores.usageKeys().get(1);
    var name = redis.command("HKEYS", entries).get(0).toString();
    var held = redis.command("HGET", entries, name).toString();
    redis.command("HSET", entries, name, held.substring(0, held.lastIndexOf(',')) + ",1");

    Awaitility.await()
        .atMost(TestInstance.PATIENCE)
        .ignoreException(BloomException.class)
        .until(() -> creating(quota).created());
    assertUsageIsExact();
  }

  @Test
  void filtersThatExpiredMakeRoom() {
    var quota = key("n", 1, SMALL_BYTES);
    var name = name();
    service.creations.create(name, SMALL, Optional.of(Instant.now().plus(AN_HOUR)), quota);
    service.passDeadline(service.describe(name).filter());
    Awaitility.await()
        .atMost(TestInstance.PATIENCE)
        .ignoreException(BloomException.class)
        .until(() -> creating(quota).created());
  }

  @Test
  void whatIsLostOfTheCountIsCountedAgain() {
    for (var key : TestStores.usageKeys()) {
      create(Quota.NONE, SMALL);
      var there = redis.command("ZCARD", TestStores.catalogueKey()).toInteger();
      redis.command("DEL", key);
      create(key("n", there + 1, (there + 1) * SMALL_BYTES), SMALL);
      redis.command("DEL", key);
      refused(() -> creating(key("n", there + 1, 0)));
      redis.command("DEL", key);
      refused(() -> creating(key("n", 0, (there + 1) * SMALL_BYTES)));
    }
    redis.command("DEL", TestStores.usageKeys().toArray(String[]::new));
    refused(() -> creating(key("n", 1, 0)));
    assertUsageIsExact();
  }

  /** A prefix is added up in several calls, while names come and go before and behind. */
  @Test
  void aSumIsRightThoughNamesChangeWhileItIsAddedUp() {
    var seed = new Random().nextLong();
    var dice = new Random(seed);
    var names = new ArrayList<FilterName>();
    for (var i = 0; i < 30; i++) {
      names.add(service.create(name(), SMALL).name());
    }
    for (var more = true; more; ) {
      more = service.stores.addUp("n", 3);
      service.changes.delete(names.remove(dice.nextInt(names.size())), false);
      names.add(service.create(name(), SMALL).name());
    }
    assertEquals(names.size() * SMALL_BYTES, redis.command("HGET", usage(2), "=n").toLong());
    assertUsageIsExact("seed " + seed);
  }

  @Test
  void whateverIsDoneTheCountIsThatOfWhatThereIs() {
    var seed = new Random().nextLong();
    var dice = new Random(seed);
    var quota = key("n", 6, 12 * SMALL_BYTES);
    var names = List.of(name(), name(), name(), name(), name(), name(), name(), name());
    for (var i = 0; i < 150; i++) {
      var one = names.get(dice.nextInt(names.size()));
      var two = names.get(dice.nextInt(names.size()));
      var shape = TestInstance.shape((1 + dice.nextInt(3)) * (8L << 10), 5);
      var by = dice.nextBoolean() ? service : other;
      try {
        switch (dice.nextInt(7)) {
          case 0 -> by.creations.create(one, shape, Optional.empty(), quota);
          case 1 -> by.changes.delete(one, false);
          case 2 -> by.renames.rename(one, two, dice.nextBoolean());
          case 3 -> by.openings.openOrNew(one, FilterPlan.of(shape), AN_HOUR, quota);
          case 4 -> by.rebuilds.abort(by.rebuilds.find(one).next());
          case 5 -> by.rebuilds.commit(by.rebuilds.find(one).next(), 0, NewDeadline.KEEP);
          default ->
              by.copies.copy(
                  one, two, dice.nextBoolean(), Optional.empty(), quota, TestInstance.STAYS);
        }
      } catch (BloomException refused) {
        assertTrue(refused.code().status() < 500, "seed " + seed + ": " + refused);
      }
      assertUsageIsExact("seed " + seed + ", step " + i);
    }
  }
}
