package io.github.bloomgate.elements;

import static io.github.bloomgate.support.Flags.count;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.store.TestStores;
import io.github.bloomgate.support.CutShort;
import io.github.bloomgate.support.TestInstance;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Filters of several layers whose making is cut short, that are changed otherwise, or of which
 * layers are lost.
 */
class GrowChangesTest extends GrowingFilters {

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aViewWithoutTheNewLayerIsReadAgainBeforeNo(boolean copies) {
    try (var service = instance(copies);
        var other = instance(copies)) {
      var name = name();
      service.create(name, growing(100, 0.01, 1 << 20));
      other.test(name, elements("x", 1));
      var some = elements("e", 2000);
      service.add(name, some);
      other.assertMaybe(name, some);
    }
  }

  /** As after a failover: the other layers' nodes kept what they had acknowledged. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aFirstLayerThatLostItsLastWritesHidesNoOther(boolean copies) {
    try (var service = instance(copies);
        var other = instance(copies)) {
      var name = name();
      service.create(name, growing(100, 0.01, 1 << 20));
      service.add(name, elements("first", 300));
      var some = elements("e", 200);
      service.add(name, some);
      redis.command("HSET", TestStores.keys(name).get(0), "insertions", "90");
      other.assertMaybe(name, some);
      other.assertMaybe(name, some.subList(0, 100));
      for (var instance : List.of(service, other)) {
        var more = elements("more", 100);
        instance.add(name, more);
        service.assertMaybe(name, more);
        other.assertMaybe(name, more);
      }
    }
  }

  /** Likewise: until it is full again it takes what is new, and no layer behind it does too. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aFirstLayerThatLostItsLastWritesTakesWhatIsNew(boolean copies) {
    try (var service = instance(copies);
        var other = instance(copies)) {
      var name = name();
      service.create(name, growing(100, 1e-6, 1 << 20));
      service.add(name, elements("first", 250));
      assertEquals(250, service.describe(name).statistics().insertions());
      redis.command("HSET", TestStores.keys(name).get(0), "insertions", "50");
      other.test(name, elements("x", 2000));
      assertEquals(20, count(other.add(name, elements("more", 20))));
      assertEquals(220, other.describe(name).statistics().insertions());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void itLosesNothingByItsOtherChanges(boolean copies) {
    try (var service = instance(copies)) {
      var name = name();
      var filter = service.create(name, growing(100, 0.01, 1 << 20));
      var some = elements("e", 2000);
      service.add(name, some);
      var renamed = name();
      service.renames.rename(name, renamed, false);
      service.assertMaybe(renamed, some);
      assertEquals(5, service.describe(renamed).filter().layers().size());
      service.changes.clear(renamed);
      assertFalse(service.test(renamed, some)[0]);
      assertEquals(5, service.describe(renamed).filter().layers().size());
      service.add(renamed, some);
      service.assertMaybe(renamed, some);
      service.changes.delete(renamed, false);
      service.assertNothingLeft(filter);
    }
  }

  /** An instance that is killed at any step of opening a layer is followed by another. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5})
  void whatOneInstanceLeavesAnotherFinishes(int steps) {
    try (var service = new TestInstance(redis);
        var other = new TestInstance(redis)) {
      var name = name();
      var filter = service.create(name, growing(100, 0.01, 1 << 20));
      var some = elements("e", 100);
      service.add(name, some);
      service.stores.intents().intend(name, Instant.now().minusSeconds(60));
      var full = service.describe(name).filter();
      service.stores.layers().plan(full, full.nextLayer().orElseThrow());
      CutShort.reconcile(service.stores, name, steps);
      other.assertMaybe(name, some);
      if (steps % 2 == 0) {
        other.reconciler.reconcileAbandoned();
        assertEquals(2, other.describe(name).filter().layers().size());
      }
      var more = elements("more", 400);
      var isNew = count(other.add(name, more));
      assertTrue(isNew > 390, () -> isNew + " new");
      service.assertMaybe(name, some);
      service.assertMaybe(name, more);
      service.assertCountsAreExact(name);
      other.changes.delete(name, false);
      service.assertNothingLeft(filter);
    }
  }

  /** The deadline reaches the segments of a layer that is opened while it changes. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void aLayerThatIsPlannedGetsTheDeadline(int steps) {
    try (var service = new TestInstance(redis)) {
      var name = name();
      service.create(name, growing(100, 0.01, 1 << 20));
      service.add(name, elements("e", 100));
      var full = service.describe(name).filter();
      service.stores.layers().plan(full, full.nextLayer().orElseThrow());
      CutShort.reconcile(service.stores, name, steps);
      var deadline = Instant.now().truncatedTo(ChronoUnit.MILLIS).plusSeconds(1000);
      service.changes.expire(name, Optional.of(deadline));
      service.add(name, elements("f", 100));
      service.assertDeadline(name, Optional.of(deadline));
      service.changes.expire(name, Optional.empty());
      service.assertDeadline(name, Optional.empty());
    }
  }
}
