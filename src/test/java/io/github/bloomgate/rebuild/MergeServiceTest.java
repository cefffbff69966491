package io.github.bloomgate.rebuild;

import static io.github.bloomgate.support.TestInstance.SEVERAL;
import static io.github.bloomgate.support.TestInstance.assertFails;
import static io.github.bloomgate.support.TestInstance.await;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.filters.Quota;
import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.SegmentCounts;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.Difference;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.error.ProblemDetails;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.store.TestStores;
import io.github.bloomgate.support.Beside;
import io.github.bloomgate.support.TestInstance;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Unions of filters, whatever happens meanwhile. */
@Tag("slow")
class MergeServiceTest {

  private static final FilterParameters SMALL = TestInstance.shape(100_000, 5);
  private static final OptionalDouble ANY_RATE = OptionalDouble.empty();

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
    return Stream.of(TestInstance.shape(64, 1), SMALL, TestInstance.shape(1L << 24, 3), SEVERAL);
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void theUnionHasTheBitsOfAllAndNoOther(FilterParameters parameters) {
    var target = filter(parameters, "target ", 300);
    var from = List.of(filter(parameters, "a ", 200), filter(parameters, "b ", 100), name());
    service.create(from.get(2), parameters);
    var before = service.describe(target).filter();
    var filters = new ArrayList<>(List.of(before));
    from.forEach(name -> filters.add(service.describe(name).filter()));
    var expected = union(filters);
    var others = from.stream().map(name -> service.describe(name).statistics()).toList();

    service.merges.merge(target, from, ANY_RATE, TestInstance.STAYS);
    var merged = service.describe(target);
    assertEquals(before.generation().number() + 1, merged.filter().generation().number());
    assertEquals(parameters, merged.filter().parameters());
    assertEquals(before.createdAt(), merged.filter().createdAt());
    for (var segment = 0; segment < parameters.shape().segments(); segment++) {
      assertArrayEquals(expected.get(segment), bits(merged.filter(), segment));
    }
    service.assertCountsAreExact(target);
    other.assertMaybe(target, elements("target ", 300));
    other.assertMaybe(target, elements("a ", 200));
    other.assertMaybe(target, elements("b ", 100));
    for (var i = 0; i < from.size(); i++) {
      assertEquals(others.get(i), service.describe(from.get(i)).statistics());
    }
    assertTrue(merged.rebuild().isEmpty());
    service.assertReconciled(target);
    assertEquals(List.of(), service.keysWith("{" + target + "}:*:next"));
    if (parameters.shape().segments() > 1) {
      assertEquals(List.of(), service.keysWith(before.generation().incarnation()));
    }
  }

  @Test
  void insertionsLieBetweenTheMostAndTheSum() {
    var shape = new FilterShape(1, 100_000, 5);
    var bitsOf150 = (long) (100_000 * -Math.expm1(-5 * 150 / 100_000.0));
    assertEquals(100, insertions(shape, 400, 100));
    assertEquals(150.0, (double) insertions(shape, bitsOf150, 100, 100), 1);
    assertEquals(100, insertions(shape, 5, 100, 80));
    assertEquals(180, insertions(shape, 99_999, 100, 80));
    assertEquals(180, insertions(shape, 100_000, 100, 80));
    assertEquals(0, insertions(shape, 0, 0, 0));
  }

  private static long insertions(FilterShape shape, long bitsSet, long... counts) {
    var all = IntStream.range(0, counts.length).mapToObj(i -> new SegmentCounts(1, counts[i]));
    return BitmapUnion.insertions(shape, all.toList(), bitsSet);
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void mergingAgainChangesNothing(FilterParameters parameters) {
    var target = filter(parameters, "target ", 500);
    var from = List.of(filter(parameters, "a ", 400));
    service.merges.merge(target, from, ANY_RATE, TestInstance.STAYS);
    var once = service.describe(target).statistics();
    assertEquals(900, (double) once.insertions(), 30);
    service.merges.merge(target, from, ANY_RATE, TestInstance.STAYS);
    var twice = service.describe(target).statistics();
    assertEquals(once.bitsSet(), twice.bitsSet());
    assertEquals((double) once.insertions(), (double) twice.insertions(), 3);
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void theDeadlineStays(FilterParameters parameters) {
    var target = name();
    var deadline = Optional.of(Instant.ofEpochMilli(System.currentTimeMillis() + 7_200_000));
    service.create(target, parameters, deadline);
    service.merges.merge(
        target, List.of(filter(parameters, "a ", 5)), ANY_RATE, TestInstance.STAYS);
    service.assertDeadline(target, deadline);
  }

  @Test
  void onlyWhatDecidesTheBitsMustBeTheSame() {
    var target = name();
    service.create(target, SMALL);
    var from = name();
    service.create(
        from, new FilterParameters(SMALL.hashScheme(), 7, 0.3, SMALL.shape(), WhenFull.REJECT));
    service.add(from, elements("a ", 7));
    service.merges.merge(target, List.of(from), ANY_RATE, TestInstance.STAYS);
    var merged = service.describe(target);
    assertEquals(SMALL, merged.filter().parameters());
    service.assertMaybe(target, elements("a ", 7));
  }

  @Test
  void theParameterThatDiffersIsNamed() {
    var target = filter(SMALL, "target ", 5);
    var fine = filter(SMALL, "a ", 5);
    var larger = TestInstance.shape(200_000, 5);
    assertDifferent(
        target,
        fine,
        larger,
        new Difference("bitSize", SMALL.shape().bitSize(), larger.shape().bitSize()));
    assertDifferent(
        target, fine, TestInstance.shape(100_000, 6), new Difference("numHashFunctions", 5, 6));
    assertDifferent(
        target,
        fine,
        SEVERAL,
        new Difference("bitSize", SMALL.shape().bitSize(), SEVERAL.shape().bitSize()),
        new Difference("segments", 1, 3),
        new Difference("numHashFunctions", 5, 7));
    assertEquals(5, service.describe(target).statistics().insertions());
  }

  private static void assertDifferent(
      FilterName target, FilterName fine, FilterParameters parameters, Difference... expected) {
    var different = name();
    service.create(different, parameters);
    var generation = service.describe(target).filter().generation();
    var failure =
        assertThrows(
            BloomException.class,
            () ->
                service.merges.merge(
                    target, List.of(fine, different), ANY_RATE, TestInstance.STAYS));
    assertEquals(ErrorCode.INCOMPATIBLE_FILTERS, failure.code());
    assertEquals(new ProblemDetails.Differences(List.of(expected)), failure.facts().orElseThrow());
    assertTrue(failure.getMessage().contains(different.value()), failure.getMessage());
    assertEquals(generation, service.describe(target).filter().generation());
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void aUnionAboveTheHighestRateIsRefusedAndOneAtItIsNot(FilterParameters parameters) {
    var target = filter(parameters, "target ", 3_000);
    var from = List.of(filter(parameters, "a ", 2_000), filter(parameters, "b ", 2_000));
    var trial = name();
    service.copies.copy(target, trial, false, Optional.empty(), Quota.NONE, TestInstance.STAYS);
    service.merges.merge(trial, from, ANY_RATE, TestInstance.STAYS);
    var rate = service.describe(trial).statistics().estimatedFalsePositiveProbability();
    var before = service.describe(target);

    var failure =
        assertThrows(
            BloomException.class,
            () ->
                service.merges.merge(
                    target, from, OptionalDouble.of(Math.nextDown(rate)), TestInstance.STAYS));
    assertEquals(ErrorCode.RATE_EXCEEDED, failure.code());
    assertTrue(failure.getMessage().contains(Double.toString(rate)), failure.getMessage());
    assertEquals(before, service.describe(target));
    service.assertReconciled(target);
    assertEquals(List.of(), service.keysWith("{" + target + "}:*:next"));

    service.merges.merge(target, from, OptionalDouble.of(rate), TestInstance.STAYS);
    var merged = service.describe(target);
    assertEquals(rate, merged.statistics().estimatedFalsePositiveProbability());
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void aFilterThatRejectsKeepsItsPromise(FilterParameters parameters) {
    // Both lie between the rates that 200 and 3000 elements come to.
    var promised = parameters.shape().segments() == 1 ? 1e-9 : 1e-24;
    var rejecting =
        new FilterParameters(
            parameters.hashScheme(), 200, promised, parameters.shape(), WhenFull.REJECT);
    var target = filter(rejecting, "target ", 50);
    var few = filter(parameters, "few ", 50);
    var many = filter(parameters, "many ", 3_000);
    assertFails(
        ErrorCode.RATE_EXCEEDED,
        () ->
            service.merges.merge(
                target, List.of(few, many), OptionalDouble.of(1), TestInstance.STAYS));
    assertEquals(50, service.describe(target).statistics().insertions());
    service.merges.merge(target, List.of(few), ANY_RATE, TestInstance.STAYS);
    service.assertMaybe(target, elements("few ", 50));
    assertEquals(100, (double) service.describe(target).statistics().insertions(), 3);
    assertFails(ErrorCode.FILTER_FULL, service.elements.add(target, elements("more ", 2_000)));
    assertTrue(
        service.describe(target).statistics().estimatedFalsePositiveProbability() <= promised);
  }

  @Test
  void whatCannotBeMergedIsTold() {
    var target = filter(SMALL, "target ", 5);
    var fine = filter(SMALL, "a ", 5);
    var missing = name();
    assertFails(
        ErrorCode.INVALID_REQUEST,
        () -> service.merges.merge(target, List.of(target), ANY_RATE, TestInstance.STAYS));
    assertFails(
        ErrorCode.INVALID_REQUEST,
        () -> service.merges.merge(target, List.of(fine, fine), ANY_RATE, TestInstance.STAYS));
    assertFails(
        ErrorCode.FILTER_NOT_FOUND,
        () -> service.merges.merge(missing, List.of(fine), ANY_RATE, TestInstance.STAYS));
    var failure =
        assertThrows(
            BloomException.class,
            () ->
                service.merges.merge(target, List.of(fine, missing), ANY_RATE, TestInstance.STAYS));
    assertEquals(ErrorCode.FILTER_NOT_FOUND, failure.code());
    assertTrue(failure.getMessage().contains(missing.value()));

    var damaged = filter(SMALL, "b ", 5);
    redis.command("DEL", TestStores.keys(damaged).get(1));
    assertFails(
        ErrorCode.FILTER_DAMAGED,
        () -> service.merges.merge(target, List.of(fine, damaged), ANY_RATE, TestInstance.STAYS));
    var before = service.describe(target);
    var opened = service.openings.open(target, same -> same, Duration.ofHours(1));
    assertFails(
        ErrorCode.REBUILD_IN_PROGRESS,
        () -> service.merges.merge(target, List.of(fine), ANY_RATE, TestInstance.STAYS));
    assertTrue(service.rebuilds.abort(opened));
    assertEquals(before, service.describe(target));
  }

  @Test
  void aDamagedLaterSegmentIsNoticedAndChangesNothing() {
    var target = filter(SEVERAL, "target ", 50);
    var from = filter(SEVERAL, "a ", 50);
    redis.command("DEL", TestStores.keys(service.describe(from).filter(), 2).get(1));
    var before = service.describe(target);
    assertFails(
        ErrorCode.FILTER_DAMAGED,
        () -> service.merges.merge(target, List.of(from), ANY_RATE, TestInstance.STAYS));
    assertEquals(before, service.describe(target));
    service.assertReconciled(target);
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void aSourceThatIsReplacedMeanwhileIsReadAnew(FilterParameters parameters) {
    for (var when : When.values()) {
      var target = filter(parameters, "target ", 20);
      var from = filter(parameters, "old ", 50);
      var union =
          when.disturb(
              attempt -> {
                if (attempt == 1) {
                  other.changes.clear(from);
                  other.add(from, elements("new ", 20));
                }
              });
      service.merges(union).merge(target, List.of(from), ANY_RATE, TestInstance.STAYS);
      assertEquals(2, union.attempts());
      service.assertMaybe(target, elements("target ", 20));
      service.assertMaybe(target, elements("new ", 20));
      assertEquals(0, await(service.elements.test(target, elements("old ", 50))).trueCount());
      service.assertCountsAreExact(target);
    }
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void aSourceThatBecomesAnotherFilterIsRefused(FilterParameters parameters) {
    for (var when : When.values()) {
      var target = filter(parameters, "target ", 20);
      var from = filter(parameters, "old ", 50);
      var before = service.describe(target);
      var union =
          when.disturb(
              attempt -> {
                other.changes.delete(from, false);
                other.create(from, TestInstance.shape(640, 2));
              });
      assertFails(
          ErrorCode.INCOMPATIBLE_FILTERS,
          () -> service.merges(union).merge(target, List.of(from), ANY_RATE, TestInstance.STAYS));
      assertEquals(before, service.describe(target));
      service.assertReconciled(target);
    }
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void aFilterThatIsDeletedMeanwhileStaysDeleted(FilterParameters parameters) {
    for (var when : When.values()) {
      var target = filter(parameters, "target ", 20);
      var from = filter(parameters, "a ", 50);
      var union = when.disturb(attempt -> other.changes.delete(target, false));
      assertFails(
          ErrorCode.FILTER_NOT_FOUND,
          () -> service.merges(union).merge(target, List.of(from), ANY_RATE, TestInstance.STAYS));
      assertEquals(List.of(), service.keysWith(target.value()));
      service.assertReconciled(target);
    }
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void aFilterThatIsCreatedAnewMeanwhileGetsTheUnion(FilterParameters parameters) {
    for (var when : When.values()) {
      var target = filter(parameters, "target ", 20);
      var from = filter(parameters, "a ", 50);
      var union =
          when.disturb(
              attempt -> {
                if (attempt == 1) {
                  other.changes.delete(target, false);
                  other.create(target, parameters);
                  other.add(target, elements("again ", 20));
                }
              });
      service.merges(union).merge(target, List.of(from), ANY_RATE, TestInstance.STAYS);
      assertEquals(2, union.attempts());
      service.assertMaybe(target, elements("again ", 20));
      service.assertMaybe(target, elements("a ", 50));
      assertEquals(0, await(service.elements.test(target, elements("target ", 20))).trueCount());
      service.assertCountsAreExact(target);
    }
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void aFilterCannotBeClearedOrMergedMeanwhile(FilterParameters parameters) {
    var target = filter(parameters, "target ", 20);
    var from = filter(parameters, "a ", 50);
    var union =
        DisturbedUnion.after(
            service,
            attempt -> {
              assertFails(ErrorCode.REBUILD_IN_PROGRESS, () -> other.changes.clear(target));
              assertFails(
                  ErrorCode.REBUILD_IN_PROGRESS,
                  () -> other.merges.merge(target, List.of(from), ANY_RATE, TestInstance.STAYS));
            });
    service.merges(union).merge(target, List.of(from), ANY_RATE, TestInstance.STAYS);
    service.assertMaybe(target, elements("target ", 20));
    service.assertMaybe(target, elements("a ", 50));
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void aMergeThatIsCutShortChangesNothingAndIsFreed(FilterParameters parameters) throws Exception {
    var target = filter(parameters, "target ", 20);
    var from = filter(parameters, "a ", 50);
    var before = service.describe(target).filter();
    var joined = new CompletableFuture<Void>();
    var union = DisturbedUnion.cutShort(service, () -> joined.complete(null));
    var merges = service.merges(union);
    var unused =
        service.begin(() -> merges.merge(target, List.of(from), ANY_RATE, TestInstance.STAYS));
    joined.get(60, TimeUnit.SECONDS);
    assertEquals(0, await(other.elements.test(target, elements("a ", 50))).trueCount());
    other.add(target, elements("more ", 20));
    assertTrue(service.describe(target).rebuild().isPresent());

    redis.command("HSET", TestStores.nextKeys(target).get(0), "abandonedAt", "1");
    later.reconciler.reconcileAbandoned();
    var after = service.describe(target);
    assertTrue(after.rebuild().isEmpty());
    assertEquals(before.generation(), after.filter().generation());
    assertEquals(40, after.statistics().insertions());
    service.assertMaybe(target, elements("more ", 20));
    service.merges.merge(target, List.of(from), ANY_RATE, TestInstance.STAYS);
    service.assertMaybe(target, elements("a ", 50));
    service.changes.delete(target, false);
    assertEquals(List.of(), service.keysWith(target.value()));
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void aRedisThatIsFullTakesNoPartOfAUnion(FilterParameters parameters) {
    try (var small = TestRedis.started();
        var instance = new TestInstance(small)) {
      var target = name();
      var from = name();
      instance.create(target, parameters);
      instance.create(from, parameters);
      instance.add(target, elements("target ", 20));
      instance.add(from, elements("a ", 50));
      var before = instance.describe(target);
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
                instance.merges(union).merge(target, List.of(from), ANY_RATE, TestInstance.STAYS));
        small.command("CONFIG", "SET", "maxmemory", "0");
        assertEquals(before, instance.describe(target));
        assertEquals(List.of(), instance.keysWith("{" + target + "}:*:next"));
      }
      instance.merges.merge(target, List.of(from), ANY_RATE, TestInstance.STAYS);
      instance.assertMaybe(target, elements("a ", 50));
    }
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void noAddIsLostWhileFiltersAreMerged(FilterParameters parameters) throws Exception {
    var target = name();
    var from = List.of(name(), name());
    service.create(target, parameters);
    from.forEach(name -> service.create(name, parameters));
    var done = new AtomicBoolean();
    var toTarget = new AtomicInteger();
    var toSource = new AtomicInteger();
    var writers =
        List.of(adding(target, "t", toTarget, done), adding(from.get(1), "s", toSource, done));
    try {
      for (var round = 0; round < 15; round++) {
        var before = toSource.get();
        var targetBefore = toTarget.get();
        service.merges.merge(target, from, ANY_RATE, TestInstance.STAYS);
        assertRecent(target, "s", before);
        assertRecent(target, "t", targetBefore);
        awaitMore(toSource, 1);
        awaitMore(toTarget, 1);
        assertRecent(target, "t", toTarget.get());
      }
    } finally {
      done.set(true);
    }
    for (var writer : writers) {
      writer.get(60, TimeUnit.SECONDS);
    }
    for (var batch = 0; batch < toTarget.get(); batch++) {
      service.assertMaybe(target, elements("t" + batch + ".", 20));
    }
    assertTrue(toSource.get() > 5, "batches: " + toSource);
    service.assertCountsAreExact(target);
  }

  private static void assertRecent(FilterName name, String prefix, int batches) {
    for (var batch = Math.max(0, batches - 50); batch < batches; batch++) {
      service.assertMaybe(name, elements(prefix + batch + ".", 20));
    }
  }

  private static CompletableFuture<Void> adding(
      FilterName name, String prefix, AtomicInteger acknowledged, AtomicBoolean done) {
    return Beside.run(
        () -> {
          while (!done.get()) {
            other.add(name, elements(prefix + acknowledged + ".", 20));
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

  /** Not found would mean that it was not done. */
  @Test
  void aMergeWhoseFilterIsRenamedAtOnceIsNotToldAsUndone() {
    var committed = 0;
    try (var slow = TestInstance.stepwise(redis)) {
      var isDone = false;
      for (var calls = 0; !isDone; calls++) {
        var target = filter(TestInstance.shape(10_000, 5), "target ", 20);
        var from = filter(TestInstance.shape(10_000, 5), "a ", 50);
        var away = name();
        slow.steps().hold();
        var merging =
            slow.begin(
                () -> {
                  slow.merges.merge(target, List.of(from), ANY_RATE, TestInstance.STAYS);
                  slow.descriptions.describeChanged(target);
                });
        slow.go(calls);
        isDone = merging.isDone();
        service.renames.rename(target, away, false);
        var isCommitted = service.describe(away).filter().generation().number() == 2;
        slow.steps().release();
        var failure = TestInstance.failureOf(merging);
        if (isCommitted && !isDone) {
          committed++;
          failure.ifPresent(thrown -> assertEquals(ErrorCode.FILTER_CHANGED, thrown.code()));
        }
      }
    }
    assertTrue(committed > 0, committed + " merges were done");
  }

  private static FilterName filter(FilterParameters parameters, String prefix, int count) {
    var name = name();
    service.create(name, parameters);
    service.add(name, elements(prefix, count));
    return name;
  }

  private static List<byte[]> union(List<Filter> filters) {
    var segments = filters.get(0).shape().segments();
    return IntStream.range(0, segments)
        .mapToObj(
            segment -> {
              var union = bits(filters.get(0), segment);
              for (var filter : filters) {
                var bits = bits(filter, segment);
                for (var i = 0; i < union.length; i++) {
                  union[i] |= bits[i];
                }
              }
              return union;
            })
        .toList();
  }

  private static byte[] bits(Filter filter, int segment) {
    service.fold(filter);
    return redis.command("GET", TestStores.keys(filter, segment).get(1)).toBytes();
  }
}
