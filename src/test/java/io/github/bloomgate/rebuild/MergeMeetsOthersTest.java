package io.github.bloomgate.rebuild;

import static io.github.bloomgate.support.TestInstance.SEVERAL;
import static io.github.bloomgate.support.TestInstance.assertFails;
import static io.github.bloomgate.support.TestInstance.await;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.store.TestStores;
import io.github.bloomgate.support.TestInstance;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Merges of filters that others add to, change or delete meanwhile. */
@Tag("slow")
class MergeMeetsOthersTest extends MergedFilters {

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
}
