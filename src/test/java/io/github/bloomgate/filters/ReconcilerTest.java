package io.github.bloomgate.filters;

import static io.github.bloomgate.support.TestInstance.SEVERAL;
import static io.github.bloomgate.support.TestInstance.await;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.Filter.Pending;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.store.Outline;
import io.github.bloomgate.store.StaleFilterException;
import io.github.bloomgate.store.TestStores;
import io.github.bloomgate.support.TestInstance;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Filters of several segments whose creation, deletion or replacement is cut short, and who
 * finishes it.
 */
class ReconcilerTest extends ReconcilingInstances {

  /** What drops a generation of several segments. */
  private enum Drop {
    DELETE,
    COMMIT,
    ABORT,
    CLEAR,
    RENAME,
    RENAME_WITH_HALF_A_REBUILD,
    OPEN_ANEW
  }

  @ParameterizedTest
  @EnumSource
  void segmentsAreFreedThoughTheListOfThemWasEvicted(Drop drop) {
    var name = name();
    var filter = first.create(name, SEVERAL);
    first.add(name, ELEMENTS);
    var next =
        drop == Drop.DELETE || drop == Drop.RENAME ? filter : TestInstance.openNext(first, name);
    if (drop == Drop.CLEAR || drop == Drop.RENAME_WITH_HALF_A_REBUILD || drop == Drop.OPEN_ANEW) {
      redis.command("DEL", TestStores.keys(next, 0).get(1));
    }
    assertEquals(1, redis.command("DEL", TestStores.keys(name).get(2)).toInteger());
    switch (drop) {
      case DELETE -> second.changes.delete(name, false);
      case COMMIT -> second.rebuilds.commit(next, 0, NewDeadline.KEEP);
      case ABORT -> assertTrue(second.rebuilds.abort(next));
      case CLEAR -> second.changes.clear(name);
      case RENAME -> {
        var other = first.create(name(), TestInstance.shape(1_000, 3));
        second.renames.rename(other.name(), name, true);
      }
      case RENAME_WITH_HALF_A_REBUILD -> second.renames.rename(name, name(), false);
      case OPEN_ANEW -> TestInstance.openNext(second, name);
    }
    var dropped = drop == Drop.COMMIT ? filter : next;
    assertEquals(List.of(), first.keysWith(dropped.generation().incarnation()));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7})
  void aCreationCutShortIsFinished(int steps) {
    var filter = planned(SOON);
    var name = filter.name();
    cutShort(steps, name, () -> first.stores.filters().create(filter));
    if (steps >= 2) {
      var made = Math.min(3, steps - 1);
      assertEquals(made, second.describe(name).segmentsReady());
      if (steps < 7) {
        TestInstance.assertFails(ErrorCode.FILTER_NOT_READY, second.elements.add(name, ELEMENTS));
        TestInstance.assertFails(ErrorCode.FILTER_NOT_READY, second.elements.test(name, ELEMENTS));
      }
    }
    reconcileAbandoned(name);
    if (steps < 2) {
      first.assertNothingLeft(filter);
      return;
    }
    assertEquals(3, second.describe(name).segmentsReady());
    second.assertDeadline(name, SOON);
    second.add(name, ELEMENTS);
    first.assertMaybe(name, ELEMENTS);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5})
  void aDeletionCutShortIsFinished(int steps) {
    var filter = filled(SOON);
    var name = filter.name();
    cutShort(steps, name, () -> first.stores.filters().delete(name, false));
    if (steps >= 2) {
      TestInstance.assertFails(ErrorCode.FILTER_NOT_FOUND, second.elements.test(name, ELEMENTS));
    }
    reconcileAbandoned(name);
    if (steps < 2) {
      second.assertMaybe(name, ELEMENTS);
    } else {
      second.stores.catalogue().remove(name);
      first.assertNothingLeft(filter);
    }
  }

  /** Its successor of one segment, which soon expires, must not take the list with it. */
  @Test
  void aDeletionCutShortIsFinishedAfterTheNextFilterOfThatNameHasExpired() {
    var filter = filled(Optional.empty());
    var name = filter.name();
    cutShort(3, name, () -> first.stores.filters().delete(name, false));
    first.passDeadline(first.create(name, TestInstance.shape(1_000, 3), SOON));
    awaitExpiry(name);
    reconcileAbandoned(name);
    second.stores.catalogue().remove(name);
    first.assertNothingLeft(filter);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5})
  void aReplacementCutShortIsFinished(int steps) {
    for (var single : List.of(true, false)) {
      var replaced = filled(SOON);
      var name = replaced.name();
      var from = name();
      var filter = first.create(from, single ? TestInstance.shape(50_000, 5) : SEVERAL, LATE);
      var others = elements("other ", 200);
      first.add(from, others);
      cutShort(steps, name, () -> first.stores.filters().rename(from, name, true));
      reconcileAbandoned(name);
      if (steps < 2) {
        second.assertMaybe(name, ELEMENTS);
        second.assertMaybe(from, others);
      } else {
        second.assertMaybe(name, others);
        second.assertDeadline(name, LATE);
        assertEquals(filter.generation(), second.describe(name).filter().generation());
        assertEquals(List.of(), second.keysWith(replaced.generation().incarnation()));
        TestInstance.assertFails(ErrorCode.FILTER_NOT_FOUND, second.elements.test(from, others));
      }
    }
  }

  /** The one who creates comes back after somebody deleted the filter and freed its segments. */
  @Test
  void aCreationGoesNoFurtherOnceTheFilterIsDeleted() {
    var filter = planned(Optional.empty());
    var name = filter.name();
    cutShort(3, name, () -> first.stores.filters().create(filter));
    second.changes.delete(name, false);
    for (var segment = 1; segment < 3; segment++) {
      var number = segment;
      var segments = first.stores.laterSegments();
      for (var late :
          List.of(
              segments.make(filter, number),
              segments.activate(filter, number, "late"),
              segments.reconcile(filter, number))) {
        assertThrows(StaleFilterException.class, () -> await(late));
      }
    }
    first.assertNothingLeft(filter);
    // Nor does a creation of the same name and revision become ready by the first one's finish.
    var next = Filter.create(name, SEVERAL, filter.createdAt(), Optional.empty());
    second.stores.filters().create(next);
    assertEquals(false, first.stores.filters().finish(name, reconciled(filter), List.of()));
    assertEquals(Pending.CREATE, second.describe(name).filter().pending());
  }

  @Test
  void severalMayFinishTheSameAtOnce() {
    for (var round = 0; round < 5; round++) {
      var cleared = filled(SOON);
      var created = planned(LATE);
      var deleted = filled(Optional.empty());
      cutShort(2, cleared.name(), () -> first.stores.filters().clear(cleared));
      // From nothing made to all in use.
      cutShort(2 + round, created.name(), () -> first.stores.filters().create(created));
      cutShort(2, deleted.name(), () -> first.stores.filters().delete(deleted.name(), false));
      try (var another = later()) {
        Stream.of(later, another, later, another)
            .map(instance -> instance.begin(instance.reconciler::reconcileAbandoned))
            .toList()
            .forEach(CompletableFuture::join);
      }
      assertEquals(Pending.NOTHING, second.describe(cleared.name()).filter().pending());
      assertEmptyAndUsable(cleared.name());
      second.assertDeadline(cleared.name(), SOON);
      assertEmptyAndUsable(created.name());
      second.assertDeadline(created.name(), LATE);
      second.stores.catalogue().remove(deleted.name());
      first.assertNothingLeft(deleted);
      first.assertReconciled(cleared.name());
      first.assertReconciled(created.name());
    }
  }

  @Test
  void whatIsUnderWayIsNotTakenForAbandoned() {
    var filter = planned(Optional.empty());
    cutShort(2, filter.name(), () -> first.stores.filters().create(filter));
    second.reconciler.reconcileAbandoned();
    assertEquals(1, second.describe(filter.name()).segmentsReady());
    assertEquals(1, second.redis("ZCARD", TestStores.unsettledKey()).toInteger());
    // However often it is asked for meanwhile.
    var outcome = second.creations.create(filter.name(), SEVERAL, Optional.empty(), Quota.NONE);
    assertEquals(false, outcome.created());
    reconcileAbandoned(filter.name());
    assertEmptyAndUsable(filter.name());
  }

  /** Room for about twenty of forty segments. */
  @Test
  void aCreationThatFillsRedisIsTakenBackWhole() {
    var kept = filled(Optional.empty());
    var name = name();
    var used = redis.info("memory", "used_memory");
    first.redis("CONFIG", "SET", "maxmemory", Long.toString(used + 40 * 1024 * 1024));
    TestInstance.assertFails(
        ErrorCode.STORE_FULL,
        () ->
            first.creations.create(
                name, TestInstance.shape(40L << 24, 7), Optional.empty(), Quota.NONE));
    Awaitility.await()
        .atMost(TestInstance.PATIENCE)
        .until(() -> first.keysWith("bits").size() == 3);
    assertEquals(List.of(), first.keysWith(name.value()));
    first.assertReconciled(name);
    second.assertMaybe(kept.name(), ELEMENTS);
    // What is there can be deleted although nothing can be added.
    first.redis("CONFIG", "SET", "maxmemory", "1");
    TestInstance.assertFails(ErrorCode.STORE_FULL, first.elements.add(kept.name(), ELEMENTS));
    second.assertMaybe(kept.name(), ELEMENTS);
    second.changes.delete(kept.name(), false);
    first.assertNothingLeft(kept);
  }

  private static Filter planned(Optional<Instant> deadline) {
    return Filter.create(name(), SEVERAL, Instant.now().truncatedTo(ChronoUnit.MILLIS), deadline);
  }

  private static Outline reconciled(Filter filter) {
    return new Outline(Optional.of(filter), Optional.empty(), Map.of(), List.of());
  }
}
