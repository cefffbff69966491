package io.github.bloomgate.rebuild;

import static io.github.bloomgate.support.TestInstance.await;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.elements.ElementService;
import io.github.bloomgate.memory.Client;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.NewExpiry;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.store.Keys;
import io.github.bloomgate.support.AnyKind;
import io.github.bloomgate.support.InParallel;
import io.github.bloomgate.support.OnRedis;
import io.github.bloomgate.support.SourceOfTruth;
import io.github.bloomgate.support.TestExtent;
import io.github.bloomgate.support.TestInstance;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Promises 1 and 4 while writers on two instances add as fast as they can to filters of every kind.
 * Meanwhile, rebuilds are opened, loaded, committed, aborted, abandoned and lost.
 */
@OnRedis
@Tag("slow")
class RebuildPromisesTest {

  private static final long ADDS = TestExtent.of("test.rebuild-adds", 100_000L, 10_000_000L);
  private static final Duration A_MINUTE = Duration.ofMinutes(1);
  private static final int WRITERS = 4;
  private static final int MOST_PER_FILTER = 18_000;
  private static final int CYCLES_PER_FILTER = 8;

  /** More than the requests that may be in progress when a rebuild is opened. */
  private static final int TAIL = 100;

  private static final int MOST_AT_ONCE = 300;

  /** Errors that writers retry while the filter is renamed or keeps changing. */
  private static final Set<ErrorCode> TRY_AGAIN =
      Set.of(ErrorCode.FILTER_NOT_FOUND, ErrorCode.FILTER_CHANGED);

  private static TestRedis redis;
  private static TestInstance one;
  private static TestInstance other;

  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);
  private final AtomicLong adds = new AtomicLong();

  /** New elements that no writer saw as new. */
  private final AtomicLong known = new AtomicLong();

  private final AtomicLong repeated = new AtomicLong();
  private final List<CompletableFuture<Void>> parallel = new ArrayList<>();
  private final TreeMap<String, Integer> cycles = new TreeMap<>();

  @Test
  void noElementIsLostDuringRebuilds() throws Exception {
    System.out.println("noElementIsLostDuringRebuilds: seed " + seed);
    do {
      for (var kind : AnyKind.values()) {
        oneFilter(kind);
      }
    } while (adds.get() < ADDS);
    System.out.printf(
        "%d adds, %d never reported as new, %d requests repeated, %s%n",
        adds.get(), known.get(), repeated.get(), cycles);
    assertTrue(
        known.get() <= 20, known.get() + " elements that no request reported as new, " + what());
    redis.command("DEL", one.keysWith("library").toArray(String[]::new));
    assertEquals(List.of(), one.keysWith("n"));
  }

  private void oneFilter(AnyKind kind) throws Exception {
    var source = new SourceOfTruth();
    var name = kind.create(one);
    var done = new CompletableFuture<Void>();
    parallel.clear();
    for (var writer = 0; writer < WRITERS; writer++) {
      var own = new Random(random.nextLong());
      var instance = writer % 2 == 0 ? one : other;
      parallel.add(InParallel.run(() -> write(instance, name, source, own, MOST_PER_FILTER, done)));
    }
    try {
      for (var cycle = 0; cycle < CYCLES_PER_FILTER; cycle++) {
        var instance = random.nextBoolean() ? one : other;
        var before = source.size();
        cycle(kind, instance, name, source);
        // Checked before the next load, which would hide a loss.
        assertThere(instance == one ? other : one, name, source.acknowledged(before - TAIL));
        requireRunning();
      }
    } finally {
      done.complete(null);
    }
    for (var task : parallel) {
      task.get(60, TimeUnit.SECONDS);
    }
    assertPromises(kind, name, source);
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

  private void cycle(AnyKind kind, TestInstance instance, FilterName name, SourceOfTruth source) {
    var ending = Ending.values()[random.nextInt(Ending.values().length)];
    cycles.merge(ending.toString(), 1, Integer::sum);
    var maxWait = ending == Ending.ABANDON ? Duration.ofMillis(1) : A_MINUTE;
    var next = kind.next(random);
    var rebuild = instance.rebuilds.open(name, live -> next, maxWait);
    switch (ending) {
      case COMMIT -> {
        load(rebuild, source);
        rebuild.commit(0, NewExpiry.KEEP);
      }
      case COMMIT_BY_THE_OTHER -> {
        load(rebuild, source);
        (instance == one ? other : one).rebuild(name).commit(0, NewExpiry.KEEP);
      }
      case RENAME_AND_COMMIT -> {
        load(rebuild, source);
        var away = name();
        other.renames.rename(name, away, false);
        one.renames.rename(away, name, false);
        instance.rebuild(name).commit(0, NewExpiry.KEEP);
      }
      case DATE_AND_COMMIT -> {
        other.changes.expire(name, NewExpiry.at(Instant.now().plusSeconds(3_600)));
        load(rebuild, source);
        one.changes.expire(name, NewExpiry.NONE);
        instance.rebuild(name).commit(0, NewExpiry.KEEP);
      }
      case ABORT -> {
        load(rebuild, source);
        assertTrue(rebuild.abort());
      }
      case ABANDON -> awaitEnd(name);
      case LOSE -> {
        load(rebuild, source);
        redis.command("DEL", Keys.next(name));
        awaitEnd(name);
      }
    }
    if (ending.name().contains("COMMIT")) {
      assertEquals(rebuild.next().content(), one.describe(name).live().content());
    }
  }

  private void awaitEnd(FilterName name) {
    Awaitility.await()
        .pollInterval(Duration.ofMillis(1))
        .until(
            () -> {
              requireRunning();
              return isWithoutRebuild(name);
            });
  }

  private boolean isWithoutRebuild(FilterName name) {
    try {
      var unused = one.descriptions.describeRebuild(name, Client.SERVICE);
      return false;
    } catch (BloomException failure) {
      assertEquals(ErrorCode.REBUILD_NOT_FOUND, failure.code(), failure.getMessage());
      return true;
    }
  }

  /** Loaded and concurrently added elements are present and counted, before and after a commit. */
  private void assertPromises(AnyKind kind, FilterName name, SourceOfTruth source) {
    var next = kind.next(random);
    assertAllThere(name, source);
    one.assertCountsAreExact(name);
    var rebuild = one.rebuilds.open(name, live -> next, A_MINUTE);
    load(rebuild, source);
    other.add(name, TestInstance.elements("last ", 500));
    assertAllThere(name, source);
    one.assertCountsAreExact(name);
    var loaded = other.descriptions.describeRebuild(name, Client.SERVICE).statistics();
    other.rebuild(name).commit(0, NewExpiry.KEEP);
    assertAllThere(name, source);
    one.assertMaybe(name, TestInstance.elements("last ", 500));
    one.assertCountsAreExact(name);
    var description = one.describe(name);
    assertEquals(loaded, description.statistics(), what());
    var elements = source.elements() + 500;
    var counted = description.statistics().insertions();
    assertTrue(counted <= elements && counted > elements - 20, counted + " of " + elements);
    one.assertExpiry(name, Optional.empty());
    one.fold();
    other.fold();
    other.changes.delete(name, false);
    one.assertNothingLeft(description.live());
  }

  private void assertAllThere(FilterName name, SourceOfTruth source) {
    for (var instance : List.of(one, other)) {
      assertThere(instance, name, source.acknowledged(0));
    }
  }

  /** Adds new elements, in small and large requests, and retries each until it succeeds. */
  private void write(
      TestInstance instance,
      FilterName name,
      SourceOfTruth source,
      Random own,
      int most,
      CompletableFuture<Void> done) {
    while (!done.isDone() && source.elements() < most) {
      var batch = source.note(own, own.nextInt(4) == 0 ? 1 + own.nextInt(MOST_AT_ONCE) : 1);
      var attempts = 0;
      while (!batch.acknowledged) {
        try {
          attempts++;
          var answers = await(instance.elements.add(name, batch.elements));
          batch.acknowledged = true;
          if (attempts == 1 && !batch.loadedBefore) {
            known.addAndGet(batch.elements.size() - answers.trueCount());
          }
        } catch (BloomException failure) {
          if (!TRY_AGAIN.contains(failure.code())) {
            throw failure;
          }
          repeated.incrementAndGet();
        }
      }
      adds.addAndGet(batch.elements.size());
      if (own.nextInt(4) == 0) {
        assertThere(instance, name, batch.elements);
      }
    }
  }

  private void requireRunning() {
    for (var task : parallel) {
      if (task.isCompletedExceptionally()) {
        task.join();
      }
    }
  }

  private static void load(Rebuild rebuild, SourceOfTruth source) {
    inRequests(source.read(), part -> await(rebuild.load(part, Client.SERVICE)));
  }

  private void assertThere(TestInstance instance, FilterName name, List<byte[]> elements) {
    inRequests(elements, part -> assertEquals(part.size(), maybe(instance, name, part), what()));
  }

  private static int maybe(TestInstance instance, FilterName name, List<byte[]> elements) {
    while (true) {
      try {
        return await(instance.elements.test(name, elements, Client.SERVICE)).trueCount();
      } catch (BloomException failure) {
        if (!TRY_AGAIN.contains(failure.code())) {
          throw failure;
        }
      }
    }
  }

  private String what() {
    return "seed " + seed;
  }

  private static void inRequests(List<byte[]> elements, Consumer<List<byte[]>> request) {
    for (var from = 0; from < elements.size(); from += ElementService.MAX_ELEMENTS) {
      request.accept(
          elements.subList(from, Math.min(elements.size(), from + ElementService.MAX_ELEMENTS)));
    }
  }
}
