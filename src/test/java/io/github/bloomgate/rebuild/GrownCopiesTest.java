package io.github.bloomgate.rebuild;

import static io.github.bloomgate.support.Flags.count;
import static io.github.bloomgate.support.TestInstance.assertFails;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.filters.NewDeadline;
import io.github.bloomgate.filters.Quota;
import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.FilterPlan;
import io.github.bloomgate.model.Growth;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.Difference;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.error.ProblemDetails;
import io.github.bloomgate.store.TestStores;
import io.github.bloomgate.support.CutShort;
import io.github.bloomgate.support.TestInstance;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Copies and unions of filters that have grown, whatever happens meanwhile. */
class GrownCopiesTest extends CombinedFilters {

  private static final Optional<Instant> NO_DEADLINE = Optional.empty();
  private static final OptionalDouble ANY_RATE = OptionalDouble.empty();

  @Test
  void aCopyHasTheLayersAndGrowsOn() {
    var from = grown(100, 500);
    var to = name();
    copy(from, to, false);
    var original = service.describe(from);
    var copy = service.describe(to);
    assertEquals(3, copy.filter().layers().size());
    assertEquals(FilterPlan.like(original.filter()), FilterPlan.like(copy.filter()));
    assertEquals(original.statistics(), copy.statistics());
    assertEquals(original.layers(), copy.layers());
    assertSameBits(original.filter(), copy.filter());
    other.assertMaybe(to, elements("in", 500));
    assertEquals(0, count(other.add(to, elements("in", 500))));

    other.add(to, elements("more", 500));
    assertEquals(4, service.describe(to).filter().layers().size());
    assertEquals(3, service.describe(from).filter().layers().size());
    service.assertMaybe(to, elements("more", 500));
    service.assertCountsAreExact(to);
    service.assertReconciled(to);
    var filter = service.describe(to).filter();
    service.changes.delete(to, false);
    service.assertNothingLeft(filter);
    service.assertMaybe(from, elements("in", 500));
  }

  @Test
  void aCopyTakesThePlaceOfAFilterWithOtherLayers() {
    var from = grown(100, 500);
    var to = grown(50, 600);
    var replaced = service.describe(to).filter();
    service.changes.expire(to, Optional.of(moment().plusSeconds(10_000)));
    copy(from, to, true);
    assertSameBits(service.describe(from).filter(), service.describe(to).filter());
    service.assertMaybe(to, elements("in", 500));
    service.assertDeadline(to, NO_DEADLINE);
    assertEquals(List.of(), service.keysWith(replaced.generation().incarnation()));
  }

  @Test
  void anOriginalThatGrowsMeanwhileIsCopiedAsItIsThen() {
    var from = grown(100, 250);
    var to = name();
    var union =
        DisturbedUnion.before(
            service,
            attempt -> {
              if (attempt == 1) {
                other.add(from, elements("more", 500));
              }
            });
    service.copies(union).copy(from, to, false, NO_DEADLINE, Quota.NONE, TestInstance.STAYS);
    assertEquals(2, union.attempts());
    service.assertMaybe(to, elements("in", 250));
    service.assertMaybe(to, elements("more", 500));
    assertSameBits(service.describe(from).filter(), service.describe(to).filter());
  }

  /** What is added goes to both, and the next one may need layers that the original lacks. */
  @Test
  void whatIsAddedToAFilterWhileItIsReplacedStays() {
    var from = grown(100, 250);
    var to = grown(100, 20);
    var union =
        DisturbedUnion.before(service, attempt -> other.add(to, elements("meanwhile", 2_000)));
    service.copies(union).copy(from, to, true, NO_DEADLINE, Quota.NONE, TestInstance.STAYS);
    other.assertMaybe(to, elements("meanwhile", 2_000));
    other.assertMaybe(to, elements("in", 250));
    service.assertCountsAreExact(to);
    service.assertReconciled(to);
  }

  /** An instance that is killed while it makes the layers leaves nothing, or what goes on. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5})
  void whatOneInstanceLeavesIsFreedOrFinished(int steps) {
    var from = service.describe(grown(100, 500)).filter();
    var next = leftAfter(steps, from);
    assertFails(ErrorCode.FILTER_NOT_FOUND, () -> service.descriptions.describe(next.name()));
    redis.command("HSET", TestStores.nextKeys(next.name()).get(0), "abandonedAt", "1");
    later.reconciler.reconcileAbandoned();
    service.assertNothingLeft(next);

    var finished = leftAfter(steps, from);
    later.reconciler.reconcileAbandoned();
    var loaded = other.loads(other.union).load(finished, List.of(from), TestInstance.STAYS);
    other.rebuilds.commit(loaded, 0, NewDeadline.NONE);
    assertSameBits(from, service.describe(finished.name()).filter());
    service.assertMaybe(finished.name(), elements("in", 500));
  }

  private static Filter leftAfter(int steps, Filter from) {
    var next = Filter.toCome(name(), FilterPlan.like(from), moment());
    service.reconciler.intend(next.name());
    service.stores.rebuilds().openNew(next, Duration.ofMinutes(1));
    CutShort.reconcile(service.stores, next.name(), steps);
    return next;
  }

  @Test
  void aUnionThatIsCutShortIsNeverSeenAndFreed() throws Exception {
    var from = grown(100, 500);
    var target = name();
    copy(from, target, false);
    other.add(target, elements("own", 20));
    var before = service.describe(target);
    var joined = new CompletableFuture<Void>();
    var merges = service.merges(DisturbedUnion.cutShort(service, () -> joined.complete(null)));
    var unused =
        service.begin(() -> merges.merge(target, List.of(from), ANY_RATE, TestInstance.STAYS));
    joined.get(60, TimeUnit.SECONDS);
    var next = service.rebuilds.find(target).next();
    redis.command("HSET", TestStores.nextKeys(target).get(0), "abandonedAt", "1");
    later.reconciler.reconcileAbandoned();
    assertEquals(List.of(), service.keysWith(next.generation().incarnation()));
    assertEquals(before.statistics(), service.describe(target).statistics());
    other.assertMaybe(target, elements("in", 500));
    service.changes.delete(target, false);
    service.assertNothingLeft(before.filter());
  }

  @Test
  void aUnionHasWhatAllLayersHold() {
    var from = grown(100, 500);
    var target = name();
    copy(from, target, false);
    other.add(target, elements("own", 20));
    other.add(from, elements("theirs", 20));
    service.merges.merge(target, List.of(from), ANY_RATE, TestInstance.STAYS);
    var union = service.describe(target);
    assertEquals(FilterPlan.like(service.describe(from).filter()), FilterPlan.like(union.filter()));
    assertEquals(540.0, (double) union.statistics().insertions(), 2);
    other.assertMaybe(target, elements("in", 500));
    other.assertMaybe(target, elements("own", 20));
    other.assertMaybe(target, elements("theirs", 20));
    service.assertCountsAreExact(target);
    service.assertReconciled(target);
    other.add(target, elements("more", 1_000));
    service.assertMaybe(target, elements("more", 1_000));
    service.assertMaybe(target, elements("theirs", 20));
  }

  @Test
  void aTargetThatGrowsMeanwhileLosesNothing() {
    var from = grown(100, 250);
    var target = name();
    copy(from, target, false);
    var union = DisturbedUnion.before(service, attempt -> other.add(target, elements("more", 300)));
    var merges = service.merges(union);
    assertFails(
        ErrorCode.INCOMPATIBLE_FILTERS,
        () -> merges.merge(target, List.of(from), ANY_RATE, TestInstance.STAYS));
    assertEquals(1, union.attempts());
    service.assertMaybe(target, elements("in", 250));
    service.assertMaybe(target, elements("more", 300));
    service.assertReconciled(target);
    assertTrue(service.describe(target).rebuild().isEmpty());
  }

  @Test
  void otherLayersAreNotMerged() {
    var target = grown(100, 500);
    assertEquals(
        List.of("bitSize", "segments", "layers.expectedInsertions"),
        differences(target, grown(100, 250)).stream().map(Difference::field).limit(3).toList());
    // Their first layers have the same bits, but are full at another number.
    var near = differences(target, grown(99, 500));
    assertTrue(
        near.stream().anyMatch(field -> field.field().equals("layers.expectedInsertions")),
        near::toString);
    assertEquals(3, service.describe(target).filter().layers().size());
  }

  private static List<Difference> differences(FilterName target, FilterName from) {
    var refusal =
        assertThrows(
            BloomException.class,
            () -> service.merges.merge(target, List.of(from), ANY_RATE, TestInstance.STAYS));
    assertEquals(ErrorCode.INCOMPATIBLE_FILTERS, refusal.code());
    return ((ProblemDetails.Differences) refusal.facts().orElseThrow()).differences();
  }

  @Test
  void aUnionAboveTheRateIsRefused() {
    var target = grown(100, 500);
    var from = name();
    service.create(from, growing(100));
    service.add(from, elements("others", 500));
    assertFails(
        ErrorCode.RATE_EXCEEDED,
        () -> service.merges.merge(target, List.of(from), ANY_RATE, TestInstance.STAYS));
    service.assertMaybe(target, elements("in", 500));
    assertTrue(service.describe(target).rebuild().isEmpty());
  }

  private static FilterParameters growing(long n) {
    return FilterParameters.growing(
        HashSchemes.nativeScheme(), n, 0.001, new Growth(2, Growth.MAX_SIZE_BYTES));
  }

  private static FilterName grown(long n, int elements) {
    var name = name();
    service.create(name, growing(n));
    service.add(name, elements("in", elements));
    return name;
  }

  private static void copy(FilterName from, FilterName to, boolean replace) {
    service.copies.copy(from, to, replace, NO_DEADLINE, Quota.NONE, TestInstance.STAYS);
  }

  private static void assertSameBits(Filter one, Filter two) {
    assertEquals(one.segments(), two.segments());
    for (var segment = 0; segment < one.segments(); segment++) {
      assertArrayEquals(bits(one, segment), bits(two, segment), "segment " + segment);
    }
  }

  private static Instant moment() {
    return Instant.now().truncatedTo(ChronoUnit.MILLIS);
  }
}
