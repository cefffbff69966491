package io.github.bloomgate.rebuild;

import static io.github.bloomgate.support.TestInstance.SEVERAL;
import static io.github.bloomgate.support.TestInstance.await;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static io.github.bloomgate.support.TestInstance.shape;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.filters.NewDeadline;
import io.github.bloomgate.filters.Quota;
import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.FilterPlan;
import io.github.bloomgate.model.Growth;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.SeveralSlotsException;
import io.github.bloomgate.store.TestStores;
import io.github.bloomgate.support.HastyClock;
import io.github.bloomgate.support.TestInstance;
import io.github.bloomgate.support.TestWindows;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A commit is one script where one Redis has all keys, and leaves what the steps of a cluster do.
 */
class CommitCallsTest extends CommitCalls {

  private static final FilterParameters SMALLER = shape(100_000, 7);

  static List<FilterParameters> kinds() {
    var scheme = HashSchemes.nativeScheme();
    return List.of(
        ONE,
        FilterParameters.growing(scheme, 100_000, 0.01, new Growth(2, 1 << 20)),
        FilterParameters.windowed(scheme, 10_000, 0.01, TestWindows.years(4, true)),
        FilterParameters.counting(scheme, 10_000, 0.01, WhenFull.ACCEPT));
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void theRequestForACommitIsOneScriptAndACallBefore(FilterParameters kind) {
    onSingle.create(name, kind);
    for (var deadline : List.of(NewDeadline.KEEP, LATE, NewDeadline.KEEP, NewDeadline.NONE)) {
      onSingle.fold(loaded(onSingle, kind));
      work.requests();
      var answer = request(onSingle, deadline);
      assertEquals(List.of("describe", "commit"), work.requests());
      assertEquals(answer, onSingle.describe(name));
      assertListed(onSingle, answer.filter());
    }
  }

  @Test
  void aRedisThatIsFullCommitsWhatItHas() {
    onSingle.create(name, ONE);
    var next = loaded(onSingle, SMALLER);
    onSingle.redis("CONFIG", "SET", "maxmemory", "1");
    try {
      onSingle.rebuilds.commit(next, 1, LATE);
    } finally {
      onSingle.redis("CONFIG", "SET", "maxmemory", "0");
    }
    assertListed(onSingle, next);
  }

  /** What is in no bitmap yet is brought there for the answer, as for any description. */
  @Test
  void whatWasLoadedAMomentAgoIsAThirdCall() {
    onSingle.create(name, ONE);
    loaded(onSingle, ONE);
    work.requests();
    var answer = request(onSingle, NewDeadline.KEEP);
    assertEquals(List.of("describe", "commit", "replay"), work.requests());
    assertEquals(answer.statistics(), onSingle.describe(name).statistics());
    onSingle.assertCountsAreExact(name);
  }

  @Test
  void soItIsOfABitmapThatWasAdopted() {
    for (var id : List.of("redisson", "go-zero", "rueidisprob")) {
      var scheme = HashSchemes.named(id).orElseThrow();
      var adopted = name();
      var parameters = FilterParameters.forShape(scheme, 1 << 14, 14, WhenFull.ACCEPT);
      onSingle.adoptions.adopt(
          adopted,
          "{lib of " + adopted + "}",
          scheme,
          Optional.of(parameters),
          Optional.empty(),
          Quota.NONE);
      var next = TestInstance.openNext(onSingle, adopted);
      await(onSingle.loads.load(next, elements("element ", 100)));
      work.requests();
      onSingle.rebuilds.commit(next, 100, LATE);
      assertEquals(List.of("commit"), work.requests(), id);
      onSingle.assertMaybe(adopted, elements("element ", 100));
      assertListed(onSingle, onSingle.describe(adopted).filter());
    }
  }

  @ParameterizedTest
  @EnumSource
  void whateverTheSizesNothingIsLeftBehind(Place place) {
    var instance = place.instance();
    var before = instance.create(name, ONE);
    for (var parameters : List.of(SMALLER, SEVERAL, SEVERAL, ONE, SMALLER)) {
      var live = instance.describe(name).filter();
      loaded(instance, parameters);
      var answer = request(instance, parameters.equals(SEVERAL) ? LATE : NewDeadline.KEEP);
      var now = instance.describe(name);
      assertEquals(answer.statistics(), now.statistics());
      assertEquals(answer.filter().expiresAt(), now.filter().expiresAt());
      assertEquals(parameters, answer.filter().parameters());
      assertEquals(before.createdAt(), answer.filter().createdAt());
      assertEquals(List.of(), instance.keysWith(live.generation().incarnation()));
      assertListed(instance, answer.filter());
      instance.assertMaybe(name, elements("loaded ", 100));
    }
    instance.changes.delete(name, false);
    instance.assertNothingLeft(before);
  }

  @ParameterizedTest
  @EnumSource
  void aFilterToComeIsListedWhenItIsThere(Place place) {
    var instance = place.instance();
    var next =
        instance.openings.openNew(name, FilterPlan.of(SMALLER), TestInstance.PATIENCE, Quota.NONE);
    instance.rebuilds.commit(next, 0, LATE);
    assertListed(instance, instance.describe(name).filter());
  }

  @Test
  void whoDiesBehindTheScriptLeavesANoteOfWhatIsToFollow() {
    var live = onSingle.create(name, SEVERAL);
    var next = loaded(onSingle, ONE);
    var noted =
        onSingle
            .stores
            .rebuilds()
            .commitAtOnce(next, Optional.empty(), 1, Optional.empty())
            .noted();
    assertEquals(score(), noted.orElseThrow().at());
    assertFalse(onSingle.keysWith(live.generation().incarnation()).isEmpty());
    try (var later = new TestInstance(single, new HastyClock())) {
      later.reconciler.reconcileAbandoned();
      later.assertReconciled(name);
    }
    assertEquals(List.of(), onSingle.keysWith(live.generation().incarnation()));
    assertListed(onSingle, next);
  }

  /** Then it counts as large as both were, until it is counted again. */
  @Test
  void whatGrewSinceItWasFoundIsNotCountedTooSmall() {
    var growing =
        FilterParameters.growing(HashSchemes.nativeScheme(), 1_000, 0.01, new Growth(2, 1 << 20));
    onSingle.create(name, growing);
    var found = TestInstance.openNext(onSingle, name);
    await(onSingle.loads.load(found, elements("loaded ", 4_000)));
    onSingle.rebuilds.commit(found, 1, NewDeadline.KEEP);
    var grown = onSingle.describe(name).filter();
    assertTrue(grown.sizeBytes() > found.sizeBytes());
    assertTrue(counted(onSingle, name) >= grown.sizeBytes());
    onSingle.stores.usage().reconcile(name);
    assertListed(onSingle, grown);
  }

  @Test
  void whereAListIsNoListNothingIsCommitted() {
    onSingle.create(name, ONE);
    var next = loaded(onSingle, ONE);
    for (var list : List.of(TestStores.catalogueKey(), TestStores.unsettledKey())) {
      onSingle.redis("RENAME", list, "away");
      onSingle.redis("SET", list, "theirs");
      assertThrows(BloomException.class, () -> onSingle.rebuilds.commit(next, 1, NewDeadline.KEEP));
      assertEquals(Optional.of(next.generation()), onSingle.describe(name).filter().next());
      onSingle.redis("RENAME", "away", list);
    }
    onSingle.rebuilds.commit(next, 1, NewDeadline.KEEP);
    assertListed(onSingle, next);
  }

  /** As where a quota is asked for next. */
  @Test
  void whereTheCountIsLostItIsCommittedAndCountedLater() {
    onSingle.create(name, ONE);
    var next = loaded(onSingle, SMALLER);
    for (var key : TestStores.usageKeys()) {
      onSingle.redis("RENAME", key, "away " + key);
      onSingle.redis("SET", key, "theirs");
    }
    var answer = onSingle.rebuilds.commit(next, 1, NewDeadline.KEEP);
    assertEquals(next.generation(), answer.orElseThrow().filter().generation());
    TestStores.usageKeys().forEach(key -> onSingle.redis("RENAME", "away " + key, key));
    onSingle.stores.usage().reconcile(name);
    assertListed(onSingle, next);
  }

  @Test
  void aClusterIsNotAskedToReachAllKeysByOneScript() {
    onCluster.create(name, ONE);
    var next = loaded(onCluster, ONE);
    assertThrows(
        SeveralSlotsException.class,
        () ->
            onCluster.stores.rebuilds().commitAtOnce(next, Optional.empty(), 1, Optional.empty()));
    assertEquals(Optional.of(next.generation()), onCluster.describe(name).filter().next());
  }
}
