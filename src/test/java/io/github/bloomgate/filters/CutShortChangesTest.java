package io.github.bloomgate.filters;

import static io.github.bloomgate.support.TestInstance.await;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Clearances and deadlines of filters of several segments that are cut short, and who finishes
 * them.
 */
class CutShortChangesTest extends ReconcilingInstances {

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5})
  void aClearanceCutShortIsFinished(int steps) {
    var filter = filled(SOON);
    var name = filter.name();
    cutShort(steps, name, () -> first.stores.filters().clear(filter));
    reconcileAbandoned(name);
    second.assertDeadline(name, SOON);
    if (steps < 2) {
      second.assertMaybe(name, ELEMENTS);
    } else {
      assertEquals(0, second.describe(name).statistics().bitsSet());
      assertEmptyAndUsable(name);
    }
  }

  /** Nobody needs to wait for the rest: what is touched is emptied first. */
  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4, 5})
  void aClearanceCutShortIsCompleteForEverybodyAtOnce(int steps) {
    var filter = filled(Optional.empty());
    var name = filter.name();
    // Another instance that remembers the filter as it was.
    second.assertMaybe(name, ELEMENTS);
    cutShort(steps, name, () -> first.stores.filters().clear(filter));
    if (steps % 2 == 0) {
      assertEquals(0, await(second.elements.test(name, ELEMENTS)).trueCount());
    } else {
      assertEquals(0, second.describe(name).statistics().bitsSet());
    }
    reconcileAbandoned(name);
    assertEmptyAndUsable(name);
  }

  /** An add that finds segments behind tells its own elements as new, each of them. */
  @Test
  void whatIsAddedWhileAClearanceIsUnderWayIsNew() {
    var filter = filled(Optional.empty());
    var name = filter.name();
    cutShort(2, name, () -> first.stores.filters().clear(filter));
    assertEmptyAndUsable(name);
    reconcileAbandoned(name);
    second.assertMaybe(name, ELEMENTS);
    second.assertCountsAreExact(name);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5})
  void aDeadlineCutShortIsFinished(int steps) {
    var deadlines = List.of(Optional.<Instant>empty(), SOON, LATE);
    for (var before : deadlines) {
      for (var after : deadlines) {
        var filter = filled(before);
        var name = filter.name();
        cutShort(steps, name, () -> first.stores.filters().expire(filter, after));
        reconcileAbandoned(name);
        second.assertDeadline(name, steps < 2 ? before : after);
        second.assertMaybe(name, ELEMENTS);
        second.changes.delete(name, false);
      }
    }
  }

  /** The list of segments must outlive a filter that expires before they follow. */
  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void aFilterThatExpiresBeforeItsSegmentsFollowedLeavesNothing(int steps) {
    var filter = filled(Optional.empty());
    cutShort(
        steps,
        filter.name(),
        () -> first.stores.filters().expire(filter, Optional.of(Instant.now().plusMillis(200))));
    awaitExpiry(filter.name());
    reconcileAbandoned(filter.name());
    second.stores.catalogue().remove(filter.name());
    first.assertNothingLeft(filter);
  }

  @Test
  void aFilterThatExpiresBeforeItIsAllowedToStayLeavesNothing() {
    var filter = filled(SOON);
    cutShort(3, filter.name(), () -> first.stores.filters().expire(filter, Optional.empty()));
    first.passDeadline(filter);
    awaitExpiry(filter.name());
    reconcileAbandoned(filter.name());
    second.stores.catalogue().remove(filter.name());
    first.assertNothingLeft(filter);
  }
}
