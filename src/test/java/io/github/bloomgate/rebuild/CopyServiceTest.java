package io.github.bloomgate.rebuild;

import static io.github.bloomgate.support.TestInstance.SEVERAL;
import static io.github.bloomgate.support.TestInstance.assertFails;
import static io.github.bloomgate.support.TestInstance.await;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.filters.NewDeadline;
import io.github.bloomgate.filters.Quota;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.FilterPlan;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.store.TestStores;
import io.github.bloomgate.support.TestInstance;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Copies of filters, whatever happens meanwhile. */
@Tag("slow")
class CopyServiceTest extends CopiedFilters {

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

  static Stream<FilterParameters> kinds() {
    return Stream.of(
        TestInstance.shape(64, 1),
        SMALL,
        TestInstance.sized(3_000, 0.001, WhenFull.REJECT),
        TestInstance.shape(1L << 24, 3),
        SEVERAL);
  }

  private static Instant hours(int hours) {
    return Instant.ofEpochMilli(System.currentTimeMillis()).plusSeconds(3600L * hours);
  }
}
