package io.github.bloomgate.rebuild;

import static io.github.bloomgate.support.TestInstance.assertFails;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.model.FilterPlan;
import io.github.bloomgate.model.NewExpiry;
import io.github.bloomgate.model.Quota;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.AnyKind;
import io.github.bloomgate.support.TestInstance;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rebuilds of filters of every kind. */
@Tag("slow")
class RebuildTest extends RebuiltFilters {

  @ParameterizedTest
  @EnumSource
  void aCommitKeepsConcurrentAdds(AnyKind kind) {
    var live = filled(kind, SOON);
    var name = live.name();
    var rebuild = open(kind, name);
    load(rebuild, LOADED);
    second.add(name, CONCURRENT);
    assertHas(name, List.of(OLD, CONCURRENT));
    assertNone(name, LOADED);
    assertFails(ErrorCode.REBUILD_TOO_SMALL, () -> rebuild.commit(301, NewExpiry.KEEP));
    first.fold();
    var loaded = second.descriptions.describeRebuild(name).statistics();
    assertEquals(550, loaded.insertions());

    commit(second, name);
    var committed = first.describe(name);
    assertEquals(rebuild.next().content(), committed.filter().content());
    assertEquals(live.generation() + 1, committed.filter().generation());
    assertEquals(live.createdAt(), committed.filter().createdAt());
    assertEquals(rebuild.next().parameters(), committed.filter().parameters());
    assertEquals(loaded, committed.statistics());
    assertHas(name, List.of(LOADED, CONCURRENT));
    assertNone(name, OLD);
    first.assertDeadline(name, SOON);
    assertOver(rebuild);
    assertNoContent(live);
    first.changes.delete(name, false);
    first.assertNothingLeft(committed.filter());
  }

  @Test
  void aNewFilterWhoseNameIsTakenHasNothingToAbort() {
    var name = name();
    var plan = FilterPlan.of(TestInstance.sized(1_000, 0.01, WhenFull.ACCEPT));
    var rebuild = first.rebuilds.openNew(name, plan, TestInstance.MAX_WAIT, Quota.NONE);
    var taken = second.create(name, TestInstance.sized(1_000, 0.01, WhenFull.ACCEPT));
    assertFalse(rebuild.abort());
    assertEquals(taken.content(), first.describe(name).filter().content());
  }

  @ParameterizedTest
  @EnumSource
  void anAbortKeepsTheLiveContent(AnyKind kind) {
    var live = filled(kind, SOON);
    var name = live.name();
    var rebuild = open(kind, name);
    load(rebuild, LOADED);
    second.add(name, CONCURRENT);
    assertTrue(find(second, name).abort());
    assertOver(rebuild);
    assertNoContent(rebuild.next());
    assertFalse(hasNextKey(name));
    assertHas(name, List.of(OLD, CONCURRENT));
    assertNone(name, LOADED);
    assertEquals(live.content(), first.describe(name).filter().content());
    first.assertDeadline(name, SOON);
    // Another rebuild can be opened, and the earlier one cannot affect it.
    var another = open(kind, name);
    assertNotEquals(rebuild.next().content(), another.next().content());
    assertOver(rebuild);
    second.add(name, CONCURRENT);
    load(another, LOADED);
    another.commit(1, NewExpiry.KEEP);
    assertHas(name, List.of(LOADED, CONCURRENT));
    assertNoContent(live);
  }

  @Test
  void elementsTheNextGenerationRejectsAreRefused() {
    var name = filled(AnyKind.ONE_SEGMENT, NEVER).name();
    var small = TestInstance.sized(100, 1e-6, WhenFull.REJECT);
    var rebuild = first.rebuilds.open(name, live -> small, AN_HOUR);
    second.add(name, elements("fits ", 50));
    assertFails(ErrorCode.FILTER_FULL, second.elements.add(name, CONCURRENT));
    assertFails(ErrorCode.FILTER_FULL, rebuild.load(LOADED));
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
        assertFails(ErrorCode.STORE_FULL, rebuild.load(MORE));
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
