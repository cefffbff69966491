package io.github.bloomgate.rebuild;

import static io.github.bloomgate.support.Failures.assertFails;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.memory.Client;
import io.github.bloomgate.model.NewExpiry;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.AnyKind;
import io.github.bloomgate.support.InParallel;
import io.github.bloomgate.support.TestInstance;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Rebuilds of filters that are renamed, get another expiry or expire, batches at the same time, and
 * rebuilds without room.
 */
@Tag("slow")
class RebuildMeetsChangesTest extends RebuiltFilters {

  @ParameterizedTest
  @EnumSource
  void aRebuildFollowsARename(AnyKind kind) {
    var live = filled(kind, SOON);
    var name = live.name();
    var rebuild = open(kind, name);
    load(rebuild, LOADED);
    var to = name();
    second.renames.rename(name, to, false);
    assertOver(rebuild);
    assertFalse(hasNextKey(name));
    second.add(to, CONCURRENT);
    assertHas(to, List.of(OLD, CONCURRENT));
    var moved = first.rebuild(to);
    assertEquals(rebuild.next().content(), moved.next().content());
    load(moved, MORE);
    // The name is free, and another filter with this name is independent.
    kind.create(second, name, NEVER);
    assertFails(ErrorCode.REBUILD_NOT_FOUND, first.rebuilds.find(name, Optional.empty()));
    second.changes.delete(name, false);
    moved.commit(1, NewExpiry.KEEP);
    assertHas(to, List.of(LOADED, CONCURRENT, MORE));
    assertNone(to, OLD);
    first.assertExpiry(to, SOON);
    assertNoContent(live);
    var committed = first.describe(to).live();
    second.changes.delete(to, false);
    first.assertNothingLeft(committed);
    assertEquals(List.of(), first.keysWith(name.value()));
  }

  /**
   * The commit may also set an expiry. Each kind meets every pair of the three expiries, and all
   * kinds together meet every triple.
   */
  @ParameterizedTest
  @EnumSource
  void aCommitKeepsTheCurrentExpiry(AnyKind kind) {
    var expiries = List.of(NEVER, SOON, LATE);
    var kinds = List.of(AnyKind.values());
    for (var i = 0; i < 3; i++) {
      for (var j = 0; j < 3; j++) {
        var old = expiries.get((i + j + kinds.indexOf(kind)) % 3);
        var now = expiries.get(i);
        var set = expiries.get(j);
        var name = filled(kind, old).name();
        var rebuild = open(kind, name);
        load(rebuild, LOADED);
        second.changes.expire(name, NewExpiry.of(now));
        assertHas(name, List.of(OLD));
        load(rebuild, MORE);
        rebuild.commit(1, set.map(NewExpiry::at).orElse(NewExpiry.KEEP));
        first.assertExpiry(name, set.isPresent() ? set : now);
        second.add(name, CONCURRENT);
        first.assertExpiry(name, set.isPresent() ? set : now);
        assertHas(name, List.of(LOADED, MORE, CONCURRENT));
        second.changes.delete(name, false);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void aFilterThatExpiresDuringARebuildLeavesNothing(AnyKind kind) {
    for (var isDated : List.of(true, false)) {
      var live = filled(kind, isDated ? SOON : NEVER);
      var name = live.name();
      var rebuild = open(kind, name);
      load(rebuild, LOADED);
      if (!isDated) {
        second.changes.expire(name, NewExpiry.of(SOON));
      }
      load(rebuild, MORE);
      second.passExpiry(live, rebuild.next());
      assertOver(rebuild);
      assertFails(ErrorCode.FILTER_NOT_FOUND, first.elements.add(name, OLD));
      assertFails(ErrorCode.FILTER_NOT_FOUND, second.elements.test(name, OLD, Client.SERVICE));
      var unused =
          second.descriptions.list(
              List.of(name.value()), Optional.empty(), 10, false, Client.SERVICE);
      first.assertNothingLeft(live);
      first.assertNothingLeft(rebuild.next());
    }
  }

  /** The rebuild is opened at each moment of a batch that takes several calls. */
  @ParameterizedTest
  @EnumSource
  void aBatchDuringTheOpeningOfARebuildGoesThereCompletely(AnyKind kind) {
    // One segment takes 10,000 elements in two blocks. Other kinds need several calls for a few
    // elements.
    var batch = kind == AnyKind.ONE_SEGMENT ? elements("batch ", 10_000) : CONCURRENT;
    try (var slow = TestInstance.stepwise(redis)) {
      var isDone = false;
      for (var calls = 0; !isDone; calls++) {
        var name = filled(kind, NEVER).name();
        slow.steps().hold();
        var adding = slow.begin(() -> slow.elements.add(name, batch).await().indefinitely());
        go(slow, adding, calls);
        isDone = adding.isDone();
        var rebuild = open(kind, name);
        slow.steps().release();
        InParallel.resultOf(adding);
        assertHas(name, List.of(OLD, batch));
        rebuild.commit(0, NewExpiry.KEEP);
        if (!isDone) {
          assertHas(name, List.of(batch));
        }
        second.changes.delete(name, false);
      }
    }
  }

  /** Waits for each call, because large batches are hashed, and filters grow, on other threads. */
  private static void go(TestInstance slow, CompletableFuture<Void> begun, int calls) {
    for (var i = 0; i < calls && !begun.isDone(); i++) {
      Awaitility.await()
          .pollInterval(Duration.ofMillis(1))
          .until(() -> begun.isDone() || slow.steps().canExecute());
      slow.go(1);
    }
  }

  @Test
  void elementsTheNextGenerationRejectsAreRefused() {
    var name = filled(AnyKind.ONE_SEGMENT, NEVER).name();
    var small = TestInstance.sized(100, 1e-6, WhenFull.REJECT);
    var rebuild = first.rebuilds.open(name, live -> small, AN_HOUR);
    second.add(name, elements("fits ", 50));
    assertFails(ErrorCode.FILTER_FULL, second.elements.add(name, CONCURRENT));
    assertFails(ErrorCode.FILTER_FULL, rebuild.load(LOADED, Client.SERVICE));
    // The filter already has these elements, so they do not make it full.
    second.add(name, elements("fits ", 50));
    assertTrue(rebuild.abort());
    second.add(name, CONCURRENT);
    assertHas(name, List.of(OLD, CONCURRENT, elements("fits ", 50)));
  }

  /** When Redis is full, a rebuild can still be committed or aborted. */
  @ParameterizedTest
  @EnumSource
  void aRebuildEndsInAFullRedis(AnyKind kind) {
    try (var full = TestRedis.started();
        var instance = new TestInstance(full)) {
      for (var commits : List.of(true, false)) {
        var name = kind.create(instance, Optional.empty());
        instance.add(name, OLD);
        full.command("CONFIG", "SET", "maxmemory", "1");
        assertFails(ErrorCode.STORE_FULL, () -> TestInstance.openNext(instance, name));
        full.command("CONFIG", "SET", "maxmemory", "0");
        var rebuild = instance.rebuilds.open(name, live -> kind.parameters(), AN_HOUR);
        load(rebuild, LOADED);
        full.command("CONFIG", "SET", "maxmemory", "1");
        assertFails(ErrorCode.STORE_FULL, rebuild.load(MORE, Client.SERVICE));
        if (commits) {
          rebuild.commit(1, NewExpiry.KEEP);
        } else {
          assertTrue(rebuild.abort());
        }
        instance.assertMaybe(name, commits ? LOADED : OLD);
        full.command("CONFIG", "SET", "maxmemory", "0");
        instance.add(name, MORE);
        instance.assertMaybe(name, MORE);
        instance.assertCountsAreExact(name);
      }
    }
  }
}
