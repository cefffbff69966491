package io.github.bloomgate.filters;

import static io.github.bloomgate.support.TestInstance.SEVERAL;
import static io.github.bloomgate.support.TestInstance.assertFails;
import static io.github.bloomgate.support.TestInstance.await;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.FilterPlan;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.store.Intents.Intent;
import io.github.bloomgate.store.StaleFilterException;
import io.github.bloomgate.store.TestStores;
import io.github.bloomgate.support.CutShort;
import io.github.bloomgate.support.TestInstance;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Law 1 where somebody is late. An instance began to make segments and was held up; meanwhile
 * another made them, elements were added, and Redis lost one. What the first makes now is empty.
 */
class LateMakerTest {

  private static final int LOST = 1;

  private static final List<byte[]> ELEMENTS = elements("element ", 200);

  private static final FilterParameters ONE = TestInstance.shape(50_000, 5);

  private static TestRedis redis;
  private static TestInstance prompt;
  private static TestInstance late;

  @BeforeAll
  static void start() {
    redis = TestRedis.started();
    prompt = new TestInstance(redis);
    late = new TestInstance(redis);
  }

  @AfterAll
  static void stop() {
    prompt.close();
    late.close();
    redis.close();
  }

  /** Held up before it made anything, or when it had made what the other then put into use. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void whoeverIsLateWithACreationMakesNothingThatCounts(int madeBefore) {
    var name = name();
    var note = begin(name);
    var begun = asBegun(name);
    make(begun, madeBefore);
    finishAndFill(note);
    lose(begun);
    assertStale(() -> late.births.complete(begun, new SegmentPass()));
    assertMadeButNotInUse(begun);
    late.reconciler.reconcile(late.reconciler.intend(name));
    assertDamaged(begun);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whoeverIsLateToActivateFindsAnotherSegmentOrNone(boolean madeAgain) {
    var name = name();
    var note = begin(name);
    var begun = asBegun(name);
    var birth = await(late.stores.laterSegments().make(begun, LOST)).orElseThrow();
    finishAndFill(note);
    lose(begun);
    if (madeAgain) {
      make(begun, LOST);
      assertMadeButNotInUse(begun);
    }
    assertStale(() -> await(late.stores.laterSegments().activate(begun, LOST, birth)));
    assertDamaged(begun);
  }

  /** As long as the filter is being created there is nothing to lose. */
  @Test
  void whatIsLostWhileTheFilterIsCreatedIsMadeAgain() {
    var name = name();
    var note = begin(name);
    var begun = asBegun(name);
    CutShort.reconcile(prompt.stores, name, 4);
    lose(begun);
    make(begun, LOST);
    finishAndFill(note);
    late.assertMaybe(name, ELEMENTS);
    late.assertCountsAreExact(name);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aNextGenerationThatSomebodyMadeTooLateIsNotCommitted(boolean isAddedTo) {
    var live = prompt.create(name(), ONE);
    var name = live.name();
    var begun = opened(live);
    var next = prompt.rebuilds.find(name).next();
    await(prompt.loads.load(next, ELEMENTS));
    prompt.add(name, ELEMENTS);
    lose(begun);
    assertStale(() -> late.births.complete(begun, new SegmentPass()));
    assertMadeButNotInUse(begun);

    if (isAddedTo) {
      // What is added must be in both, so the rebuild is given up.
      late.add(name, elements("other ", 200));
      assertFails(ErrorCode.REBUILD_NOT_FOUND, () -> prompt.rebuilds.find(name));
    } else {
      assertFails(
          ErrorCode.FILTER_DAMAGED, () -> prompt.rebuilds.commit(next, 0, NewDeadline.KEEP));
    }
    prompt.assertMaybe(name, ELEMENTS);
    assertEquals(live.generation(), prompt.describe(name).filter().generation());
  }

  @Test
  void aNextGenerationThatWasCommittedIsNotMadeAgain() {
    var live = prompt.create(name(), ONE);
    var name = live.name();
    var begun = opened(live);
    var next = prompt.rebuilds.find(name).next();
    await(prompt.loads.load(next, ELEMENTS));
    prompt.rebuilds.commit(next, 1, NewDeadline.KEEP);
    late.assertMaybe(name, ELEMENTS);
    lose(begun);
    assertStale(() -> late.births.complete(begun, new SegmentPass()));
    assertMadeButNotInUse(begun);
    assertDamaged(begun);
  }

  private static Intent begin(FilterName name) {
    var note = prompt.reconciler.intend(name);
    var filter =
        Filter.create(
            name, SEVERAL, Instant.now().truncatedTo(ChronoUnit.MILLIS), Optional.empty());
    prompt.stores.filters().create(filter);
    prompt.stores.catalogue().add(name);
    return note;
  }

  /** Opens a rebuild and finishes its making. */
  private static Filter opened(Filter live) {
    var note = prompt.reconciler.intend(live.name());
    var next = live.successor(FilterPlan.of(SEVERAL), Instant.now().truncatedTo(ChronoUnit.MILLIS));
    prompt.stores.rebuilds().open(live, next, Duration.ofHours(1));
    var begun = asBegun(live.name());
    prompt.reconciler.reconcile(note);
    return begun;
  }

  /** What the instance that will be late reads before it is held up. */
  private static Filter asBegun(FilterName name) {
    var outline = await(late.stores.filters().outline(name));
    var begun = outline.generations().stream().filter(filter -> !filter.isReady()).toList();
    assertEquals(1, begun.size());
    return begun.get(0);
  }

  private static void make(Filter begun, int segments) {
    for (var segment = 1; segment <= segments; segment++) {
      assertTrue(await(late.stores.laterSegments().make(begun, segment)).isPresent());
    }
  }

  private static void finishAndFill(Intent intent) {
    prompt.reconciler.reconcile(intent);
    prompt.add(intent.name(), ELEMENTS);
    late.assertMaybe(intent.name(), ELEMENTS);
  }

  private static void lose(Filter filter) {
    var keys = TestStores.keys(filter, LOST);
    assertEquals(2, redis.command("DEL", keys.get(0), keys.get(1)).toInteger());
  }

  private static void assertStale(Executable call) {
    assertThrows(StaleFilterException.class, call);
  }

  private static void assertMadeButNotInUse(Filter filter) {
    var generation = redis.command("HGET", TestStores.keys(filter, LOST).get(0), "generation");
    assertTrue(generation.toString().startsWith("made:"), generation.toString());
  }

  private static void assertDamaged(Filter filter) {
    var name = filter.name();
    var lost = 0;
    for (var element : ELEMENTS) {
      for (var instance : List.of(prompt, late)) {
        try {
          assertTrue(instance.test(name, List.of(element))[0], "a false negative");
          assertFalse(instance.add(name, List.of(element))[0], "a false negative");
        } catch (BloomException failure) {
          assertEquals(ErrorCode.FILTER_DAMAGED, failure.code());
          assertFails(ErrorCode.FILTER_DAMAGED, instance.elements.add(name, List.of(element)));
          lost++;
        }
      }
    }
    assertTrue(lost > 0, "elements in the segment that was lost");
    for (var instance : List.of(prompt, late)) {
      assertFails(ErrorCode.FILTER_DAMAGED, instance.elements.test(name, ELEMENTS));
      assertFails(ErrorCode.FILTER_DAMAGED, instance.elements.add(name, ELEMENTS));
      assertFails(ErrorCode.FILTER_DAMAGED, () -> instance.descriptions.describe(name));
    }
    assertFails(ErrorCode.FILTER_DAMAGED, () -> late.changes.clear(name));
    assertFails(ErrorCode.FILTER_DAMAGED, late.elements.test(name, ELEMENTS));
    var inAnHour = Instant.now().truncatedTo(ChronoUnit.MILLIS).plus(Duration.ofHours(1));
    assertFails(ErrorCode.FILTER_DAMAGED, () -> late.changes.expire(name, Optional.of(inAnHour)));
    prompt.changes.delete(name, false);
    prompt.assertNothingLeft(filter);
  }
}
