package io.github.bloomgate.promises;

import static io.github.bloomgate.support.Failures.assertFails;
import static io.github.bloomgate.support.TestInstance.await;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static io.github.bloomgate.support.TestInstance.trueCount;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.filters.ChangedFilter;
import io.github.bloomgate.memory.Client;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.NewExpiry;
import io.github.bloomgate.model.Quota;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.error.ProblemDetails;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.AnyKind;
import io.github.bloomgate.support.InParallel;
import io.github.bloomgate.support.OnRedis;
import io.github.bloomgate.support.TestInstance;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Promises 1 and 4 while several instances use and change one filter of any kind. */
@Tag("slow")
@OnRedis
class TwoInstancesTest {

  private static final long SEED = System.nanoTime();
  private static final int THREADS = 6;
  private static final int SHARED = 1_000;

  private static TestRedis redis;
  private static TestInstance one;
  private static TestInstance other;

  /** An instance without copies of segments. */
  @OnRedis.Special private static TestInstance bare;

  @BeforeAll
  static void start() {
    System.out.println("seed " + SEED);
    bare = TestInstance.withoutCopies(redis);
  }

  private static List<TestInstance> all() {
    return List.of(one, other, bare);
  }

  /** Every thread adds the same elements, in its own order and batches. */
  @ParameterizedTest
  @EnumSource
  void everyElementIsNewForExactlyOneInstance(AnyKind kind) throws Exception {
    var name = kind.create(one);
    var shared = elements("shared ", SHARED);
    var claims = new AtomicIntegerArray(SHARED);
    var done = new AtomicBoolean();
    var folding =
        InParallel.run(
            () -> {
              for (var i = 0; !done.get(); i++) {
                all().get(i % 3).fold();
                other.describe(name);
              }
            });
    try {
      InParallel.atOnce(THREADS, thread -> addAll(thread, name, shared, claims));
    } finally {
      done.set(true);
    }
    folding.get(60, TimeUnit.SECONDS);
    for (var i = 0; i < SHARED; i++) {
      assertEquals(1, claims.get(i), "element " + i + ", seed " + SEED);
    }
    var insertions = kind == AnyKind.COUNTING ? THREADS * SHARED : SHARED;
    for (var instance : all()) {
      instance.assertMaybe(name, shared);
      assertEquals(0, trueCount(instance.test(name, elements("never ", SHARED))), "seed " + SEED);
      assertEquals(insertions, instance.describe(name).statistics().insertions(), "seed " + SEED);
    }
    one.assertCountsAreExact(name);
  }

  private static void addAll(
      int thread, FilterName name, List<byte[]> shared, AtomicIntegerArray claims) {
    var random = new Random(SEED + thread);
    var order = new ArrayList<>(IntStream.range(0, SHARED).boxed().toList());
    Collections.shuffle(order, random);
    for (var from = 0; from < SHARED; ) {
      var size = 1 + random.nextInt(random.nextInt(5) == 0 ? 900 : 60);
      var part = order.subList(from, Math.min(SHARED, from + size));
      from += part.size();
      var batch = part.stream().map(shared::get).toList();
      var flags = all().get(thread % 3).add(name, batch);
      for (var i = 0; i < flags.length; i++) {
        claims.addAndGet(part.get(i), flags[i] ? 1 : 0);
      }
      all().get(random.nextInt(3)).assertMaybe(name, batch);
    }
  }

  @Test
  void aFilterThatRejectsTakesExactlyItsN() throws Exception {
    var name = name();
    var limit = 3_000;
    one.create(name, TestInstance.sized(limit, 1e-9, WhenFull.REJECT));
    var applied = new AtomicInteger();
    InParallel.atOnce(
        THREADS,
        thread -> {
          for (var round = 0; round < 10; round++) {
            var batch = elements("limited " + thread + "." + round + ".", 100);
            try {
              applied.addAndGet(trueCount(all().get(thread % 3).add(name, batch)));
              one.assertMaybe(name, batch);
            } catch (BloomException full) {
              assertEquals(ErrorCode.FILTER_FULL, full.code());
              var count = (int) ((ProblemDetails.Applied) full.details().orElseThrow()).count();
              applied.addAndGet(count);
              one.assertMaybe(name, batch.subList(0, count));
            }
          }
        });
    assertEquals(limit, applied.get());
    assertEquals(limit, other.describe(name).statistics().insertions());
    one.assertCountsAreExact(name);
  }

  @Test
  void aFullFilterCountsElementsBeforeTheFirstRefusal() {
    var name = name();
    one.create(name, TestInstance.sized(700, 1e-6, WhenFull.REJECT));
    var known = elements("known ", 600);
    one.add(name, known);
    // New elements until the filter is full in the first call, then known elements, which a later
    // call would accept.
    var request = new ArrayList<>(elements("new ", 120));
    request.addAll(known);
    var full = assertThrows(BloomException.class, () -> one.add(name, request));
    assertEquals(100, ((ProblemDetails.Applied) full.details().orElseThrow()).count());
    assertEquals(100, trueCount(other.test(name, request.subList(0, 120))));
  }

  /** Each client removes only elements it added; others add and remove the same ones. */
  @Test
  void everyAddAndEveryRemovalCounts() throws Exception {
    var name = AnyKind.COUNTING.create(one);
    var shared = elements("e", 2_000);
    var held = new AtomicIntegerArray(shared.size());
    InParallel.atOnce(4, thread -> addAndRemove(thread, name, shared, held));
    for (var instance : all()) {
      var counts = instance.count(name, shared);
      for (var i = 0; i < counts.length; i++) {
        assertEquals(held.get(i), counts[i], "element " + i + ", seed " + SEED);
      }
    }
    var insertions = IntStream.range(0, shared.size()).map(held::get).sum();
    assertEquals(insertions, one.describe(name).statistics().insertions());
    one.assertCountsAreExact(name);
  }

  private static void addAndRemove(
      int thread, FilterName name, List<byte[]> shared, AtomicIntegerArray held) {
    var random = new Random(SEED + thread);
    var instance = all().get(thread % 3);
    var own = new boolean[shared.size()];
    for (var round = 0; round < 100; round++) {
      var adds = random.nextInt(5) < 3;
      var size = random.nextInt(10) == 0 ? 800 : 40;
      var indexes =
          random.ints(size, 0, own.length).distinct().filter(i -> own[i] != adds).toArray();
      var some = IntStream.of(indexes).mapToObj(shared::get).toList();
      if (adds) {
        instance.add(name, some);
      } else {
        assertEquals(some.size(), trueCount(instance.remove(name, some)), "seed " + SEED);
      }
      for (var i : indexes) {
        own[i] = adds;
        held.addAndGet(i, adds ? 1 : -1);
      }
      instance.assertMaybe(
          name, IntStream.range(0, own.length).filter(i -> own[i]).mapToObj(shared::get).toList());
    }
  }

  /**
   * The description comes from the reply of the script. If others have added since or journals are
   * not folded, it is read.
   */
  @ParameterizedTest
  @EnumSource
  void aChangeIsDescribedAsTheFilterIsThen(AnyKind kind) {
    var name = kind.create(one);
    var to = name();
    for (var isFolded : List.of(true, false)) {
      one.describe(name);
      other.add(name, elements("unknown " + isFolded, 300));
      if (isFolded) {
        other.fold();
      }
      assertDescribed(name, one.changes.expire(name, NewExpiry.of(TestInstance.inHours(1))));
      assertDescribed(name, one.changes.expire(name, NewExpiry.of(TestInstance.inHours(1))));
      other.add(name, elements("more " + isFolded, 300));
      assertDescribed(to, one.renames.rename(name, to, false));
      assertDescribed(name, one.renames.rename(to, name, false));
      try (var rebuild = one.rebuilds.open(name, its -> its, Duration.ofHours(1))) {
        await(rebuild.load(elements("loaded " + isFolded, 300), Client.SERVICE));
        other.add(name, elements("both " + isFolded, 300));
        if (isFolded) {
          one.fold();
        }
        assertDescribed(name, rebuild.commit(1, NewExpiry.KEEP));
      }
    }
    assertDescribed(name, one.changes.clear(name));
    assertEquals(0, one.describe(name).statistics().bitsSet());
  }

  /** The first instance still has the filter in its cache under the old name. */
  @Test
  void aRenameByAnotherInstanceMakesTheOldNameUnknown() {
    var name = AnyKind.ONE_SEGMENT.create(one);
    var to = name();
    one.describe(name);
    other.renames.rename(name, to, false);
    assertFails(ErrorCode.FILTER_NOT_FOUND, () -> one.renames.rename(name, to, false));
  }

  private static void assertDescribed(FilterName name, ChangedFilter changed) {
    assertEquals(other.describe(name), one.descriptions.describeChanged(changed));
  }

  /** Changes may be refused, but the final state must be consistent. */
  @Test
  void concurrentChangesLeaveConsistentFilters() throws Exception {
    try (var own = TestRedis.started();
        var first = new TestInstance(own);
        var second = new TestInstance(own)) {
      var names = List.of(name(), name());
      InParallel.atOnce(
          3,
          side -> {
            var random = new Random(SEED + side);
            for (var i = 0; i < 120; i++) {
              changeIgnoringConflicts(
                  side == 0 ? first : second,
                  names.get(random.nextInt(2)),
                  names.get(random.nextInt(2)),
                  random);
            }
          });
      for (var name : names) {
        if (!first.exists(name)) {
          AnyKind.SEVERAL_SEGMENTS.create(first, name, Optional.empty());
        }
        first.describe(name).live().next().ifPresent(next -> second.rebuild(name).abort());
        first.add(name, elements("last ", 50));
        second.assertMaybe(name, elements("last ", 50));
        second.assertCountsAreExact(name);
        second.changes.delete(name, false);
      }
      // Earlier filters leave no segments except dropped ones.
      assertEquals(
          List.of(),
          first.keysWith("bloom:").stream().filter(key -> !key.contains("{=names}")).toList(),
          "seed " + SEED);
      assertEquals(
          List.of(),
          first
              .descriptions
              .list(List.of("n"), Optional.empty(), 10, false, Client.SERVICE)
              .entries());
    }
  }

  private static void changeIgnoringConflicts(
      TestInstance instance, FilterName name, FilterName to, Random random) {
    var kinds = AnyKind.values();
    var expiry = random.nextBoolean() ? TestInstance.inHours(1) : Optional.<Instant>empty();
    try {
      switch (random.nextInt(10)) {
        case 0, 1 -> {
          var kind = kinds[random.nextInt(kinds.length)];
          if (kind == AnyKind.ADOPTED) {
            kind.create(instance, name, expiry);
          } else {
            instance.creations.create(name, kind.parameters(), NewExpiry.of(expiry), Quota.NONE);
          }
        }
        case 2 -> instance.changes.delete(name, false);
        case 3 -> instance.changes.clear(name);
        case 4 -> instance.changes.expire(name, NewExpiry.of(expiry));
        case 5 -> instance.renames.rename(name, to, random.nextBoolean());
        case 6 ->
            instance.copies.copy(
                name, to, random.nextBoolean(), expiry, Quota.NONE, Client.SERVICE);
        case 7 -> {
          var rebuild = instance.rebuilds.open(name, live -> live, Duration.ofHours(1));
          await(rebuild.load(elements("loaded ", 20), Client.SERVICE));
        }
        case 8 -> {
          var rebuild = instance.rebuild(name);
          if (random.nextBoolean()) {
            rebuild.commit(0, NewExpiry.KEEP);
          } else {
            rebuild.abort();
          }
        }
        default -> instance.add(name, elements("e", 1 + random.nextInt(3_000)));
      }
    } catch (BloomException failure) {
      var allowed =
          Set.of(
              ErrorCode.FILTER_NOT_FOUND,
              ErrorCode.FILTER_CHANGED,
              ErrorCode.FILTER_EXISTS,
              ErrorCode.REBUILD_NOT_FOUND,
              ErrorCode.REBUILD_IN_PROGRESS,
              ErrorCode.INVALID_REQUEST);
      assertTrue(allowed.contains(failure.code()), failure.code() + ": " + failure.getMessage());
    }
  }
}
