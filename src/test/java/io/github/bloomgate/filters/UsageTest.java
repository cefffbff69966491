package io.github.bloomgate.filters;

import static io.github.bloomgate.support.TestInstance.await;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.FilterPlan;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.store.TestStores;
import io.github.bloomgate.support.TestInstance;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** What counts for the quotas is exact: at once, over several instances, and after losses. */
class UsageTest {

  private static final Duration AN_HOUR = Duration.ofHours(1);
  private static final FilterParameters SMALL = TestInstance.shape(8 << 10, 5);
  private static final long SMALL_BYTES = 1024;
  private static final int AT_ONCE = 24;
  private static final Pattern STATE = Pattern.compile("bloom:\\{([^/}]+)}:state(:next)?");

  private TestRedis redis;
  private TestInstance service;
  private TestInstance other;

  @BeforeEach
  void start() {
    redis = TestRedis.started();
    service = new TestInstance(redis);
    other = new TestInstance(redis);
  }

  @AfterEach
  void stop() {
    other.close();
    service.close();
    redis.close();
  }

  @Test
  void manyWhoCreateAtOnceGetNoMoreFiltersThanAllowed() {
    assertEquals(2, createdAtOnce(key("n", 2, 0)));
  }

  @Test
  void manyWhoCreateAtOnceGetNoMoreBytesThanAllowed() {
    assertEquals(3, createdAtOnce(key("n", 0, 4 * SMALL_BYTES - 1)));
  }

  /** By turns on two instances; the first of each learns that nothing was counted yet. */
  private int createdAtOnce(Quota quota) {
    var created = new AtomicInteger();
    var all = new ArrayList<CompletableFuture<?>>();
    for (var i = 0; i < AT_ONCE; i++) {
      var by = i % 2 == 0 ? service : other;
      all.add(
          by.begin(
              () -> {
                if (isAllowed(() -> by.creations.create(name(), SMALL, Optional.empty(), quota))) {
                  created.incrementAndGet();
                }
              }));
    }
    CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).join();
    assertUsageIsExact();
    return created.get();
  }

  private static boolean isAllowed(Runnable call) {
    try {
      call.run();
      return true;
    } catch (BloomException refusal) {
      assertEquals(ErrorCode.LIMIT_EXCEEDED, refusal.code(), refusal.getMessage());
      return false;
    }
  }

  @Test
  void manyRebuildsOpenedAtOnceGetNoMoreBytesThanAllowed() {
    var quota = key("n", 0, 10 * SMALL_BYTES);
    var names = new ArrayList<FilterName>();
    for (var i = 0; i < 8; i++) {
      names.add(service.create(name(), SMALL).name());
    }
    var opened = new AtomicInteger();
    var all = new ArrayList<CompletableFuture<?>>();
    for (var name : names) {
      all.add(
          service.begin(
              () -> {
                if (isAllowed(() -> open(name, 16, quota))) {
                  opened.incrementAndGet();
                }
              }));
    }
    CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).join();
    assertEquals(2, opened.get());
    assertUsageIsExact();
  }

  @Test
  void whatTheServiceLetsAnAdoptedBitmapGrowToCounts() {
    var name = name();
    var large =
        FilterParameters.forShape(
            HashSchemes.named("go-zero").orElseThrow(), 1L << 30, 14, WhenFull.ACCEPT);
    var quota = key("n", 0, 10 << 10);
    refused(
        () ->
            service.adoptions.adopt(
                name,
                name.value(),
                large.hashScheme(),
                Optional.of(large),
                Optional.empty(),
                quota));
    assertEquals(0, redis.command("EXISTS", name.value()).toInteger());
    assertUsageIsExact();
  }

  @Test
  void roomIsThereAsSoonAsSomethingIsDeletedAbortedOrMadeSmaller() {
    var quota = key("n", 2, 3 * SMALL_BYTES);
    var first = create(quota, SMALL);
    var second = create(quota, TestInstance.shape(16 << 10, 5));
    refused(() -> creating(quota));
    service.changes.delete(first, false);
    create(quota, SMALL);

    refused(() -> open(second, 24, quota));
    service.rebuilds.commit(open(second, 8, quota), 0, NewDeadline.KEEP);
    service.rebuilds.abort(open(second, 16, quota));
    open(second, 16, quota);
    assertUsageIsExact();
  }

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

  private static String usage(int index) {
    return TestStores.usageKeys().get(index);
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

  private void assertUsageIsExact() {
    assertUsageIsExact("");
  }

  /** All that is counted is there, all that is there is counted, and the sums are right. */
  private void assertUsageIsExact(String message) {
    var there = new TreeMap<String, Long>();
    for (var key : service.keysWith(":state")) {
      var name = STATE.matcher(key);
      if (name.matches()) {
        await(service.stores.filters().outline(new FilterName(name.group(1))))
            .generations()
            .forEach(
                filter ->
                    there.merge(filter.name().value(), filter.shape().sizeBytes(), Math::max));
      }
    }
    var counted = new TreeMap<String, Long>();
    for (var name : redis.command("HKEYS", usage(1))) {
      var entry = redis.command("HGET", usage(1), name.toString()).toString().split(" ");
      assertEquals(2, entry.length, name + " is still reserved; " + message);
      counted.put(name.toString(), Long.valueOf(entry[1]));
    }
    assertEquals(there, counted, message);
    assertEquals(there.size(), redis.command("ZCARD", usage(0)).toInteger(), message);
    for (var field : redis.command("HKEYS", usage(2))) {
      if (field.toString().startsWith("=")) {
        var prefix = field.toString().substring(1);
        var sum =
            there.entrySet().stream()
                .filter(entry -> entry.getKey().startsWith(prefix))
                .mapToLong(Map.Entry::getValue)
                .sum();
        assertEquals(sum, redis.command("HGET", usage(2), "=" + prefix).toLong(), message);
      }
    }
  }

  private static Quota key(String prefix, long maxFilters, long maxBytes) {
    return new Quota(Optional.of("key"), List.of(prefix), maxFilters, maxBytes);
  }

  private FilterName create(Quota quota, FilterParameters parameters) {
    var name = name();
    service.creations.create(name, parameters, Optional.empty(), quota);
    return name;
  }

  private CreateOutcome creating(Quota quota) {
    return service.creations.create(name(), SMALL, Optional.empty(), quota);
  }

  private Filter open(FilterName name, int kibibits, Quota quota) {
    return service.openings.open(
        name, live -> TestInstance.shape((long) kibibits << 10, 5), AN_HOUR, quota);
  }

  private static void refused(Executable call) {
    var refusal = assertThrows(BloomException.class, call);
    assertEquals(ErrorCode.LIMIT_EXCEEDED, refusal.code(), refusal.getMessage());
  }
}
