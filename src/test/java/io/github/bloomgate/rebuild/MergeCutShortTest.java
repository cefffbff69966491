package io.github.bloomgate.rebuild;

import static io.github.bloomgate.support.TestInstance.assertFails;
import static io.github.bloomgate.support.TestInstance.await;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.store.TestStores;
import io.github.bloomgate.support.TestInstance;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Merges that do not come to their end, or whose end is not seen. */
@Tag("slow")
class MergeCutShortTest extends MergedFilters {

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
}
