package io.github.bloomgate.elements;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.filters.Generation;
import io.github.bloomgate.redis.TestLink;
import io.github.bloomgate.store.TestStores.Defect;
import io.github.bloomgate.support.InParallel;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Copies of watched filters. */
class RoundsRefreshTest extends RoundsFixture {

  private static final int BYTES = 4_096;

  /** At least what a copy takes, and less than twice as much. */
  private static final long COPY = BYTES + BYTES / 8 + HeldSegments.OBJECT_BYTES;

  private static final int OTHERS = 20;

  /** Otherwise what follows the filter would not learn why its copies grow old. */
  @Test
  void aRefreshGetsTheFailureOfItsCall() {
    var filter = fixed(2, 4_096, 0, false);
    one.add(filter, NAMES);
    one.awaitCopies(filter);
    one.stores.losses().defect(Defect.ADVANCE, 2);
    var refresh = one.refresh(filter);
    one.rounds.refresh(List.of(refresh));
    TestLink.await(refresh.outcome());
    assertTrue(refresh.failure().isPresent());
    assertTrue(one.contains(filter, NAMES[0]));
  }

  @Test
  void copiesOfWatchedFiltersAreDroppedLast() {
    var watched = fixed(3, BYTES, 0, false);
    one.add(watched, NAMES);
    var others = others();
    try (var small = new Instance(8 * COPY)) {
      small.awaitCopies(watched);
      for (var filter : others) {
        assertTrue(small.contains(filter, NAMES[0]));
      }
      for (var name : NAMES) {
        assertEquals(Optional.of(true), small.containsInCopies(watched, name));
      }
      assertTrue(small.rounds.copiesBytes() <= 8 * COPY);
    }
  }

  @Test
  void otherFiltersNeedNotWaitForWatchedOnes() {
    var watched = fixed(4, BYTES, 0, false);
    one.add(watched, NAMES);
    var others = others();
    try (var small = new Instance(4 * COPY)) {
      small.awaitCopies(watched);
      for (var filter : others) {
        assertTrue(small.contains(filter, NAMES[0]));
      }
    }
  }

  /** While Redis does not answer, watched copies are not used for longer than others. */
  @Test
  void segmentsThatNeedNoCopiesLeaveThoseOfWatchedFilters() {
    var watched = written();
    var some = written();
    var held = new HeldSegments(COPY, one.unfolded, random);
    var copy = held.of(watched, watched.layer(0), 0).orElseThrow();
    Awaitility.await().until(copy::isIdle);
    copy.freshness().watch();
    assertTrue(held.isBitByBit(some, 1, some.layer(0), 0));
    assertEquals(Optional.of(copy), held.find(watched, 0));
  }

  private static Generation written() {
    var filter = fixed(1, BYTES, 0, false);
    one.add(filter, "a");
    return filter.view().live();
  }

  /** More segments than fit into the half of a round. */
  @Test
  void aRefreshOfManySegmentsTakesSeveralRounds() {
    var watched = fixed(700, 8, 0, false);
    one.add(watched, NAMES);
    other.awaitCopies(watched);
    one.add(watched, "new");
    assertEquals(Optional.of(false), other.containsInCopies(watched, "new"));
    var refresh = other.refresh(watched);
    other.rounds.refresh(List.of(refresh));
    var sent = other.send(request(ElementCall.Kind.TEST, watched, NAMES));
    assertEquals(ElementRequest.Outcome.DONE, TestLink.await(sent));
    assertEquals(Refresh.Outcome.DONE, TestLink.await(refresh.outcome()));
    assertEquals(Optional.of(true), other.containsInCopies(watched, "new"));
  }

  /** Other calls have brought the copies up to date. */
  @Test
  void youngCopiesAreNotAskedAbout() {
    var watched = fixed(1, BYTES, 0, false);
    one.add(watched, "a");
    other.awaitCopies(watched);
    one.add(watched, "new");
    var refresh = new Refresh(watched.view().live(), Duration.ofHours(1));
    other.rounds.refresh(List.of(refresh));
    assertEquals(Refresh.Outcome.DONE, TestLink.await(refresh.outcome()));
    assertEquals(Optional.of(false), other.containsInCopies(watched, "new"));
  }

  /**
   * A new copy of a segment that was written after the filter was found is empty, and not known to
   * be wrong.
   */
  @Test
  void aCopyIsThereOnlyAfterTheReplyToACallAboutIt() throws Exception {
    var watched = fixed(1, BYTES, 0, false);
    var generation = watched.view().live();
    one.add(watched, NAMES);
    assertFalse(generation.written().contains(0));
    try (var late = new Instance(MEMORY)) {
      var refresh = new Refresh(generation, Duration.ZERO);
      var atFirst = new CompletableFuture<Boolean>();
      // In one task, so that nothing comes between the call and this look at the copy.
      late.thread.execute(
          () -> {
            late.rounds.refresh(List.of(refresh));
            late.thread.execute(
                () -> atFirst.complete(late.rounds.copy(generation, 0).isPresent()));
          });
      assertFalse(InParallel.resultOf(atFirst));
      assertEquals(Refresh.Outcome.DONE, TestLink.await(refresh.outcome()));
      var atLast = late.thread.submit(() -> late.rounds.copy(generation, 0).isPresent());
      assertTrue(atLast.get());
    }
  }

  /** Filters that cannot do without copies. */
  private static List<TestFilter> others() {
    var others = IntStream.range(0, OTHERS).mapToObj(i -> counting(1, BYTES)).toList();
    others.forEach(filter -> one.add(filter, NAMES));
    return others;
  }
}
