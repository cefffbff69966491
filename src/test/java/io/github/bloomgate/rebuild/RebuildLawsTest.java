package io.github.bloomgate.rebuild;

import static io.github.bloomgate.support.TestInstance.await;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.filters.NewDeadline;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.store.TestStores;
import io.github.bloomgate.support.Beside;
import io.github.bloomgate.support.SourceOfTruth;
import io.github.bloomgate.support.TestExtent;
import io.github.bloomgate.support.TestInstance;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Laws 1 and 4 while writers add as fast as they can on two instances, and rebuilds of other sizes
 * are opened, loaded, committed, aborted, left and lost beneath them.
 *
 * <p>A million adds; {@code -Dtest.rebuild-adds=100000000} soaks longer.
 */
@Tag("slow")
class RebuildLawsTest extends WritersOnTwoInstances {

  private static final long ADDS = TestExtent.of("test.rebuild-adds", 1_000_000L, 10_000_000L);
  private static final int WRITERS = 4;

  /** With more elements too many are false positives, and so new for nobody. */
  private static final int FULL_ENOUGH = 300_000;

  private static final int LEAST_CYCLES = 16;
  private static final int CYCLES_PER_FILTER = 8;

  /** Requests that may have been under way when a rebuild was opened, and many more. */
  private static final int TAIL = 100;

  private static final Duration AN_HOUR = Duration.ofHours(1);

  private final TreeMap<String, Integer> cycles = new TreeMap<>();

  @Test
  void noElementIsLostWhateverBecomesOfRebuilds() throws Exception {
    System.out.println("noElementIsLostWhateverBecomesOfRebuilds: seed " + seed);
    var start = System.nanoTime();
    while (adds.get() < ADDS || cycles.values().stream().mapToInt(i -> i).sum() < LEAST_CYCLES) {
      oneFilter();
    }
    var seconds = (System.nanoTime() - start) / 1e9;
    System.out.printf(
        "%d adds in %.1f s, %d requests repeated, %d known, %s%n",
        adds.get(), seconds, repeated.get(), known.get(), cycles);
    // However full the filters became: so few are exceeded once in more than 10^9 runs.
    var most = 20 + 2 * falsePositives.sum();
    assertTrue(known.get() <= most, known.get() + " elements were new for nobody, of " + most);
    assertEquals(List.of(), one.keysWith("/"));
    assertEquals(List.of(), one.keysWith("{"));
    assertEquals(0, one.redis("ZCARD", TestStores.unsettledKey()).toInteger());
  }

  private void oneFilter() throws Exception {
    var name = name();
    var source = new SourceOfTruth();
    one.create(name, parameters());
    var done = new CompletableFuture<Void>();
    beside.clear();
    for (var writer = 0; writer < WRITERS; writer++) {
      var own = new Random(random.nextLong());
      var instance = writer % 2 == 0 ? one : other;
      beside.add(Beside.run(() -> write(instance, name, source, own, done)));
    }
    beside.add(Beside.run(() -> sweep(done)));
    try {
      for (var cycle = 0; cycle < CYCLES_PER_FILTER && source.elements() < FULL_ENOUGH; cycle++) {
        var instance = random.nextBoolean() ? one : other;
        var before = source.size();
        cycle(instance, name, source);
        // The next load would hide it if any of these was lost.
        assertThere(instance == one ? other : one, name, source.acknowledged(before - TAIL));
        requireRunning();
      }
    } finally {
      done.complete(null);
    }
    for (var task : beside) {
      task.get(60, TimeUnit.SECONDS);
    }
    assertLaws(name, source);
  }

  private enum Ending {
    COMMIT,
    COMMIT_BY_THE_OTHER,
    RENAME_AND_COMMIT,
    DATE_AND_COMMIT,
    ABORT,
    ABANDON,
    LOSE
  }

  private void cycle(TestInstance instance, FilterName name, SourceOfTruth source) {
    var ending = Ending.values()[random.nextInt(Ending.values().length)];
    cycles.merge(ending.toString(), 1, Integer::sum);
    if (ending == Ending.ABANDON) {
      abandon(instance, name);
      return;
    }
    var parameters = parameters();
    var next = instance.openings.open(name, live -> parameters, AN_HOUR);
    switch (ending) {
      case COMMIT -> {
        load(instance, next, source);
        commit(instance, next);
      }
      case COMMIT_BY_THE_OTHER -> {
        load(instance, next, source);
        commit(instance == one ? other : one, next);
      }
      case RENAME_AND_COMMIT -> {
        var away = name();
        other.renames.rename(name, away, false);
        one.renames.rename(away, name, false);
        load(instance, next, source);
        commit(instance, next);
      }
      case DATE_AND_COMMIT -> {
        var deadline = Instant.now().plusSeconds(3_600 + random.nextInt(3_600));
        other.changes.expire(name, Optional.of(deadline));
        load(instance, next, source);
        one.changes.expire(name, Optional.empty());
        commit(instance, next);
      }
      case ABORT -> {
        load(instance, next, source);
        assertEquals(true, instance.rebuilds.abort(next));
      }
      case LOSE -> lose(name, next);
      case ABANDON -> throw new IllegalStateException();
    }
  }

  /** The sweep of some instance aborts it, perhaps before it is told that it is open. */
  private void abandon(TestInstance instance, FilterName name) {
    var parameters = parameters();
    try {
      instance.openings.open(name, live -> parameters, Duration.ofMillis(1));
    } catch (BloomException failure) {
      assertEquals(ErrorCode.REBUILD_NOT_FOUND, failure.code(), failure.getMessage());
    }
    awaitAbort(name);
  }

  /**
   * A key of what is loaded is evicted, so that the next add aborts the rebuild. A sweep that began
   * while the segments were being made may make the lost one again, so it is lost again.
   */
  private void lose(FilterName name, Filter next) {
    var segment = random.nextInt(next.shape().segments());
    var key = TestStores.keys(next, segment).get(segment == 0 ? random.nextInt(2) : 1);
    awaitAbort(name, () -> redis.command("DEL", key));
  }

  private void awaitAbort(FilterName name) {
    awaitAbort(name, () -> {});
  }

  private void awaitAbort(FilterName name, Runnable cause) {
    Awaitility.await()
        .atMost(TestInstance.PATIENCE)
        .pollInterval(Duration.ofMillis(1))
        .until(
            () -> {
              requireRunning();
              cause.run();
              return one.describe(name).filter().next().isEmpty();
            });
  }

  private static void commit(TestInstance instance, Filter next) {
    instance.rebuilds.commit(next, 0, NewDeadline.KEEP);
    var committed = instance.describe(next.name());
    assertEquals(next.generation(), committed.filter().generation());
  }

  private void assertLaws(FilterName name, SourceOfTruth source) {
    var next = one.openings.open(name, live -> parameters(), AN_HOUR);
    load(one, next, source);
    await(other.elements.add(name, TestInstance.elements("last ", 500)));
    assertAllThere(one, name, source);
    assertAllThere(other, name, source);
    one.assertCountsAreExact(name);
    var loaded = other.descriptions.describeRebuild(name);
    one.fold(next);
    assertEquals(bitsOf(next), loaded.statistics().bitsSet());
    var live = one.describe(name).filter();
    hasty.reconciler.reconcileAbandoned();
    commit(other, next);
    assertAllThere(one, name, source);
    one.assertCountsAreExact(name);
    one.assertDeadline(name, Optional.empty());
    other.changes.delete(name, false);
    hasty.reconciler.reconcileAbandoned();
    one.assertNothingLeft(live);
    one.assertNothingLeft(next);
  }

  private long bitsOf(Filter filter) {
    return IntStream.range(0, filter.shape().segments())
        .mapToLong(
            segment -> one.redis("BITCOUNT", TestStores.keys(filter, segment).get(1)).toLong())
        .sum();
  }
}
