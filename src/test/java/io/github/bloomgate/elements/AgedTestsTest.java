package io.github.bloomgate.elements;

import static io.github.bloomgate.support.Failures.assertFails;
import static io.github.bloomgate.support.TestInstance.await;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static io.github.bloomgate.support.TestInstance.sized;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.memory.Client;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.NewExpiry;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.AnyKind;
import io.github.bloomgate.support.OnRedis;
import io.github.bloomgate.support.TestInstance;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Answers with an age, by an instance whose copies are refreshed only when the test says so. */
@OnRedis
class AgedTestsTest {

  private static final Duration AN_HOUR = Duration.ofHours(1);
  private static final FilterParameters PLAIN = sized(1_000, 0.01, WhenFull.ACCEPT);

  private static TestRedis redis;
  private static TestInstance writer;
  private static TestInstance reader;

  /** Redis answers the first test, which begins the watch, and none after that. */
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "ADOPTED")
  void aYoungCopyAnswersWithoutACallAndLearnsOfAddsByTheNextRefresh(AnyKind kind) {
    var name = kind.create(writer);
    writer.add(name, elements("old", 500));
    watch(name);
    writer.add(name, elements("new", 500));
    assertEquals(0, trueCount(name, AN_HOUR, elements("new", 500)), "before the refresh");
    assertEquals(500, trueCount(name, AN_HOUR, elements("old", 500)));
    refresh();
    Awaitility.await().until(() -> trueCount(name, AN_HOUR, elements("new", 500)) == 500);
    assertEquals(500, trueCount(name, AN_HOUR, elements("old", 500)));
  }

  @Test
  void anAnswerIsNeverOlderThanItMayBe() {
    var name = name();
    writer.create(name, PLAIN);
    watch(name);
    writer.add(name, elements("new", 10));
    assertEquals(0, trueCount(name, AN_HOUR, elements("new", 10)));
    // Its own call is later than the add.
    assertEquals(10, trueCount(name, Duration.ZERO, elements("new", 10)));
  }

  @Test
  void theAgeIsTheTimeSinceTheRefreshWasSent() {
    var name = name();
    writer.create(name, PLAIN);
    watch(name);
    var watched = System.nanoTime();
    var before = System.nanoTime();
    var age = await(test(name, AN_HOUR, elements("a", 1))).age().orElseThrow();
    assertTrue(age.toNanos() >= before - watched, age.toString());
    assertTrue(
        reader.get(Watches.class).watched(name).flatMap(Watched::age).orElseThrow().compareTo(age)
            >= 0);
  }

  /** After each change of a whole filter, a refresh shows it. */
  @Test
  void changesOfTheWholeFilterAreSeen() {
    var name = name();
    var created = writer.create(name, PLAIN);
    writer.add(name, elements("a", 10));
    watch(name);

    writer.changes.clear(name);
    assertEquals(10, trueCount(name, AN_HOUR, elements("a", 10)));
    awaitCount(name, 0, elements("a", 10));

    TestInstance.openNext(writer, name);
    await(
        writer
            .get(ElementCalls.class)
            .load(
                name,
                writer.live.get(name).next().orElseThrow().incarnation(),
                elements("b", 10),
                Client.SERVICE));
    awaitCount(name, 0, elements("b", 10));
    writer.rebuild(name).commit(0, NewExpiry.KEEP);
    assertEquals(0, trueCount(name, AN_HOUR, elements("b", 10)));
    awaitCount(name, 10, elements("b", 10));

    var newName = name();
    writer.renames.rename(name, newName, false);
    assertEquals(10, trueCount(name, AN_HOUR, elements("b", 10)));
    awaitGone(name);
    assertEquals(10, trueCount(newName, AN_HOUR, elements("b", 10)));
    watch(newName);

    writer.changes.delete(newName, false);
    assertEquals(10, trueCount(newName, AN_HOUR, elements("b", 10)));
    writer.create(newName, created.parameters());
    writer.add(newName, elements("c", 10));
    awaitCount(newName, 10, elements("c", 10));
    assertEquals(0, trueCount(newName, AN_HOUR, elements("b", 10)));

    writer.changes.delete(newName, false);
    awaitGone(newName);
  }

  /** A call about the new layer says nothing about what the watch knows of the filter. */
  @Test
  void aLayerThatTheWatchDoesNotKnowHidesNoElement() {
    var name = AnyKind.GROWING.create(writer);
    writer.add(name, elements("old", 90));
    watch(name);
    writer.add(name, elements("new", 1_000));
    // Brings the copies of all layers up to date.
    assertEquals(1_000, TestInstance.trueCount(reader.test(name, elements("new", 1_000))));
    assertEquals(1_000, trueCount(name, AN_HOUR, elements("new", 1_000)));
  }

  @Test
  void aLostSegmentIsToldAfterTheRefresh() {
    var name = name();
    var filter = writer.create(name, PLAIN);
    writer.add(name, elements("a", 10));
    watch(name);
    redis.command("DEL", TestInstance.segmentKey(filter, 0));
    assertEquals(10, trueCount(name, AN_HOUR, elements("a", 10)));
    refresh();
    Awaitility.await().until(() -> fails(name));
    assertFails(ErrorCode.FILTER_DAMAGED, () -> await(test(name, AN_HOUR, elements("a", 1))));
  }

  @Test
  void anotherHistoryIsReadAgain() {
    var name = name();
    var filter = writer.create(name, PLAIN);
    writer.add(name, elements("a", 10));
    var key = TestInstance.segmentKey(filter, 0);
    redis.command("COPY", key, "backup of " + key);
    writer.add(name, elements("lost", 10));
    watch(name);
    assertEquals(10, trueCount(name, AN_HOUR, elements("lost", 10)));
    redis.command("COPY", "backup of " + key, key, "REPLACE");
    try (var third = new TestInstance(redis)) {
      third.add(name, elements("new", 10));
    }
    awaitCount(name, 10, elements("new", 10));
    assertEquals(0, trueCount(name, AN_HOUR, elements("lost", 10)));
  }

  @Test
  void filtersWithoutCopiesAreRefused() {
    var adopted = AnyKind.ADOPTED.create(writer);
    assertFails(ErrorCode.INVALID_REQUEST, () -> await(test(adopted, AN_HOUR, elements("a", 1))));
    var large = name();
    writer.create(large, sized(100_000_000, 0.001, WhenFull.ACCEPT));
    assertFails(ErrorCode.LIMIT_EXCEEDED, () -> await(test(large, AN_HOUR, elements("a", 1))));
  }

  @Test
  void withoutRoomRedisAnswers() {
    var half = sized(40_000_000, 0.01, WhenFull.ACCEPT);
    var first = name();
    var second = name();
    writer.create(first, half);
    writer.create(second, half);
    try (var other = new TestInstance(redis)) {
      assertEquals(0, await(test(other, first, AN_HOUR, elements("a", 1))).trueCount());
      assertEquals(0, await(test(other, second, AN_HOUR, elements("a", 1))).trueCount());
      writer.add(second, elements("a", 1));
      assertEquals(1, await(test(other, second, AN_HOUR, elements("a", 1))).trueCount());
      assertEquals(1, other.metrics.get("bloom.watched.filters").gauge().value());
    }
  }

  @Test
  void manyElementsTakeSeveralSteps() {
    var name = AnyKind.GROWING.create(writer);
    writer.add(name, elements("a", 5_000));
    watch(name);
    writer.add(name, elements("b", 10));
    var before = answeredByCopies();
    assertEquals(5_000, trueCount(name, AN_HOUR, elements("a", 10_000)));
    assertEquals(before + 10_000, answeredByCopies());
  }

  /** The add was acknowledged after Redis had replied, but before the reply arrived. */
  @Test
  void theAgeOfALateReplyCountsFromItsCall() {
    try (var late = TestInstance.stepwise(redis)) {
      var name = name();
      writer.create(name, PLAIN);
      TestWatches.awaitCopies(late, name);
      late.steps().hold();
      refresh(late);
      late.steps().execute();
      writer.add(name, elements("new", 10));
      var acknowledged = System.nanoTime();
      // Takes much longer than the test of a copy.
      writer.add(name, elements("other", 10_000));
      late.steps().answer();
      var some = elements("new", 10);
      var old = await(test(late, name, AN_HOUR, some));
      assertEquals(0, old.trueCount());
      assertTrue(old.age().orElseThrow().toNanos() > 0);
      var young = Duration.ofNanos(System.nanoTime() - acknowledged);
      late.steps().release();
      assertEquals(10, await(test(late, name, young, some)).trueCount());
    }
  }

  @Test
  void theOldestCopyDecides() {
    var name = AnyKind.SEVERAL_SEGMENTS.create(writer);
    var some = elements("a", 100);
    writer.add(name, some);
    watch(name);
    var watched = System.nanoTime();
    // Brings the copy of one segment up to date.
    assertEquals(1, TestInstance.trueCount(reader.test(name, some.subList(0, 1))));
    var before = System.nanoTime();
    var age = await(test(name, AN_HOUR, some)).age().orElseThrow();
    assertTrue(age.toNanos() >= before - watched, age + " since " + (before - watched));
  }

  @Test
  void oneCallRefreshesAllFiltersAndNoneIsMadeWithoutAny() {
    try (var instance = TestInstance.stepwise(redis)) {
      var names = List.of(name(), name(), name());
      names.forEach(name -> writer.create(name, PLAIN));
      names.forEach(name -> TestWatches.awaitCopies(instance, name));
      instance.steps().hold();
      refresh(instance);
      instance.steps().execute();
      assertFalse(instance.steps().canExecute());
      instance.steps().answer();
      assertFalse(instance.steps().canExecute());
      instance.get(Watches.class).endUnused(0);
      assertEquals(0, instance.metrics.get("bloom.watched.filters").gauge().value());
      refresh(instance);
      assertFalse(instance.steps().canExecute());
    }
  }

  /** A process that was stopped for a minute has not refreshed, and nothing could ask it. */
  @Test
  void aWatchEndsAMinuteOfRefreshesAfterTheLastRequest() {
    var name = name();
    writer.create(name, PLAIN);
    var filter = reader.live.get(name);
    var watches = reader.get(Watches.class);
    var halfAMinute = Duration.ofSeconds(30);
    var watched = watches.watch(filter).orElseThrow();
    watches.refreshAll(halfAMinute);
    watches.refreshAll(halfAMinute);
    assertEquals(Optional.of(watched), watches.watch(filter));
    watches.refreshAll(halfAMinute);
    watches.refreshAll(halfAMinute);
    assertEquals(Optional.of(watched), watches.watched(name));
    watches.refreshAll(halfAMinute);
    assertEquals(Optional.empty(), watches.watched(name));
  }

  /** It may be there when Redis answers again. */
  @Test
  void aFilterThatCannotBeReadIsStillWatched() {
    try (var stopped = TestRedis.started();
        var writing = new TestInstance(stopped);
        var instance = TestInstance.stepwise(stopped)) {
      var name = name();
      writing.create(name, PLAIN);
      writing.add(name, elements("a", 10));
      TestWatches.awaitCopies(instance, name);
      writing.changes.clear(name);
      instance.steps().hold();
      refresh(instance);
      instance.steps().execute();
      instance.steps().answer();
      assertTrue(instance.steps().canExecute(), "the filter is not read");
      stopped.kill();
      while (instance.steps().canExecute()) {
        instance.steps().execute();
        instance.steps().answer();
      }
      assertEquals(1, instance.metrics.get("bloom.watched.filters").gauge().value());
      assertEquals(10, await(test(instance, name, AN_HOUR, elements("a", 10))).trueCount());
    }
  }

  private static double answeredByCopies() {
    return reader.count("bloom.copies.tests", "decided", "young-copy");
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "ADOPTED")
  void withoutRedisCopiesAnswerWhileTheyAreYoungEnough(AnyKind kind) {
    try (var stopped = TestRedis.started();
        var instance = new TestInstance(stopped)) {
      var name = kind.create(instance);
      instance.add(name, elements("a", 500));
      TestWatches.awaitCopies(instance, name);
      stopped.kill();
      var some = elements("a", 1_000);
      var answers = await(test(instance, name, AN_HOUR, some));
      assertEquals(500, answers.trueCount());
      var failure =
          assertFails(ErrorCode.STORE_UNAVAILABLE, test(instance, name, Duration.ofNanos(1), some));
      assertTrue(
          failure
              .getMessage()
              .matches(
                  ".* The copy of the filter '"
                      + name.value()
                      + "' is [0-9.]+ s old; maxAge is 0.0 s."),
          failure.getMessage());
      assertFails(ErrorCode.STORE_UNAVAILABLE, instance.elements.test(name, some, Client.SERVICE));
      assertEquals(500, await(test(instance, name, AN_HOUR, some)).trueCount());
    }
  }

  /** A filter that cannot be reached must not end the watch. */
  @Test
  void aRefreshWithoutRedisKeepsTheCopies() {
    try (var stopped = TestRedis.started();
        var instance = new TestInstance(stopped)) {
      var name = name();
      instance.create(name, PLAIN);
      instance.add(name, elements("a", 10));
      TestWatches.awaitCopies(instance, name);
      stopped.kill();
      for (var i = 0; i < 3; i++) {
        refresh(instance);
        assertFails(
            ErrorCode.STORE_UNAVAILABLE,
            instance.elements.test(name, elements("a", 1), Client.SERVICE));
      }
      assertEquals(10, await(test(instance, name, AN_HOUR, elements("a", 20))).trueCount());
    }
  }

  private static void watch(FilterName name) {
    TestWatches.awaitCopies(reader, name);
  }

  private static void refresh() {
    refresh(reader);
  }

  private static void refresh(TestInstance instance) {
    TestWatches.refreshAll(instance);
  }

  private static void awaitCount(FilterName name, int count, List<byte[]> some) {
    Awaitility.await()
        .until(
            () -> {
              refresh();
              return trueCount(name, AN_HOUR, some) == count;
            });
    // A round after the last refresh.
    assertEquals(1, reader.test(name, elements("a", 1)).length);
  }

  private static void awaitGone(FilterName name) {
    Awaitility.await()
        .until(
            () -> {
              refresh();
              return fails(name);
            });
    assertFails(ErrorCode.FILTER_NOT_FOUND, () -> await(test(name, AN_HOUR, elements("a", 1))));
  }

  private static boolean fails(FilterName name) {
    return await(
        test(name, AN_HOUR, elements("a", 1))
            .map(answers -> false)
            .onFailure()
            .recoverWithItem(true));
  }

  private static int trueCount(FilterName name, Duration maxAge, List<byte[]> some) {
    return await(test(name, maxAge, some)).trueCount();
  }

  private static Uni<Flags> test(FilterName name, Duration maxAge, List<byte[]> some) {
    return test(reader, name, maxAge, some);
  }

  private static Uni<Flags> test(
      TestInstance instance, FilterName name, Duration maxAge, List<byte[]> some) {
    return instance.elements.test(name, some, Optional.of(maxAge), Client.SERVICE);
  }
}
