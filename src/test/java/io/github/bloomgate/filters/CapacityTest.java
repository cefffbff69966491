package io.github.bloomgate.filters;

import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.FilterPlan;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.TestInstance;
import io.github.bloomgate.support.TestWindows;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Nothing is begun that Redis has no room for, or that the quotas do not allow. */
class CapacityTest {

  private static final Duration PATIENCE = TestInstance.PATIENCE;

  /** Eight segments of 2 MiB. */
  private static final FilterParameters LARGE = TestInstance.shape(8 * (1L << 24), 7);

  private static final FilterParameters SMALL = TestInstance.shape(8 << 10, 5);
  private static final long SMALL_BYTES = 1024;

  private TestRedis redis;
  private TestInstance service;

  @BeforeEach
  void start() {
    redis = TestRedis.started();
    service = new TestInstance(redis);
  }

  @AfterEach
  void stop() {
    service.close();
    redis.close();
  }

  @Test
  void aFilterLargerThanTheMemoryLeftIsRefusedBeforeItsFirstSegment() {
    // What is counted for quotas has keys from the first filter on.
    create(name(), SMALL);
    leave(10 << 20);
    var name = name();
    var keys = redis.command("DBSIZE").toLong();

    var refusal = refused(ErrorCode.STORE_FULL, () -> create(name, LARGE));

    var figures =
        Pattern.compile("needs (\\d+) bytes of the memory of Redis, which has (\\d+) bytes left")
            .matcher(refusal.getMessage());
    assertTrue(figures.find(), refusal.getMessage());
    assertTrue(Long.parseLong(figures.group(1)) >= 16 << 20, refusal.getMessage());
    // Redis gives buffers of idle connections back, and so may have a little more by then.
    assertTrue(Long.parseLong(figures.group(2)) <= 11 << 20, refusal.getMessage());
    assertEquals(keys, redis.command("DBSIZE").toLong());
    assertTrue(create(name, SMALL).created());
  }

  @Test
  void whatTheAllocatorRoundsUpCounts() {
    // The scripts take memory, too.
    service.changes.delete(create(name(), SMALL).description().filter().name(), false);
    // The allocator takes up to a quarter more than the bits have, of these more than a tenth.
    for (var bits : List.of(1L << 23, (1L << 24) - 8, 9L << 20, 3 * (1L << 24))) {
      redis.command("CONFIG", "SET", "maxmemory", "0");
      var before = redis.info("memory", "used_memory");
      var parameters = TestInstance.shape(bits, 7);
      var name = name();
      create(name, parameters);
      var taken = redis.info("memory", "used_memory") - before;
      service.changes.delete(name, false);
      var now = redis.info("memory", "used_memory");
      redis.command("CONFIG", "SET", "maxmemory", String.valueOf(now + taken * 15 / 16));
      refused(ErrorCode.STORE_FULL, () -> create(name(), parameters));
    }
  }

  @Test
  void rebuildsCopiesMergesAndReplacementsAreRefusedToo() {
    var name = name();
    var same = name();
    create(name, LARGE);
    create(same, LARGE);
    leave(10 << 20);
    var keys = redis.command("DBSIZE").toLong();

    refused(
        ErrorCode.STORE_FULL,
        () -> service.openings.open(name, live -> live, Duration.ofMinutes(1)));
    refused(
        ErrorCode.STORE_FULL,
        () ->
            service.copies.copy(
                name, name(), false, Optional.empty(), Quota.NONE, TestInstance.STAYS));
    refused(
        ErrorCode.STORE_FULL,
        () ->
            service.merges.merge(name, List.of(same), OptionalDouble.empty(), TestInstance.STAYS));
    refused(
        ErrorCode.STORE_FULL,
        () ->
            service.openings.openOrNew(
                name(), FilterPlan.of(LARGE), Duration.ofMinutes(1), Quota.NONE));

    assertEquals(keys, redis.command("DBSIZE").toLong());
  }

  @Test
  void whatIsThereIsFoundHoweverFull() {
    var name = name();
    create(name, LARGE);
    leave(1 << 20);
    assertFalse(create(name, LARGE).created());
  }

  @Test
  void thereAreNoMoreFiltersThanAllowed() {
    var limited = service.creations(service.capacity(2, 0));
    var first = name();
    create(limited, first, SMALL);
    create(limited, name(), SMALL);

    var refusal = refused(ErrorCode.LIMIT_EXCEEDED, () -> create(limited, name(), SMALL));

    assertTrue(refusal.getMessage().contains("There are 2 filters"), refusal.getMessage());
    assertFalse(create(limited, first, SMALL).created(), "what is there is found");
    service.changes.delete(first, false);
    assertTrue(create(limited, name(), SMALL).created());
  }

  @Test
  void namesOfExpiredFiltersDoNotCountForLong() {
    var limited = service.creations(service.capacity(1, 0));
    var first = name();
    create(limited, first, SMALL);
    refused(ErrorCode.LIMIT_EXCEEDED, () -> create(limited, name(), SMALL));
    redis.command("FLUSHALL");
    redis.command("ZADD", io.github.bloomgate.store.TestStores.catalogueKey(), "0", first.value());

    Awaitility.await()
        .atMost(PATIENCE)
        .ignoreException(BloomException.class)
        .until(() -> create(limited, name(), SMALL).created());
  }

  @Test
  void allFiltersTogetherTakeNoMoreBytesThanAllowed() {
    create(name(), SMALL);
    var limited = service.creations(service.capacity(0, 3 * SMALL_BYTES));
    var second = name();
    create(limited, second, SMALL);
    create(limited, name(), SMALL);

    var refusal = refused(ErrorCode.LIMIT_EXCEEDED, () -> create(limited, name(), SMALL));

    assertTrue(
        refusal
            .getMessage()
            .contains("would take 1024 bytes more; all filters take 3072 bytes, and"),
        refusal.getMessage());
    service.changes.delete(second, false);
    Awaitility.await()
        .atMost(PATIENCE)
        .ignoreException(BloomException.class)
        .until(() -> create(limited, name(), SMALL).created());
  }

  /** All rings of a window count, of the filter, a copy of it, and what takes its place. */
  @Test
  void aWindowCountsWithAllItsRings() {
    var parameters = TestWindows.sized(1_000, TestWindows.years(4, true));
    var bytes = parameters.shape().sizeBytes();
    var limited = service.capacity(0, 2 * bytes);
    var name = name();
    create(service.creations(limited), name, parameters);
    refused(
        ErrorCode.LIMIT_EXCEEDED,
        () ->
            service
                .openings(limited)
                .open(
                    name,
                    live -> TestWindows.sized(3_000, TestWindows.years(4, true)),
                    Duration.ofMinutes(1)));
    create(service.creations(limited), name(), parameters);
    refused(ErrorCode.LIMIT_EXCEEDED, () -> create(service.creations(limited), name(), SMALL));
  }

  @Test
  void aRebuildCountsForWhatItAdds() {
    var name = name();
    create(name, SMALL);
    var limited = service.openings(service.capacity(1, 2 * SMALL_BYTES));

    refused(
        ErrorCode.LIMIT_EXCEEDED,
        () -> limited.open(name, live -> TestInstance.shape(17 << 10, 5), Duration.ofMinutes(1)));
    refused(
        ErrorCode.LIMIT_EXCEEDED,
        () -> limited.openNew(name(), FilterPlan.of(SMALL), Duration.ofMinutes(1), Quota.NONE));
    limited.open(name, live -> TestInstance.shape(16 << 10, 5), Duration.ofMinutes(1));
  }

  /** Also for an instance that has not opened it; a commit asks nobody. */
  @Test
  void anOpenRebuildCounts() {
    var name = name();
    create(name, SMALL);
    service.openings.open(name, live -> TestInstance.shape(24 << 10, 5), Duration.ofMinutes(1));
    var limited = service.creations(service.capacity(0, 3 * SMALL_BYTES));

    var refusal = refused(ErrorCode.LIMIT_EXCEEDED, () -> create(limited, name(), SMALL));

    assertTrue(refusal.getMessage().contains("take 3072 bytes"), refusal.getMessage());
  }

  @Test
  void whatIsThereAlreadyCountsOnceHoweverOftenItIsCreated() {
    var limited = service.creations(service.capacity(0, 2 * SMALL_BYTES));
    var name = name();
    for (var i = 0; i < 3; i++) {
      create(limited, name, SMALL);
    }
    assertTrue(create(limited, name(), SMALL).created());
  }

  @Test
  void whatIsMadeHereCountsAtOnceForAllKeysOfItsName() {
    var prefix = name().value();
    var wide = new Quota(Optional.of("wide"), List.of(prefix), 0, 3 * SMALL_BYTES);
    var narrow = new Quota(Optional.of("narrow"), List.of(prefix + "-a"), 0, 9 * SMALL_BYTES);
    create(new FilterName(prefix + "-b"), wide);
    create(new FilterName(prefix + "-a1"), narrow);
    create(new FilterName(prefix + "-a2"), narrow);
    create(new FilterName("x" + prefix), Quota.NONE);

    var refusal =
        refused(ErrorCode.LIMIT_EXCEEDED, () -> create(new FilterName(prefix + "-c"), wide));

    assertTrue(refusal.getMessage().contains("take 3072 bytes"), refusal.getMessage());
    assertTrue(create(new FilterName(prefix + "-a3"), narrow).created());
  }

  @Test
  void aKeyWithRoomIsHeldToTheQuotaOfTheService() {
    var limited = service.creations(service.capacity(1, 0));
    create(limited, name(), SMALL);
    var ofKey = new Quota(Optional.of("wide"), List.of(""), 9, 9 * SMALL_BYTES);

    var refusal =
        refused(
            ErrorCode.LIMIT_EXCEEDED, () -> limited.create(name(), SMALL, Optional.empty(), ofKey));

    assertTrue(refusal.getMessage().contains("bloomgate.limits.max-filters is 1"));
  }

  private CreateOutcome create(FilterName name, Quota quota) {
    return service.creations.create(name, SMALL, Optional.empty(), quota);
  }

  private void leave(long bytes) {
    var used = redis.info("memory", "used_memory");
    redis.command("CONFIG", "SET", "maxmemory", String.valueOf(used + bytes));
  }

  private CreateOutcome create(FilterName name, FilterParameters parameters) {
    return create(service.creations, name, parameters);
  }

  private static CreateOutcome create(
      CreationService creations, FilterName name, FilterParameters parameters) {
    return creations.create(name, parameters, Optional.empty(), Quota.NONE);
  }

  private static BloomException refused(ErrorCode code, Executable call) {
    var refusal = assertThrows(BloomException.class, call);
    assertEquals(code, refusal.code(), refusal.getMessage());
    return refusal;
  }
}
