package io.github.bloomgate.rebuild;

import static io.github.bloomgate.support.TestInstance.SEVERAL;
import static io.github.bloomgate.support.TestInstance.assertFails;
import static io.github.bloomgate.support.TestInstance.await;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.filters.Description;
import io.github.bloomgate.filters.NewDeadline;
import io.github.bloomgate.filters.Quota;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.FilterPlan;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.store.TestStores;
import io.github.bloomgate.support.Beside;
import io.github.bloomgate.support.TestInstance;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Copies of filters, whatever happens meanwhile. */
@Tag("slow")
class CopyServiceTest {

  private static final FilterParameters SMALL = TestInstance.shape(100_000, 5);
  private static final Optional<Instant> NO_DEADLINE = Optional.empty();

  private static TestRedis redis;
  private static TestInstance service;
  private static TestInstance other;
  private static TestInstance later;

  @BeforeAll
  static void start() {
    redis = TestRedis.started();
    service = new TestInstance(redis);
    other = new TestInstance(redis);
    later = new TestInstance(redis, Clock.offset(Clock.systemUTC(), Duration.ofHours(1)));
  }

  @AfterAll
  static void stop() {
    later.close();
    other.close();
    service.close();
    redis.close();
  }

  static Stream<FilterParameters> shapes() {
    return Stream.of(SMALL, SEVERAL);
  }

  static Stream<FilterParameters> kinds() {
    return Stream.of(
        TestInstance.shape(64, 1),
        SMALL,
        TestInstance.sized(3_000, 0.001, WhenFull.REJECT),
        TestInstance.shape(1L << 24, 3),
        SEVERAL);
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void aCopyIsTheSameFilterUnderAnotherName(FilterParameters parameters) {
    var from = filter(parameters, "in ", 2_000);
    var to = name();
    var copy = copy(from, to);

    var original = service.describe(from);
    assertEquals(parameters, copy.filter().parameters());
    assertEquals(original.statistics(), copy.statistics());
    assertEquals(1, copy.filter().generation().number());
    assertNotEquals(
        original.filter().generation().incarnation(), copy.filter().generation().incarnation());
    assertSameBits(original.filter(), copy.filter());
    other.assertMaybe(to, elements("in ", 2_000));
    other.assertCountsAreExact(to);
    assertEquals(List.of(), service.keysWith("{" + to + "}:*:next"));
    assertNotNull(service.redis("ZSCORE", TestStores.catalogueKey(), to.value()));
    service.assertReconciled(to);
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void aCopyAndItsOriginalGoTheirOwnWays(FilterParameters parameters) {
    var from = filter(parameters, "in ", 50);
    var to = name();
    var copy = copy(from, to);
    other.add(to, elements("copy ", 50));
    service.add(from, elements("original ", 50));
    assertEquals(0, await(service.elements.test(from, elements("copy ", 50))).trueCount());
    assertEquals(0, await(service.elements.test(to, elements("original ", 50))).trueCount());

    var original = service.describe(from).filter();
    other.changes.delete(from, false);
    service.assertNothingLeft(original);
    service.assertMaybe(to, elements("in ", 50));
    service.assertMaybe(to, elements("copy ", 50));
    service.changes.delete(to, false);
    service.assertNothingLeft(copy.filter());
  }

  @Test
  void aCopyRejectsBeyondItsLimitAsTheOriginalDoes() {
    var from = filter(TestInstance.sized(100, 0.01, WhenFull.REJECT), "in ", 90);
    var to = name();
    copy(from, to);
    assertFails(ErrorCode.FILTER_FULL, service.elements.add(to, elements("more ", 40)));
    assertEquals(100, service.describe(to).statistics().insertions());
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void aCopyHasTheDeadlineOfTheOriginalUnlessItIsGivenOne(FilterParameters parameters) {
    var soon = Optional.of(hours(2));
    var late = Optional.of(hours(5));
    var from = name();
    service.create(from, parameters, soon);
    var inherited = name();
    copy(from, inherited);
    service.assertDeadline(inherited, soon);

    var given = name();
    service.copies.copy(from, given, false, late, Quota.NONE, TestInstance.STAYS);
    service.assertDeadline(given, late);

    var replaced = name();
    service.create(replaced, SMALL, late);
    service.copies.copy(from, replaced, true, NO_DEADLINE, Quota.NONE, TestInstance.STAYS);
    service.assertDeadline(replaced, soon);

    var lasting = filter(parameters, "in ", 5);
    service.copies.copy(lasting, replaced, true, NO_DEADLINE, Quota.NONE, TestInstance.STAYS);
    service.assertDeadline(replaced, NO_DEADLINE);
    service.assertDeadline(from, soon);
  }

  @Test
  void aDeadlineThatIsMovedMeanwhileIsTheCopysToo() {
    var from = filter(SEVERAL, "in ", 5);
    var to = name();
    var moved = Optional.of(hours(3));
    var copies = copiesAfter(attempt -> other.changes.expire(from, moved));
    copies.copy(from, to, false, NO_DEADLINE, Quota.NONE, TestInstance.STAYS);
    service.assertDeadline(to, moved);
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void aNameThatIsTakenIsReplacedOnlyOnDemand(FilterParameters parameters) {
    var from = filter(parameters, "in ", 50);
    for (var replaced : List.of(TestInstance.shape(500, 2), SEVERAL)) {
      var to = filter(replaced, "old ", 20);
      assertFails(
          ErrorCode.FILTER_EXISTS,
          () -> service.copies.copy(from, to, false, NO_DEADLINE, Quota.NONE, TestInstance.STAYS));
      other.assertMaybe(to, elements("old ", 20));

      var before = service.describe(to).filter();
      service.copies.copy(from, to, true, NO_DEADLINE, Quota.NONE, TestInstance.STAYS);
      var copy = service.describe(to);
      assertEquals(parameters, copy.filter().parameters());
      assertEquals(2, copy.filter().generation().number());
      assertSameBits(service.describe(from).filter(), copy.filter());
      assertEquals(0, await(other.elements.test(to, elements("old ", 20))).trueCount());
      other.assertMaybe(to, elements("in ", 50));
      assertEquals(List.of(), service.keysWith(before.generation().incarnation()));
    }
  }

  @Test
  void replacingNothingIsCopying() {
    var from = filter(SMALL, "in ", 50);
    var to = name();
    service.copies.copy(from, to, true, NO_DEADLINE, Quota.NONE, TestInstance.STAYS);
    service.assertMaybe(to, elements("in ", 50));
  }

  @Test
  void aDamagedFilterIsReplacedAndNeverCopied() {
    var from = filter(SMALL, "in ", 50);
    var to = filter(SMALL, "old ", 20);
    redis.command("DEL", TestStores.keys(to).get(1));
    assertFails(
        ErrorCode.FILTER_DAMAGED,
        () -> service.copies.copy(to, name(), false, NO_DEADLINE, Quota.NONE, TestInstance.STAYS));
    service.copies.copy(from, to, true, NO_DEADLINE, Quota.NONE, TestInstance.STAYS);
    service.assertMaybe(to, elements("in ", 50));

    redis.command("DEL", TestStores.keys(to).get(0));
    assertFails(
        ErrorCode.FILTER_DAMAGED,
        () -> service.copies.copy(from, to, true, NO_DEADLINE, Quota.NONE, TestInstance.STAYS));
  }

  @Test
  void whatCannotBeCopiedIsTold() {
    var from = filter(SMALL, "in ", 5);
    assertFails(
        ErrorCode.INVALID_REQUEST,
        () -> service.copies.copy(from, from, true, NO_DEADLINE, Quota.NONE, TestInstance.STAYS));
    var missing = name();
    var to = name();
    assertFails(
        ErrorCode.FILTER_NOT_FOUND,
        () -> service.copies.copy(missing, to, false, NO_DEADLINE, Quota.NONE, TestInstance.STAYS));
    assertEquals(List.of(), service.keysWith(to.value()));

    service.openings.open(from, same -> same, Duration.ofHours(1));
    var source = filter(SMALL, "in ", 5);
    assertFails(
        ErrorCode.REBUILD_IN_PROGRESS,
        () -> service.copies.copy(source, from, true, NO_DEADLINE, Quota.NONE, TestInstance.STAYS));
    assertTrue(service.describe(from).rebuild().isPresent());
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void anOriginalThatIsBeingRebuiltIsCopiedAsItIsLive(FilterParameters parameters) {
    var from = filter(parameters, "in ", 50);
    service.openings.open(from, same -> same, Duration.ofHours(1));
    var to = name();
    copy(from, to);
    service.assertMaybe(to, elements("in ", 50));
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void anOriginalThatIsReplacedMeanwhileIsCopiedAnew(FilterParameters parameters) {
    for (var when : When.values()) {
      var from = filter(parameters, "old ", 50);
      var to = name();
      var union =
          when.disturb(
              attempt -> {
                if (attempt == 1) {
                  other.changes.delete(from, false);
                  other.create(from, TestInstance.shape(5_000, 3));
                  other.add(from, elements("new ", 20));
                } else if (attempt == 2) {
                  other.changes.clear(from);
                  other.add(from, elements("last ", 20));
                }
              });
      service.copies(union).copy(from, to, false, NO_DEADLINE, Quota.NONE, TestInstance.STAYS);
      assertEquals(3, union.attempts());
      service.assertMaybe(to, elements("last ", 20));
      assertSameBits(service.describe(from).filter(), service.describe(to).filter());
      service.assertCountsAreExact(to);
    }
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void anOriginalThatVanishesLeavesNoCopy(FilterParameters parameters) {
    for (var when : When.values()) {
      var from = filter(parameters, "old ", 50);
      var to = name();
      var union = when.disturb(attempt -> other.changes.delete(from, false));
      assertFails(
          ErrorCode.FILTER_NOT_FOUND,
          () ->
              service
                  .copies(union)
                  .copy(from, to, false, NO_DEADLINE, Quota.NONE, TestInstance.STAYS));
      assertNothingUnder(to);
    }
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void anOriginalThatNeverRestsIsTold(FilterParameters parameters) {
    var from = filter(parameters, "old ", 50);
    var to = name();
    var copies = copiesAfter(attempt -> other.changes.clear(from));
    assertFails(
        ErrorCode.FILTER_CHANGED,
        () -> copies.copy(from, to, false, NO_DEADLINE, Quota.NONE, TestInstance.STAYS));
    assertNothingUnder(to);
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void aFilterThatOthersCreateMeanwhileIsNotTouched(FilterParameters parameters) {
    for (var when : When.values()) {
      var from = filter(parameters, "in ", 50);
      var to = name();
      var union =
          when.disturb(
              attempt -> {
                other.create(to, parameters);
                other.add(to, elements("theirs ", 20));
              });
      assertFails(
          ErrorCode.FILTER_EXISTS,
          () ->
              service
                  .copies(union)
                  .copy(from, to, false, NO_DEADLINE, Quota.NONE, TestInstance.STAYS));
      service.assertMaybe(to, elements("theirs ", 20));
      assertEquals(20, service.describe(to).statistics().insertions());
      service.assertCountsAreExact(to);
      service.changes.delete(to, false);
      assertNothingUnder(to);
    }
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void aFilterThatIsCreatedOrDeletedMeanwhileIsReplacedAllTheSame(FilterParameters parameters) {
    for (var when : When.values()) {
      var from = filter(parameters, "in ", 50);
      var to = name();
      var union =
          when.disturb(
              attempt -> {
                if (attempt == 1) {
                  other.create(to, SEVERAL);
                } else if (attempt == 2) {
                  other.changes.delete(to, false);
                }
              });
      service.copies(union).copy(from, to, true, NO_DEADLINE, Quota.NONE, TestInstance.STAYS);
      assertEquals(3, union.attempts());
      service.assertMaybe(to, elements("in ", 50));
      service.assertCountsAreExact(to);
    }
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void aCopyThatIsCutShortIsNeverSeenAndFreed(FilterParameters parameters) throws Exception {
    var from = filter(parameters, "in ", 50);
    var fresh = name();
    abandonCopy(from, fresh, false);
    assertFails(ErrorCode.FILTER_NOT_FOUND, () -> service.descriptions.describe(fresh));
    redis.command("HSET", TestStores.nextKeys(fresh).get(0), "abandonedAt", "1");
    later.reconciler.reconcileAbandoned();
    assertNothingUnder(fresh);

    var replaced = filter(parameters, "old ", 20);
    var filter = service.describe(replaced).filter();
    abandonCopy(from, replaced, true);
    other.assertMaybe(replaced, elements("old ", 20));
    other.add(replaced, elements("more ", 20));
    redis.command("HSET", TestStores.nextKeys(replaced).get(0), "abandonedAt", "1");
    later.reconciler.reconcileAbandoned();
    var after = service.describe(replaced);
    assertTrue(after.rebuild().isEmpty());
    assertEquals(filter.generation(), after.filter().generation());
    assertEquals(40, after.statistics().insertions());
    service.assertMaybe(replaced, elements("more ", 20));
    service.changes.delete(replaced, false);
    assertNothingUnder(replaced);
  }

  private static void abandonCopy(FilterName from, FilterName to, boolean replace)
      throws Exception {
    var joined = new CompletableFuture<Void>();
    var union = DisturbedUnion.cutShort(service, () -> joined.complete(null));
    var copies = service.copies(union);
    var unused =
        service.begin(
            () -> copies.copy(from, to, replace, NO_DEADLINE, Quota.NONE, TestInstance.STAYS));
    joined.get(60, TimeUnit.SECONDS);
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void aClientThatGoesAwayLeavesNothing(FilterParameters parameters) throws Exception {
    var from = filter(parameters, "in ", 50);
    var to = name();
    var isGone = new AtomicBoolean();
    var copies =
        copiesAfter(
            attempt -> {
              assertTrue(!service.keysWith(to.value()).isEmpty());
              isGone.set(true);
            });
    assertFails(
        ErrorCode.INVALID_REQUEST,
        () -> copies.copy(from, to, false, NO_DEADLINE, Quota.NONE, isGone::get));
    assertEquals(List.of(), service.keysWith(to.value()));
    service.assertReconciled(to);
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void aRedisThatIsFullTakesNoPartOfACopy(FilterParameters parameters) {
    try (var small = TestRedis.started();
        var instance = new TestInstance(small)) {
      var from = name();
      instance.create(from, parameters);
      instance.add(from, elements("in ", 50));
      var to = name();
      for (var isFullFromTheStart : List.of(true, false)) {
        var union =
            DisturbedUnion.before(
                instance, attempt -> small.command("CONFIG", "SET", "maxmemory", "1"));
        if (isFullFromTheStart) {
          small.command("CONFIG", "SET", "maxmemory", "1");
        }
        assertFails(
            ErrorCode.STORE_FULL,
            () ->
                instance
                    .copies(union)
                    .copy(from, to, false, NO_DEADLINE, Quota.NONE, TestInstance.STAYS));
        small.command("CONFIG", "SET", "maxmemory", "0");
        assertEquals(List.of(), instance.keysWith(to.value()));
      }
      instance.copies.copy(from, to, false, NO_DEADLINE, Quota.NONE, TestInstance.STAYS);
      instance.assertMaybe(to, elements("in ", 50));
    }
  }

  /** A rebuild of many segments may be answered before they are made. */
  @Test
  void aCopyWaitsUntilItsSegmentsAreMade() throws Exception {
    var source = service.describe(filter(SEVERAL, "in ", 50)).filter();
    var to = name();
    var next = Filter.toCome(to, FilterPlan.of(SEVERAL), Instant.now());
    var note = service.reconciler.intend(to);
    service.stores.rebuilds().openNew(next, Duration.ofMinutes(1));
    var joined = new AtomicBoolean();
    var union = DisturbedUnion.before(service, attempt -> joined.set(true));
    var loads = service.loads(union);
    var loading =
        service.begin(
            () ->
                service.rebuilds.commit(
                    loads.load(next, List.of(source), TestInstance.STAYS), 0, NewDeadline.NONE));
    var nextState = TestStores.nextKeys(to).get(0);
    var opened = redis.command("HGET", nextState, "abandonedAt").toString();
    Awaitility.await()
        .atMost(TestInstance.PATIENCE)
        .until(() -> !redis.command("HGET", nextState, "abandonedAt").toString().equals(opened));
    assertTrue(!joined.get());
    service.reconciler.reconcile(note);
    loading.get(60, TimeUnit.SECONDS);
    service.assertMaybe(to, elements("in ", 50));
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void whatWasAddedBeforeIsInTheCopyWhileOthersAdd(FilterParameters parameters) throws Exception {
    var from = name();
    service.create(from, parameters);
    var to = name();
    var acknowledged = new AtomicInteger();
    var done = new AtomicBoolean();
    var adding = adding(from, acknowledged, done);
    try {
      for (var round = 0; round < 15; round++) {
        var before = acknowledged.get();
        service.copies.copy(from, to, true, NO_DEADLINE, Quota.NONE, TestInstance.STAYS);
        for (var batch = Math.max(0, before - 100); batch < before; batch++) {
          service.assertMaybe(to, elements("batch " + batch + ".", 20));
        }
        service.assertCountsAreExact(to);
        awaitMore(acknowledged, 1);
      }
    } finally {
      done.set(true);
    }
    adding.get(60, TimeUnit.SECONDS);
    assertTrue(acknowledged.get() > 10, "batches: " + acknowledged);
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void whatIsAddedToAFilterWhileItIsReplacedStays(FilterParameters parameters) throws Exception {
    var from = filter(parameters, "in ", 50);
    var to = name();
    service.create(to, TestInstance.shape(700_000, 4));
    var acknowledged = new AtomicInteger();
    var done = new AtomicBoolean();
    var opened = new AtomicInteger();
    var union =
        DisturbedUnion.before(
            service,
            attempt -> {
              // The batch under way may have been written before the rebuild was open.
              opened.set(acknowledged.get() + 1);
              awaitMore(acknowledged, 3);
            });
    var copies = service.copies(union);
    var adding = adding(to, acknowledged, done);
    try {
      for (var round = 0; round < 10; round++) {
        awaitMore(acknowledged, 1);
        copies.copy(from, to, true, NO_DEADLINE, Quota.NONE, TestInstance.STAYS);
        var after = acknowledged.get();
        for (var batch = opened.get(); batch < after; batch++) {
          service.assertMaybe(to, elements("batch " + batch + ".", 20));
        }
        service.assertMaybe(to, elements("in ", 50));
      }
    } finally {
      done.set(true);
    }
    adding.get(60, TimeUnit.SECONDS);
    service.assertCountsAreExact(to);
  }

  private static CompletableFuture<Void> adding(
      FilterName name, AtomicInteger acknowledged, AtomicBoolean done) {
    return Beside.run(
        () -> {
          while (!done.get()) {
            other.add(name, elements("batch " + acknowledged + ".", 20));
            acknowledged.incrementAndGet();
          }
        });
  }

  private static void awaitMore(AtomicInteger count, int more) {
    var enough = count.get() + more;
    Awaitility.await()
        .atMost(TestInstance.PATIENCE)
        .pollInterval(Duration.ofMillis(1))
        .until(() -> count.get() >= enough);
  }

  private enum When {
    BEFORE,
    AFTER;

    private DisturbedUnion disturb(IntConsumer disturbance) {
      return this == BEFORE
          ? DisturbedUnion.before(service, disturbance)
          : DisturbedUnion.after(service, disturbance);
    }
  }

  private static CopyService copiesAfter(IntConsumer disturbance) {
    return service.copies(DisturbedUnion.after(service, disturbance));
  }

  /** Whoever deletes a copy the moment it is there does not see it come back. */
  @Test
  void aCopyThatIsDeletedAtOnceIsNotMadeAgain() {
    var from = filter(TestInstance.shape(10_000, 5), "in ", 50);
    var deletions = 0;
    try (var slow = TestInstance.stepwise(redis)) {
      var isDone = false;
      for (var calls = 0; !isDone; calls++) {
        var to = name();
        slow.steps().hold();
        var copying =
            slow.begin(
                () -> {
                  slow.copies.copy(from, to, false, NO_DEADLINE, Quota.NONE, TestInstance.STAYS);
                  slow.descriptions.describeChanged(to);
                });
        slow.go(calls);
        isDone = copying.isDone();
        var isDeleted = !isDone && await(service.stores.filters().exists(to));
        if (isDeleted) {
          service.changes.delete(to, false);
          deletions++;
        }
        slow.steps().release();
        var failure = TestInstance.failureOf(copying);
        assertEquals(!isDeleted, await(service.stores.filters().exists(to)), "after " + calls);
        failure.ifPresent(thrown -> assertEquals(ErrorCode.FILTER_CHANGED, thrown.code()));
      }
    }
    assertTrue(deletions > 0, "the copy was deleted " + deletions + " times");
  }

  private static FilterName filter(FilterParameters parameters, String prefix, int count) {
    var name = name();
    service.create(name, parameters);
    service.add(name, elements(prefix, count));
    return name;
  }

  private static Description copy(FilterName from, FilterName to) {
    service.copies.copy(from, to, false, NO_DEADLINE, Quota.NONE, TestInstance.STAYS);
    return service.describe(to);
  }

  private static Instant hours(int hours) {
    return Instant.ofEpochMilli(System.currentTimeMillis()).plusSeconds(3600L * hours);
  }

  private static void assertSameBits(Filter one, Filter other) {
    for (var segment = 0; segment < one.shape().segments(); segment++) {
      assertArrayEquals(bits(one, segment), bits(other, segment), "segment " + segment);
    }
  }

  private static byte[] bits(Filter filter, int segment) {
    service.fold(filter);
    return redis.command("GET", TestStores.keys(filter, segment).get(1)).toBytes();
  }

  private static void assertNothingUnder(FilterName name) {
    assertEquals(List.of(), service.keysWith(name.value()));
    service.assertReconciled(name);
  }
}
