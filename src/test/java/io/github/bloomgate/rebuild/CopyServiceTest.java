package io.github.bloomgate.rebuild;

import static io.github.bloomgate.support.Failures.assertFails;
import static io.github.bloomgate.support.TestInstance.await;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.github.bloomgate.memory.Client;
import io.github.bloomgate.memory.MemoryBudget;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.NewExpiry;
import io.github.bloomgate.model.Quota;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.support.AnyKind;
import io.github.bloomgate.support.InParallel;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Copies of filters of every kind. */
@Tag("slow")
class CopyServiceTest extends RebuiltFilters {

  private static final int MANY = 3_000;

  private static void copy(FilterName from, FilterName to, boolean replace) {
    copy(from, to, replace, NEVER);
  }

  private static void copy(
      FilterName from, FilterName to, boolean replace, Optional<Instant> expiry) {
    first.copies.copy(from, to, replace, expiry, Quota.NONE, Client.SERVICE);
  }

  @ParameterizedTest
  @EnumSource
  void aCopyIsTheSameFilterUnderAnotherName(AnyKind kind) {
    var from = kind.create(first);
    var original = first.describe(from);
    var to = name();
    for (var many : List.of(0, MANY)) {
      first.add(from, elements("in ", Math.max(1, many)));
      copy(from, to, many > 0);
      original = second.describe(from);
      var copy = second.describe(to);
      assertEquals(original.live().plan().openedAt(NEVER), copy.live().plan().openedAt(NEVER));
      if (kind != AnyKind.ADOPTED) {
        assertEquals(original.statistics(), copy.statistics());
        assertEquals(original.layers(), copy.layers());
      }
      assertEquals(original.slices(), copy.slices());
      assertEquals(many > 0 ? 2 : 1, copy.live().number());
      assertFalse(copy.live().isAdopted());
      assertHas(to, List.of(elements("in ", Math.max(1, many))));
      assertNone(to, elements("out ", 1_000));
      assertEquals(0, await(second.elements.add(to, elements("in ", many + 1))).trueCount(), 1);
    }
    assertFalse(hasNextKey(to));

    // Source and copy are independent, and a copy may grow to other layers.
    second.add(to, MORE);
    first.add(from, CONCURRENT);
    assertNone(from, MORE);
    assertNone(to, CONCURRENT);
    second.add(to, elements("on ", MANY));
    assertHas(to, List.of(elements("in ", MANY), elements("on ", MANY), MORE));
    second.changes.delete(from, false);
    first.assertNothingLeft(original.live());
    assertHas(to, List.of(elements("in ", MANY), MORE));
    var copy = first.describe(to).live();
    first.changes.delete(to, false);
    first.assertNothingLeft(copy);
  }

  @Test
  void aCopyKeepsTheCounters() {
    var from = AnyKind.COUNTING.create(first);
    for (var times = 0; times < 17; times++) {
      first.add(from, elements("in ", 40).subList(times, 40));
    }
    var to = name();
    copy(from, to, false);
    assertArrayEquals(
        first.count(from, elements("in ", 40)), second.count(to, elements("in ", 40)));
    for (var round = 0; round < 17; round++) {
      assertArrayEquals(
          first.remove(from, elements("in ", 40)), second.remove(to, elements("in ", 40)));
      assertArrayEquals(
          first.count(from, elements("in ", 40)), second.count(to, elements("in ", 40)));
    }
    first.assertCountsAreExact(to);
  }

  @Test
  void aCopyKeepsAWindowByInsertions() {
    var from = AnyKind.BY_INSERTIONS.create(first);
    first.add(from, elements("in ", 9_000));
    first.add(from, elements("then ", 9_000));
    first.add(from, elements("now ", 8_000));
    var to = name();
    copy(from, to, false);
    for (var round = 0; round < 6; round++) {
      var some = elements("round " + round + " ", 5_000);
      first.add(from, some);
      second.add(to, some);
      for (var prefix : List.of("in ", "then ", "now ")) {
        assertArrayEquals(
            first.test(from, elements(prefix, 8_000)), second.test(to, elements(prefix, 8_000)));
      }
    }
    assertEquals(first.describe(from).slices(), first.describe(to).slices());
    assertNone(to, elements("in ", 8_000));
  }

  @ParameterizedTest
  @EnumSource
  void refusedCopiesSayWhyAndChangeNothing(AnyKind kind) {
    var from = filled(kind, NEVER).name();
    assertFails(ErrorCode.INVALID_REQUEST, () -> copy(from, from, true));
    var missing = name();
    var to = name();
    assertFails(ErrorCode.FILTER_NOT_FOUND, () -> copy(missing, to, false));
    assertEquals(List.of(), first.keysWith(to.value()));
    // While a rebuild is open, the live content can be copied but not replaced.
    var rebuild = open(kind, from);
    load(rebuild, LOADED);
    copy(from, to, false);
    assertHas(to, List.of(OLD));
    assertNone(to, LOADED);
    assertFails(ErrorCode.REBUILD_IN_PROGRESS, () -> copy(to, from, true));
    rebuild.commit(1, NewExpiry.KEEP);
    assertHas(from, List.of(LOADED));
    if (kind != AnyKind.COUNTING) {
      var counting = filled(AnyKind.COUNTING, NEVER).name();
      assertFails(ErrorCode.INVALID_REQUEST, () -> copy(from, counting, true));
      assertHas(counting, List.of(OLD));
    }
  }

  /** A damaged filter can be replaced but never copied. */
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "ADOPTED")
  void damagedFiltersAreNeverCopied(AnyKind kind) {
    var damaged = kind.create(first);
    first.add(damaged, elements("in ", MANY));
    var filter = first.describe(damaged).live();
    var keys = first.keysWith(filter.content().incarnation());
    redis.command("DEL", keys.get(RANDOM.nextInt(keys.size())));
    var to = name();
    assertFails(ErrorCode.FILTER_DAMAGED, () -> copy(damaged, to, false));
    assertEquals(List.of(), first.keysWith(to.value()));
    var from = filled(kind, NEVER).name();
    copy(from, damaged, true);
    assertHas(damaged, List.of(OLD));
    assertNone(damaged, elements("in ", MANY));
  }

  /** Otherwise, many copies at once would fill the heap. */
  @ParameterizedTest
  @EnumSource
  void aCopyWaitsForMemory(AnyKind kind) {
    var from = filled(kind, NEVER).name();
    var to = filled(kind, NEVER).name();
    first.add(from, elements("in ", 9));
    var memory = first.get(MemoryBudget.class);
    var waiting = first.metrics.get("bloom.memory.waiting").gauge();
    var all = memory.takeOrWait(MemoryBudget.Use.BITMAPS, memory.most());
    var copying = first.begin(() -> copy(from, to, true));
    try {
      Awaitility.await().until(() -> waiting.value() == 1);
    } finally {
      all.close();
    }
    InParallel.resultOf(copying);
    assertHas(to, List.of(elements("in ", 9)));
  }
}
