package io.github.bloomgate.elements;

import static io.github.bloomgate.support.Flags.count;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static io.github.bloomgate.support.TestWindows.assertCountsAreExact;
import static io.github.bloomgate.support.TestWindows.sized;
import static io.github.bloomgate.support.TestWindows.turn;
import static io.github.bloomgate.support.TestWindows.years;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.bloomgate.model.Window;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.TestInstance;
import io.github.bloomgate.support.WindowModel;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Filters that forget. */
class WindowTest {

  private static TestRedis redis;

  @BeforeAll
  static void start() {
    redis = TestRedis.started();
  }

  @AfterAll
  static void stop() {
    redis.close();
  }

  private static TestInstance instance(boolean copies) {
    return copies ? new TestInstance(redis) : TestInstance.withoutCopies(redis);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anElementIsRememberedForAWindowAndForgottenASliceLater(boolean copies) {
    try (var service = instance(copies)) {
      var name = name();
      service.create(name, sized(10_000, years(4, true)));
      var some = elements("e", 100);
      assertEquals(100, count(service.add(name, some)));
      assertEquals(0, count(service.add(name, some)));
      turn(service, name, 4);
      service.assertMaybe(name, some);
      turn(service, name, 1);
      assertEquals(0, count(service.test(name, some)));
      assertEquals(100, count(service.add(name, some)));
      service.assertMaybe(name, some);
    }
  }

  @ParameterizedTest
  @CsvSource({"true, true", "true, false", "false, true", "false, false"})
  void anElementThatIsAddedAgainIsRefreshedOrNot(boolean copies, boolean refresh) {
    try (var service = instance(copies)) {
      var name = name();
      service.create(name, sized(10_000, years(4, refresh)));
      var some = elements("e", 100);
      service.add(name, some);
      turn(service, name, 3);
      assertEquals(0, count(service.add(name, some)));
      turn(service, name, 2);
      assertEquals(refresh ? 100 : 0, count(service.test(name, some)));
      assertEquals(refresh ? 0 : 100, count(service.add(name, some)));
      assertEquals(refresh ? 100 : 200, service.describe(name).statistics().insertions());
    }
  }

  /** Nobody needs to have been there when slices ended. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whoHasSleptForLongAnswersRightAtOnce(boolean copies) {
    try (var service = instance(copies);
        var other = instance(!copies)) {
      var name = name();
      var filter = service.create(name, sized(10_000, years(8, true)));
      var some = elements("e", 500);
      service.add(name, some);
      other.assertMaybe(name, some);
      turn(service, name, 1_000);
      assertEquals(0, count(service.test(name, some)));
      assertEquals(0, count(other.test(name, some)));
      assertEquals(0, service.describe(name).statistics().bitsSet());
      assertEquals(1, count(other.add(name, elements("one", 1))));
      assertEquals(500, count(service.add(name, some)));
      other.assertMaybe(name, some);
      assertCountsAreExact(service, filter);
    }
  }

  /**
   * A clock that was set back, or that of a replica, lets no slice come back and none end early.
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aClockThatGoesBackForgetsNothing(boolean copies) {
    try (var service = instance(copies)) {
      var name = name();
      // The slice that was written last is ahead of the clock from here on.
      service.create(name, sized(10_000, years(2, true)));
      turn(service, name, 10);
      var some = elements("e", 200);
      service.add(name, some);
      var more = elements("f", 200);
      service.add(name, more);
      service.assertMaybe(name, some);
      service.assertMaybe(name, more);
    }
  }

  /** All instances have one clock, that of Redis. */
  @Test
  void slicesEndByTheClockOfRedis() {
    try (var service = new TestInstance(redis);
        var other = TestInstance.withoutCopies(redis)) {
      var name = name();
      service.create(name, sized(10_000, Window.ofSeconds(1, 2, true)));
      var some = elements("e", 100);
      assertEquals(100, count(service.add(name, some)));
      org.awaitility.Awaitility.await()
          .atMost(TestInstance.PATIENCE)
          .until(() -> count(service.test(name, some)) == 0);
      assertEquals(0, count(other.test(name, some)));
      assertEquals(100, count(other.add(name, some)));
    }
  }

  /** Law 2 and 4, whatever happens in which order, by several instances of both kinds. */
  @ParameterizedTest
  @CsvSource({
    "seconds, true, 2",
    "seconds, false, 3",
    "seconds, true, 8",
    "insertions, true, 2",
    "insertions, false, 4",
    "insertions, true, 8"
  })
  void itIsWhatAListOfElementsIs(String kind, boolean refresh, int slices) {
    var seed = System.nanoTime();
    System.out.printf("window: seed %d%n", seed);
    var random = new Random(seed);
    var window =
        kind.equals("seconds")
            ? years(slices, refresh)
            : Window.ofInsertions(37L * slices, slices, refresh);
    var model = new WindowModel(window);
    var instances = List.of(instance(true), instance(false), instance(true));
    var service = instances.get(0);
    var name = name();
    service.create(name, sized(window.isByTime() ? 1_000L * slices : window.insertions(), window));
    for (var round = 0; round < 400; round++) {
      var some = instances.get(random.nextInt(instances.size()));
      var texts =
          IntStream.range(0, 1 + random.nextInt(random.nextInt(10) == 0 ? 200 : 12))
              .mapToObj(i -> "e" + random.nextInt(60 * slices))
              .toList();
      var told = "seed " + seed + " round " + round;
      switch (random.nextInt(12)) {
        case 0, 1, 2, 3, 4 ->
            assertArrayEquals(model.add(texts), some.add(name, bytes(texts)), told);
        case 5, 6, 7, 8 ->
            assertArrayEquals(model.test(texts), some.test(name, bytes(texts)), told);
        case 9 -> {
          if (window.isByTime()) {
            var by = random.nextInt(5) == 0 ? random.nextInt(3 * slices) : 1;
            turn(service, name, by);
            model.turn(by);
          }
        }
        case 10 -> assertCountsAreExact(some, some.describe(name).filter());
        default -> {
          var to = name();
          some.renames.rename(name, to, false);
          name = to;
          if (random.nextInt(5) == 0) {
            some.changes.clear(name);
            model.clear();
          }
        }
      }
    }
    assertCountsAreExact(service, service.describe(name).filter());
    instances.forEach(TestInstance::close);
  }

  private static List<byte[]> bytes(List<String> texts) {
    return texts.stream().map(TestInstance::element).toList();
  }
}
