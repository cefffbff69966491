package io.github.bloomgate.rebuild;

import static io.github.bloomgate.support.TestInstance.SEVERAL;
import static io.github.bloomgate.support.TestInstance.assertFails;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.filters.Quota;
import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.Difference;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.error.ProblemDetails;
import io.github.bloomgate.store.TestStores;
import io.github.bloomgate.support.TestInstance;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Unions of filters, whatever happens meanwhile. */
@Tag("slow")
class MergeServiceTest extends MergedFilters {

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

  static Stream<FilterParameters> kinds() {
    return Stream.of(TestInstance.shape(64, 1), SMALL, TestInstance.shape(1L << 24, 3), SEVERAL);
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
}
