package io.github.bloomgate.rebuild;

import static io.github.bloomgate.support.TestInstance.SEVERAL;
import static io.github.bloomgate.support.TestInstance.assertFails;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.filters.Quota;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.support.TestInstance;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Copies of filters that others add to, change or delete meanwhile. */
@Tag("slow")
class CopyMeetsOthersTest extends CopiedFilters {

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
  void whatWasAddedBeforeIsInTheCopyWhileOthersAdd(FilterParameters parameters) throws Exception {
    var from = name();
    service.create(from, parameters);
    var to = name();
    var acknowledged = new AtomicInteger();
    var done = new AtomicBoolean();
    var adding = adding(from, "batch ", acknowledged, done);
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
    var adding = adding(to, "batch ", acknowledged, done);
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
}
