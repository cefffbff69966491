package io.github.bloomgate.elements;

import static io.github.bloomgate.support.TestInstance.element;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.filters.NewDeadline;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.support.Beside;
import io.github.bloomgate.support.TestInstance;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Batches that travel in one call while their filter changes, the connection breaks, or one of them
 * is cancelled.
 */
class CoalescingChangesTest extends CoalescingInstances {

  /** With k = 7, more than fit into one call. */
  private static final int MORE_THAN_A_CALL = 200;

  /** What is on its way or waits when the content is dropped is added to the new content. */
  @Test
  void eachBatchOfAStaleCallIsRunAgain() {
    for (var parameters : List.of(TestInstance.shape(1_000_000, 7), TestInstance.SEVERAL)) {
      var changes =
          List.<Change>of(
              name -> other.changes.clear(name),
              name -> {
                other.changes.delete(name, false);
                other.create(name, TestInstance.shape(500_000, 5));
              },
              name -> {
                var next = name();
                other.create(next, parameters);
                other.renames.rename(next, name, true);
              });
      for (var change : changes) {
        var name = name();
        one.create(name, parameters);
        one.add(name, elements("old ", 10));
        var gate = gate();
        var adds = new ArrayList<CompletableFuture<Answers>>();
        var tests = new ArrayList<CompletableFuture<Answers>>();
        one.holdBack(gate);
        for (var i = 0; i < MORE_THAN_A_CALL; i++) {
          adds.add(start(one.elements.add(name, List.of(element("new " + i)))));
          tests.add(start(one.elements.test(name, List.of(element("old " + i % 10)))));
        }
        change.make(name);
        open(gate);
        for (var i = 0; i < MORE_THAN_A_CALL; i++) {
          assertEquals(1, join(adds.get(i)).flags().length);
          assertFalse(join(tests.get(i)).flags()[0], "of the old content");
        }
        other.assertMaybe(name, elements("new ", MORE_THAN_A_CALL));
        var insertions = adds.stream().mapToInt(add -> join(add).trueCount()).sum();
        assertEquals(insertions, one.describe(name).statistics().insertions());
        other.assertCountsAreExact(name);
      }
    }
  }

  @Test
  void aDeletedFilterIsGoneForEachBatch() {
    var name = name();
    used(name, TestInstance.shape(1_000_000, 7));
    var gate = gate();
    one.holdBack(gate);
    var adds =
        elements("new ", MORE_THAN_A_CALL).stream()
            .map(element -> start(one.elements.add(name, List.of(element))))
            .toList();
    other.changes.delete(name, false);
    open(gate);
    adds.forEach(add -> assertFails(ErrorCode.FILTER_NOT_FOUND, add));
    assertEquals(List.of(), other.keysWith(name.value()));
  }

  /** Dropping while many use it; what was acknowledged since the last drop is there. */
  @Test
  void contentIsDroppedAgainAndAgain() throws Exception {
    var name = name();
    one.create(name, TestInstance.shape(1_000_000, 7));
    var epoch = new AtomicLong();
    var done = new AtomicBoolean();
    var rounds = new AtomicInteger();
    var checked = new AtomicInteger();
    var dropping =
        Beside.run(
            () -> {
              while (!done.get()) {
                epoch.incrementAndGet();
                other.changes.clear(name);
                epoch.incrementAndGet();
                var enough = rounds.get() + 3 * THREADS;
                while (!done.get() && rounds.get() < enough) {
                  Thread.onSpinWait();
                }
              }
            });
    try {
      inThreads(
          thread -> {
            for (var round = 0; round < 400; round++) {
              var batch = List.of(element(thread + "." + round));
              var before = epoch.get();
              rounds.incrementAndGet();
              try {
                one.add(name, batch);
                var maybe = one.test(name, batch)[0];
                if (before % 2 == 0 && epoch.get() == before) {
                  assertTrue(maybe, "lost");
                  checked.incrementAndGet();
                }
              } catch (BloomException changed) {
                assertEquals(ErrorCode.FILTER_CHANGED, changed.code());
              }
            }
          });
    } finally {
      done.set(true);
    }
    dropping.get(60, TimeUnit.SECONDS);
    one.assertCountsAreExact(name);
    assertTrue(checked.get() > 0, "nothing was checked");
  }

  /** The calls under way have an unknown outcome; what waited is sent on. */
  @Test
  void aKilledConnectionFailsWhatWasOnItAndNothingElse() {
    try (var plain = TestInstance.withoutCopies(redis)) {
      var name = name();
      used(name, TestInstance.shape(1_000_000, 7));
      plain.test(name, elements("any ", 1));
      var gate = gate();
      plain.holdBack(gate);
      var shared = plain.count("bloom.coalesced.calls");
      var adds =
          elements("new ", MORE_THAN_A_CALL).stream()
              .map(element -> start(plain.elements.add(name, List.of(element))))
              .toList();
      var tests =
          IntStream.range(0, MORE_THAN_A_CALL)
              .mapToObj(i -> start(plain.elements.test(name, List.of(element("new " + i)))))
              .toList();
      // One of each is full and need not wait, and so is lost with all the batches in it.
      assertEquals(shared + 2, plain.count("bloom.coalesced.calls"));
      plain.awaitSent(20_000);
      redis.command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
      var applied = 0;
      var unknown = 0;
      for (var i = 0; i < MORE_THAN_A_CALL; i++) {
        try {
          assertTrue(join(adds.get(i)).flags()[0]);
          plain.assertMaybe(name, List.of(element("new " + i)));
          applied++;
        } catch (BloomException failure) {
          assertEquals(ErrorCode.STORE_OUTCOME_UNKNOWN, failure.code());
          unknown++;
        }
      }
      // A call of 146, and those before it.
      assertTrue(
          unknown >= 1_024 / 7 && applied >= 1, unknown + " unknown, " + applied + " applied");
      tests.forEach(CoalescingLawsTest::join);
      assertEquals(applied, other.describe(name).statistics().insertions());
      other.assertCountsAreExact(name);
      open(gate);
    }
  }

  @Test
  void aRequestThatIsCancelledHarmsNoOther() {
    var name = name();
    used(name, TestInstance.shape(1_000_000, 7));
    var gate = gate();
    one.holdBack(gate);
    var all = new ArrayList<CompletableFuture<Answers>>();
    for (var i = 0; i < CALLS_UNDER_WAY; i++) {
      all.add(start(one.elements.add(name, elements("request " + i + " ", 2))));
    }
    var cancelled =
        one.elements
            .add(name, elements("cancelled ", 3))
            .subscribe()
            .with(answer -> {}, failure -> {});
    all.add(start(one.elements.add(name, elements("last ", 2))));
    cancelled.cancel();
    open(gate);
    for (var answer : all) {
      assertEquals(2, join(answer).trueCount());
    }
    assertArrayEquals(new boolean[3], one.test(name, elements("cancelled ", 3)));
  }

  /** Adds go to both generations, whoever shares the call in which a rebuild is noticed. */
  @Test
  void addsFollowToTheGenerationThatARebuildLoads() throws Exception {
    var name = name();
    one.create(name, TestInstance.shape(1_000_000, 7));
    var next =
        other.openings.open(name, live -> TestInstance.shape(700_000, 5), Duration.ofHours(1));
    inThreads(
        thread -> {
          for (var round = 0; round < 100; round++) {
            one.add(name, List.of(element(thread + "." + round)));
          }
        });
    other.rebuilds.commit(next, 0, NewDeadline.KEEP);
    for (var thread = 0; thread < THREADS; thread++) {
      one.assertMaybe(name, elements(thread + ".", 100));
    }
    one.assertCountsAreExact(name);
  }

  /** A filter that the first instance need not look up any more. */
  private static void used(FilterName name, FilterParameters parameters) {
    one.create(name, parameters);
    one.test(name, elements("any ", 1));
  }

  private static void assertFails(ErrorCode code, CompletableFuture<?> started) {
    var failure = assertThrows(BloomException.class, () -> join(started));
    assertEquals(code, failure.code(), failure.getMessage());
  }

  @FunctionalInterface
  private interface Change {
    void make(FilterName name);
  }
}
