package io.github.bloomgate.rebuild;

import static io.github.bloomgate.support.Failures.assertFails;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.memory.Client;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.Plain;
import io.github.bloomgate.model.Quota;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.error.Difference;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.error.ProblemDetails;
import io.github.bloomgate.support.AnyKind;
import io.github.bloomgate.support.TestInstance;
import io.github.bloomgate.support.TestWindows;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Unions of filters of every kind that can be merged. */
@Tag("slow")
class MergeServiceTest extends RebuiltFilters {

  private static final OptionalDouble ANY_RATE = OptionalDouble.empty();

  private static void merge(FilterName to, FilterName... from) {
    merge(to, ANY_RATE, from);
  }

  private static void merge(FilterName to, OptionalDouble rate, FilterName... from) {
    first.merges.merge(to, List.of(from), rate, Client.SERVICE);
  }

  /**
   * Creates filters with the same layers, and some common elements. Growing filters do not grow.
   */
  private static FilterName filter(AnyKind kind, String prefix, int count) {
    var name = kind.create(first, LATE);
    first.add(name, elements("basis ", 800));
    first.add(name, elements(prefix, count));
    return name;
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"COUNTING", "BY_INSERTIONS"})
  void theUnionHasTheBitsOfAllAndNoOther(AnyKind kind) {
    var target = filter(kind, "target ", 40);
    var one = filter(kind, "one ", 30);
    var two = filter(kind, "two ", 20);
    var all = filter(kind, "target ", 40);
    first.add(all, elements("one ", 30));
    first.add(all, elements("two ", 20));
    var before = first.describe(target).live();
    var others = List.of(first.describe(one), first.describe(two));
    for (var again : List.of(false, true)) {
      merge(target, one, two);
      var merged = second.describe(target);
      assertEquals(
          before.plan().openedAt(Optional.empty()),
          merged.live().plan().openedAt(Optional.empty()));
      assertEquals(before.number() + (again ? 2 : 1), merged.live().number());
      assertEquals(before.createdAt(), merged.live().createdAt());
      assertTrue(merged.rebuild().isEmpty());
      // Each window filter has begun another ring.
      if (kind != AnyKind.BY_TIME) {
        assertEquals(890.0, (double) merged.statistics().insertions(), 20, "insertions");
        assertEquals(
            first.describe(all).statistics().bitsSet(), merged.statistics().bitsSet(), "bits");
      }
      assertHas(
          target,
          List.of(
              elements("basis ", 800),
              elements("target ", 40),
              elements("one ", 30),
              elements("two ", 20)));
      assertNone(target, elements("out ", 1_000));
      first.assertExpiry(target, LATE);
    }
    assertNoContent(before);
    assertEquals(others, List.of(first.describe(one), first.describe(two)));
    first.add(target, elements("on ", 2_000));
    assertHas(target, List.of(elements("on ", 2_000), elements("two ", 20)));
  }

  @ParameterizedTest
  @EnumSource
  void refusedMergesSayWhyAndChangeNothing(AnyKind kind) {
    var target = filter(kind, "target ", 20);
    var fine = filter(kind, "fine ", 10);
    var before = first.describe(target);
    assertFails(ErrorCode.INVALID_REQUEST, () -> merge(target, target));
    assertFails(ErrorCode.INVALID_REQUEST, () -> merge(target, fine, fine));
    assertFails(ErrorCode.FILTER_NOT_FOUND, () -> merge(name(), fine));
    assertFails(ErrorCode.FILTER_NOT_FOUND, () -> merge(target, fine, name()));
    if (!kind.isMerged()) {
      assertFails(ErrorCode.INVALID_REQUEST, () -> merge(target, fine));
    } else {
      for (var other : AnyKind.values()) {
        if (other != kind) {
          assertFails(
              other.isMerged() ? ErrorCode.INCOMPATIBLE_FILTERS : ErrorCode.INVALID_REQUEST,
              () -> merge(target, fine, filter(other, "other ", 10)));
        }
      }
      if (kind != AnyKind.ADOPTED) {
        var damaged = filter(kind, "damaged ", 10);
        var keys = first.keysWith(first.describe(damaged).live().content().incarnation());
        redis.command("DEL", keys.get(RANDOM.nextInt(keys.size())));
        assertFails(ErrorCode.FILTER_DAMAGED, () -> merge(target, fine, damaged));
      }
      var rebuild = open(kind, target);
      assertFails(ErrorCode.REBUILD_IN_PROGRESS, () -> merge(target, fine));
      assertTrue(rebuild.abort());
    }
    assertEquals(before.live().content(), first.describe(target).live().content());
    assertEquals(before.statistics(), first.describe(target).statistics());
    assertFalse(hasNextKey(target));
    assertHas(target, List.of(elements("basis ", 800), elements("target ", 20)));
  }

  @Test
  void theParameterThatDiffersIsNamed() {
    assertDifferent(TestInstance.shape(200_000, 5), new Difference("bitSize", 100_032L, 200_000L));
    assertDifferent(TestInstance.shape(100_032, 6), new Difference("numHashFunctions", 5, 6));
    assertDifferent(
        TestInstance.SEVERAL,
        new Difference("bitSize", 100_032L, (1L << 24) + 128),
        new Difference("segments", 1, 2),
        new Difference("numHashFunctions", 5, 7));
    var small = first.create(name(), TestInstance.shape(100_032, 5)).parameters();
    var alike = name();
    first.create(
        alike,
        new FilterParameters(
            small.hashScheme(), 7, 0.3, small.shape(), new Plain(WhenFull.REJECT)));
    first.add(alike, elements("a ", 7));
    var target = name();
    first.create(target, small);
    merge(target, alike);
    assertEquals(small, first.describe(target).live().parameters());
    assertHas(target, List.of(elements("a ", 7)));
  }

  private static void assertDifferent(FilterParameters other, Difference... expected) {
    var target = name();
    first.create(target, TestInstance.shape(100_032, 5));
    var different = name();
    first.create(different, other);
    var failure = assertFails(ErrorCode.INCOMPATIBLE_FILTERS, () -> merge(target, different));
    assertEquals(
        new ProblemDetails.Differences(List.of(expected)), failure.details().orElseThrow());
    assertTrue(failure.getMessage().contains(different.value()), failure.getMessage());
  }

  /** Their first layers have the same bits, but only one has more layers. */
  @Test
  void layersThatDifferAreNotMerged() {
    var target = filter(AnyKind.GROWING, "target ", 10);
    var small = AnyKind.GROWING.create(first);
    first.add(small, OLD);
    for (var pair : List.of(List.of(target, small), List.of(small, target))) {
      var failure =
          assertFails(ErrorCode.INCOMPATIBLE_FILTERS, () -> merge(pair.get(0), pair.get(1)));
      var fields =
          ((ProblemDetails.Differences) failure.details().orElseThrow())
              .differences().stream().map(Difference::field).toList();
      assertTrue(fields.contains("layers.expectedInsertions"), fields::toString);
    }
    assertHas(small, List.of(OLD));
  }

  @Test
  void aUnionAboveTheHighestRateIsRefusedAndOneAtItIsNot() {
    var parameters = TestInstance.shape(100_032, 5);
    var names = List.of(name(), name(), name());
    names.forEach(name -> first.create(name, parameters));
    names.forEach(name -> first.add(name, elements(name.value(), 3_000)));
    var trial = name();
    var target = names.get(0);
    first.copies.copy(target, trial, false, Optional.empty(), Quota.NONE, Client.SERVICE);
    merge(trial, names.get(1), names.get(2));
    var rate = first.describe(trial).statistics().estimatedFalsePositiveProbability();
    var before = first.describe(target).statistics();
    var failure =
        assertFails(
            ErrorCode.RATE_EXCEEDED,
            () ->
                merge(target, OptionalDouble.of(Math.nextDown(rate)), names.get(1), names.get(2)));
    assertTrue(failure.getMessage().contains(Double.toString(rate)), failure.getMessage());
    assertEquals(before, first.describe(target).statistics());
    assertFalse(hasNextKey(target));
    merge(target, OptionalDouble.of(rate), names.get(1), names.get(2));
    assertEquals(rate, first.describe(target).statistics().estimatedFalsePositiveProbability());
  }

  /** Promise 3: a filter that rejects would exceed its false-positive rate beyond n. */
  @ParameterizedTest
  @EnumSource(names = {"REJECTING", "GROWING"})
  void aRejectingFilterIsNotMergedBeyondItsCapacity(AnyKind kind) {
    var target = kind.create(first);
    var from = kind.create(first);
    var many = kind == AnyKind.REJECTING ? 15_000 : 700;
    first.add(target, elements("mine ", many));
    first.add(from, elements("theirs ", many));
    var before = first.describe(target).statistics();
    assertFails(ErrorCode.RATE_EXCEEDED, () -> merge(target, OptionalDouble.of(1), from));
    assertEquals(before, first.describe(target).statistics());
    assertNone(target, elements("theirs ", many));
    assertHas(target, List.of(elements("mine ", many)));
  }

  @Test
  void onlySlicesOfTheSameLengthAreMerged() {
    var to = name();
    first.create(to, TestWindows.sized(1_000, TestWindows.years(4, true)));
    var others = name();
    first.create(others, TestWindows.sized(1_000, TestWindows.years(5, true)));
    assertFails(ErrorCode.INCOMPATIBLE_FILTERS, () -> merge(to, others));
  }
}
