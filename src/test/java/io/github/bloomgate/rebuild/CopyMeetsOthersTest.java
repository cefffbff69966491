package io.github.bloomgate.rebuild;

import static io.github.bloomgate.support.Failures.assertFails;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.filters.Generation;
import io.github.bloomgate.memory.Client;
import io.github.bloomgate.memory.Shares;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.Quota;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.AnyKind;
import io.github.bloomgate.support.TestInstance;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Copies of filters that another client adds to, changes or deletes at each moment of the copy. */
@Tag("slow")
class CopyMeetsOthersTest extends RebuiltFilters {

  private static final int MANY = 1_000;

  private static void copy(FilterName from, FilterName to, boolean replace, BooleanSupplier gone) {
    first.copies.copy(from, to, replace, Optional.empty(), Quota.NONE, client(gone));
  }

  private static Client client(BooleanSupplier gone) {
    return new Client(Shares.NO_CLIENT, gone);
  }

  private static Generation original(AnyKind kind) {
    var name = kind.create(first);
    first.add(name, elements("in ", MANY));
    return first.describe(name).live();
  }

  private static void assertNoFilter(FilterName name) {
    assertFails(ErrorCode.FILTER_NOT_FOUND, () -> first.describe(name));
    assertEquals(List.of(), first.keysWith(name.value()));
  }

  @ParameterizedTest
  @EnumSource
  void aCopyContainsEarlierAddsAndPerhapsConcurrentOnes(AnyKind kind) {
    for (var moment = 0; ; moment++) {
      var from = original(kind).name();
      var to = name();
      var disturbance =
          new Disturbance(
              moment,
              () -> {
                assertUnseen(to);
                second.add(from, elements("concurrent ", MANY));
              });
      copy(from, to, false, disturbance);
      assertHas(to, List.of(elements("in ", MANY)));
      if (!disturbance.hasBeen()) {
        assertTrue(moment >= 2, "moments: " + moment);
        return;
      }
      assertHas(from, List.of(elements("in ", MANY), elements("concurrent ", MANY)));
      second.add(to, MORE);
      assertHas(to, List.of(MORE));
    }
  }

  private static void assertUnseen(FilterName name) {
    assertFails(ErrorCode.FILTER_NOT_FOUND, second.elements.test(name, OLD, Client.SERVICE));
    assertFails(ErrorCode.FILTER_NOT_FOUND, second.elements.add(name, OLD));
    assertFails(ErrorCode.FILTER_NOT_FOUND, () -> second.describe(name));
    assertFails(ErrorCode.FILTER_NOT_FOUND, () -> second.changes.delete(name, false));
    assertFails(ErrorCode.FILTER_NOT_FOUND, () -> second.renames.rename(name, name(), true));
    assertFails(ErrorCode.REBUILD_NOT_FOUND, second.rebuilds.find(name, Optional.empty()));
    assertEquals(
        List.of(),
        second
            .descriptions
            .list(List.of(name.value()), Optional.empty(), 9, false, Client.SERVICE)
            .entries());
  }

  /**
   * Promise 1: adds go to both generations, and the next one may need layers that the live one
   * lacks.
   */
  @ParameterizedTest
  @EnumSource
  void addsDuringAReplacementAreKept(AnyKind kind) {
    for (var moment = 0; ; moment++) {
      var from = original(kind).name();
      var to = filled(kind, LATE).name();
      var disturbance =
          new Disturbance(moment, () -> second.add(to, elements("concurrent ", 2 * MANY)));
      copy(from, to, true, disturbance);
      assertNone(to, OLD);
      assertHas(to, List.of(elements("in ", MANY)));
      first.assertExpiry(to, NEVER);
      if (!disturbance.hasBeen()) {
        return;
      }
      assertHas(to, List.of(elements("concurrent ", 2 * MANY)));
      assertEquals(
          3.0 * MANY, (double) first.describe(to).statistics().insertions(), 0.01 * MANY, "count");
    }
  }

  private enum Change {
    CLEAR,
    REPLACE,
    CREATE_AGAIN
  }

  @ParameterizedTest
  @EnumSource
  void anOriginalReplacedDuringACopyIsCopiedAgain(AnyKind kind) {
    for (var change : Change.values()) {
      for (var moment = 0; ; moment++) {
        var from = original(kind).name();
        var to = name();
        var disturbance = new Disturbance(moment, () -> change(kind, change, from));
        copy(from, to, false, disturbance);
        if (!disturbance.hasBeen()) {
          break;
        }
        assertHas(to, List.of(MORE));
        assertNone(to, elements("in ", MANY));
        var copy = first.describe(to).live();
        first.changes.delete(to, false);
        first.assertNothingLeft(copy);
      }
    }
  }

  private static void change(AnyKind kind, Change change, FilterName from) {
    switch (change) {
      case CLEAR -> {
        second.changes.clear(from);
        second.add(from, MORE);
      }
      case REPLACE -> {
        var rebuild = second.rebuilds.open(from, live -> kind.parameters(), AN_HOUR);
        load(rebuild, MORE);
        commit(second, from);
      }
      case CREATE_AGAIN -> {
        second.changes.delete(from, false);
        AnyKind.REJECTING.create(second, from, NEVER);
        second.add(from, MORE);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void aDeletedOrConstantlyChangingOriginalLeavesNoCopy(AnyKind kind) {
    for (var moment = 0; ; moment++) {
      var from = original(kind).name();
      var to = name();
      var disturbance = new Disturbance(moment, () -> second.changes.delete(from, false));
      try {
        copy(from, to, false, disturbance);
        assertTrue(!disturbance.hasBeen(), "the copy of a missing filter");
        break;
      } catch (BloomException failure) {
        assertEquals(ErrorCode.FILTER_NOT_FOUND, failure.code(), failure.getMessage());
        assertNoFilter(to);
      }
    }
    var from = original(kind).name();
    var to = name();
    BooleanSupplier restless =
        () -> {
          second.changes.clear(from);
          second.add(from, MORE);
          return false;
        };
    assertFails(ErrorCode.FILTER_CHANGED, () -> copy(from, to, false, restless));
    assertNoFilter(to);
  }

  @ParameterizedTest
  @EnumSource
  void aFilterCreatedDuringACopyIsNotTouched(AnyKind kind) {
    for (var moment = 0; ; moment++) {
      var from = original(kind).name();
      var to = name();
      var isRenamed = moment % 2 == 0;
      var disturbance =
          new Disturbance(
              moment,
              () -> {
                if (isRenamed) {
                  second.renames.rename(filled(kind, SOON).name(), to, false);
                } else {
                  kind.create(second, to, SOON);
                  second.add(to, OLD);
                }
              });
      try {
        copy(from, to, false, disturbance);
        assertTrue(!disturbance.hasBeen(), "the target was replaced");
        return;
      } catch (BloomException failure) {
        assertEquals(ErrorCode.FILTER_EXISTS, failure.code(), failure.getMessage());
        assertHas(to, List.of(OLD));
        assertNone(to, elements("in ", MANY));
        first.assertExpiry(to, SOON);
        second.changes.delete(to, false);
        assertNoFilter(to);
      }
    }
  }

  /** The target may also be renamed, deleted, or newly created. */
  @ParameterizedTest
  @EnumSource
  void aCopyReplacesATargetThatChanges(AnyKind kind) {
    for (var moment = 0; ; moment++) {
      var from = original(kind).name();
      var away = name();
      var disturbances = new ArrayList<Disturbance>();
      var renamed = kind.create(first);
      disturbances.add(
          copyOver(from, renamed, moment, () -> second.renames.rename(renamed, away, false)));
      var deleted = kind.create(first);
      disturbances.add(
          copyOver(from, deleted, moment, () -> second.changes.delete(deleted, false)));
      var created = name();
      disturbances.add(copyOver(from, created, moment, () -> createUnlike(kind, created)));
      if (!disturbances.get(0).hasBeen()) {
        return;
      }
      second.add(away, OLD);
      assertHas(away, List.of(OLD));
      assertNone(away, elements("in ", MANY));
    }
  }

  private static void createUnlike(AnyKind kind, FilterName name) {
    (kind == AnyKind.COUNTING ? kind : AnyKind.SEVERAL_SEGMENTS).create(second, name, LATE);
    second.add(name, OLD);
  }

  private static Disturbance copyOver(FilterName from, FilterName to, int moment, Runnable what) {
    var disturbance = new Disturbance(moment, what);
    copy(from, to, true, disturbance);
    assertHas(to, List.of(elements("in ", MANY)));
    assertNone(to, OLD);
    first.assertExpiry(to, NEVER);
    return disturbance;
  }

  @ParameterizedTest
  @EnumSource
  void aClientThatDisconnectsLeavesNothing(AnyKind kind) {
    var from = original(kind).name();
    var replaced = filled(kind, LATE);
    for (var moment = 0; ; moment++) {
      var to = name();
      if (isCopiedFor(from, to, moment)) {
        assertHas(to, List.of(elements("in ", MANY)));
        return;
      }
      assertEquals(List.of(), first.keysWith(to.value()));
      assertFalse(isCopiedFor(from, replaced.name(), moment));
      var left = first.describe(replaced.name()).live();
      assertEquals(replaced.content(), left.content());
      assertEquals(Optional.empty(), left.next());
      assertHas(replaced.name(), List.of(OLD));
    }
  }

  /** Copies a filter for a client that disconnects at a given moment. */
  private static boolean isCopiedFor(FilterName from, FilterName to, int moment) {
    var gone = new Disturbance(moment, () -> {});
    try {
      copy(from, to, true, () -> gone.getAsBoolean() || gone.hasBeen());
      return true;
    } catch (BloomException failure) {
      assertEquals(ErrorCode.INVALID_REQUEST, failure.code(), failure.getMessage());
      return false;
    }
  }

  @ParameterizedTest
  @EnumSource
  void aFullRedisKeepsNoPartOfACopy(AnyKind kind) {
    try (var full = TestRedis.started();
        var instance = new TestInstance(full)) {
      var from = kind.create(instance);
      instance.add(from, elements("in ", MANY));
      var to = name();
      var fills = new Disturbance(0, () -> full.command("CONFIG", "SET", "maxmemory", "1"));
      assertFails(
          ErrorCode.STORE_FULL,
          () -> instance.copies.copy(from, to, false, NEVER, Quota.NONE, client(fills)));
      full.command("CONFIG", "SET", "maxmemory", "0");
      assertEquals(List.of(), instance.keysWith(to.value()));
      instance.copies.copy(from, to, false, NEVER, Quota.NONE, Client.SERVICE);
      instance.assertMaybe(to, elements("in ", MANY));
    }
  }

  /** A copy that is deleted immediately is not created again. */
  @ParameterizedTest
  @EnumSource
  void aCopyDeletedImmediatelyIsNotRepeated(AnyKind kind) {
    var deletions = 0;
    var from = original(kind).name();
    try (var slow = TestInstance.stepwise(redis)) {
      var isDone = false;
      for (var calls = 0; !isDone; calls++) {
        var to = name();
        slow.steps().hold();
        var copying =
            slow.begin(
                () ->
                    slow.descriptions.describeChanged(
                        slow.copies.copy(
                            from, to, false, Optional.empty(), Quota.NONE, Client.SERVICE)));
        slow.go(calls);
        isDone = copying.isDone();
        var isDeleted = !isDone && first.exists(to);
        if (isDeleted) {
          second.changes.delete(to, false);
          deletions++;
        }
        slow.steps().release();
        var failure = TestInstance.failureOf(copying);
        assertEquals(!isDeleted, first.exists(to), "after " + calls);
        failure.ifPresent(thrown -> assertEquals(ErrorCode.FILTER_CHANGED, thrown.code()));
      }
    }
    assertTrue(deletions > 0, "never deleted");
    assertThrows(BloomException.class, () -> copy(from, from, false, () -> false));
  }
}
