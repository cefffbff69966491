package io.github.bloomgate.rebuild;

import static io.github.bloomgate.support.TestInstance.assertFails;
import static io.github.bloomgate.support.TestInstance.await;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.filters.Quota;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.store.TestStores;
import io.github.bloomgate.support.TestInstance;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Copies that do not come to their end, or whose end is not seen. */
@Tag("slow")
class CopyCutShortTest extends CopiedFilters {

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
}
