package io.github.bloomgate.elements;

import static io.github.bloomgate.support.Flags.count;
import static io.github.bloomgate.support.TestInstance.assertFails;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static io.github.bloomgate.support.TestWindows.assertCountsAreExact;
import static io.github.bloomgate.support.TestWindows.sized;
import static io.github.bloomgate.support.TestWindows.turn;
import static io.github.bloomgate.support.TestWindows.years;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.filters.NewDeadline;
import io.github.bloomgate.model.Window;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.support.Beside;
import io.github.bloomgate.support.TestInstance;
import io.github.bloomgate.support.TestWindows;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Filters that forget, in all of their life: changed, rebuilt, of several segments. */
class WindowLifeTest extends WindowsOnRedis {

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void itLosesNothingByItsOtherChanges(boolean copies) {
    try (var service = copies ? new TestInstance(redis) : TestInstance.withoutCopies(redis)) {
      var name = name();
      var filter = service.create(name, sized(10_000, years(4, true)));
      var old = elements("old", 500);
      var some = elements("e", 500);
      service.add(name, old);
      turn(service, name, 3);
      service.add(name, some);
      var deadline = Instant.now().truncatedTo(ChronoUnit.MILLIS).plusSeconds(1000);
      service.changes.expire(name, Optional.of(deadline));
      service.assertDeadline(name, Optional.of(deadline));
      turn(service, filter, 1);
      service.assertMaybe(name, old);
      service.assertDeadline(name, Optional.of(deadline));
      var renamed = name();
      service.renames.rename(name, renamed, false);
      service.assertMaybe(renamed, some);
      service.assertMaybe(renamed, old);
      turn(service, renamed, 1);
      assertEquals(0, count(service.test(renamed, old)));
      service.assertMaybe(renamed, some);
      service.changes.clear(renamed);
      assertFalse(service.test(renamed, some)[0]);
      assertEquals(500, count(service.add(renamed, some)));
      service.assertMaybe(renamed, some);
      service.assertDeadline(renamed, Optional.of(deadline));
      service.passDeadline(service.describe(renamed).filter());
      assertFails(ErrorCode.FILTER_NOT_FOUND, () -> service.describe(renamed));
      var again = service.create(renamed, sized(10_000, years(4, true)));
      assertEquals(0, count(service.test(renamed, some)));
      service.changes.delete(renamed, false);
      service.assertNothingLeft(filter);
      service.assertNothingLeft(again);
    }
  }

  /** What is loaded is in the slice that it is then; adds go on. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aRebuildHasAWindowToo(boolean copies) {
    try (var service = copies ? new TestInstance(redis) : TestInstance.withoutCopies(redis)) {
      var name = name();
      service.create(name, sized(10_000, years(4, true)));
      var dropped = elements("dropped", 500);
      service.add(name, dropped);
      var next = TestInstance.openNext(service, name);
      var loaded = elements("loaded", 500);
      TestInstance.await(service.loads.load(next, loaded));
      var added = elements("added", 500);
      service.add(name, added);
      service.rebuilds.commit(next, 1, NewDeadline.KEEP);
      service.assertMaybe(name, loaded);
      service.assertMaybe(name, added);
      assertEquals(0, count(service.test(name, dropped)));
      assertTrue(service.describe(name).filter().window().isPresent());
      turn(service, name, 4);
      service.assertMaybe(name, added);
      turn(service, name, 1);
      assertEquals(0, count(service.test(name, loaded)));
      assertEquals(0, count(service.test(name, added)));
    }
  }

  /** By the clock of Redis: slices begin, of both generations, while rebuilds are committed. */
  @Tag("slow")
  @Test
  void noAddIsLostWhileSlicesBeginAndRebuildsAreCommitted() {
    try (var one = new TestInstance(redis);
        var two = new TestInstance(redis);
        var three = TestInstance.withoutCopies(redis)) {
      var name = name();
      one.create(name, sized(50_000, TestWindows.MINUTE));
      var begun = TestWindows.now(one);
      var running = new AtomicBoolean(true);
      for (var round = 0; TestWindows.now(one) < begun + 4; round++) {
        var slices = round % 2 == 0 ? 60 : 64;
        var window = Window.ofSeconds(slices, slices, true);
        var next =
            one.openings.awaitReady(
                one.openings.open(name, live -> sized(50_000, window), TestInstance.PATIENCE));
        var added = new ConcurrentLinkedQueue<byte[]>();
        var number = round;
        running.set(true);
        var adds =
            Stream.of(one, two, three)
                .map(
                    service ->
                        Beside.run(
                            () -> {
                              for (var i = 0; running.get(); i++) {
                                var some = elements(service.hashCode() + " " + number + " " + i, 3);
                                service.add(name, some);
                                added.addAll(some);
                              }
                            }))
                .toList();
        TestInstance.await(two.loads.load(next, elements("loaded " + round, 300)));
        Awaitility.await().atMost(TestInstance.PATIENCE).until(() -> added.size() > 300);
        one.rebuilds.commit(next, 1, NewDeadline.KEEP);
        running.set(false);
        adds.forEach(CompletableFuture::join);
        for (var service : List.of(one, two, three)) {
          service.assertMaybe(name, List.copyOf(added));
          service.assertMaybe(name, elements("loaded " + number, 300));
        }
      }
      assertCountsAreExact(one, one.describe(name).filter());
    }
  }

  /** Each segment begins its slices by itself, by the same clock. */
  @Test
  void aFilterOfSeveralSegmentsForgetsAllOfThem() {
    try (var service = new TestInstance(redis);
        var other = TestInstance.withoutCopies(redis)) {
      var name = name();
      var filter = service.create(name, sized(1_500_000, years(8, true)));
      assertTrue(filter.segments() > 2);
      var some = elements("e", 20_000);
      assertEquals(some.size(), count(service.add(name, some.subList(0, 10_000))) + 10_000);
      assertEquals(10_000, count(other.add(name, some.subList(10_000, 20_000))));
      turn(service, name, 8);
      service.assertMaybe(name, some.subList(5_000, 15_000));
      turn(service, name, 1);
      assertEquals(0, count(other.test(name, some.subList(5_000, 15_000))));
      assertEquals(10_000, count(other.add(name, some.subList(5_000, 15_000))));
      service.changes.clear(name);
      assertEquals(0, count(service.test(name, some.subList(5_000, 15_000))));
      assertEquals(10_000, count(service.add(name, some.subList(0, 10_000))));
      assertCountsAreExact(service, service.describe(name).filter());
      service.changes.delete(name, false);
      service.assertNothingLeft(filter);
    }
  }
}
