package io.github.bloomgate.rebuild;

import static io.github.bloomgate.support.Flags.count;
import static io.github.bloomgate.support.TestInstance.assertFails;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static io.github.bloomgate.support.TestWindows.assertCountsAreExact;
import static io.github.bloomgate.support.TestWindows.sized;
import static io.github.bloomgate.support.TestWindows.turn;
import static io.github.bloomgate.support.TestWindows.years;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.filters.Quota;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterPlan;
import io.github.bloomgate.model.Window;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.store.TestStores;
import io.github.bloomgate.support.Beside;
import io.github.bloomgate.support.TestInstance;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Copies of filters that forget, in which each element is as old as in the original. */
class WindowCopiesTest extends ForgettingFilters {

  /** One segment and several. */
  @ParameterizedTest
  @ValueSource(longs = {10_000, 1_000_000})
  void eachElementIsAsOldInACopy(long n) {
    var from = name();
    var filter = service.create(from, sized(n, years(SLICES, true)));
    for (var slice = 0; slice < 7; slice++) {
      service.add(from, elements("slice " + slice + " ", EACH));
      turn(service, filter, 1);
    }
    // The slice that it is now has nothing yet.
    var to = name();
    copy(from, to, false);
    var original = service.describe(from);
    var copy = other.describe(to);
    assertEquals(FilterPlan.like(original.filter()), FilterPlan.like(copy.filter()));
    assertEquals(original.statistics(), copy.statistics());
    assertEquals(original.slices(), copy.slices());
    assertCountsAreExact(service, copy.filter());
    for (var passed = 0; passed <= SLICES; passed++) {
      for (var slice = 0; slice < 7; slice++) {
        var isRemembered = slice >= 7 - SLICES + passed;
        for (var instance : List.of(service, other)) {
          var some = elements("slice " + slice + " ", EACH);
          assertEquals(
              isRemembered ? EACH : 0,
              count(instance.test(to, some)),
              "of slice " + slice + " after " + passed);
        }
      }
      turn(service, copy.filter(), 1);
    }
    service.changes.delete(to, false);
    service.assertNothingLeft(copy.filter());
  }

  @Test
  void aCopyForgetsByInsertionsAsItsOriginal() {
    var window = Window.ofInsertions(1_000, SLICES, true);
    var from = name();
    service.create(from, sized(1_000, window));
    service.add(from, elements("e", 1_900));
    var to = name();
    copy(from, to, false);
    var both = List.of(from, to);
    for (var round = 0; round < 10; round++) {
      var some = elements("round " + round + " ", 137);
      both.forEach(name -> other.add(name, some));
      assertArrayEquals(
          service.test(from, elements("e", 1_900)), service.test(to, elements("e", 1_900)));
    }
    assertEquals(service.describe(from).slices(), service.describe(to).slices());
  }

  /** What is added to the filter that is replaced is in the copy, as what came last. */
  @ParameterizedTest
  @CsvSource({"true, 100", "true, 2500", "false, 100", "false, 2500"})
  void whatIsAddedWhileAFilterIsReplacedStays(boolean byTime, int meanwhile) {
    var window = byTime ? years(SLICES, true) : Window.ofInsertions(4_000, SLICES, true);
    var from = name();
    var to = name();
    var parameters = sized(byTime ? 20_000 : 4_000, window);
    var filter = service.create(from, parameters);
    service.create(to, parameters);
    service.add(from, elements("old", EACH));
    if (byTime) {
      turn(service, filter, 2);
    }
    service.add(from, elements("new", EACH));
    service.add(to, elements("lost", EACH));
    var union =
        DisturbedUnion.before(
            service,
            attempt -> {
              // All have one clock.
              turn(service, to);
              turn(service, to);
              other.add(to, elements("meanwhile", meanwhile));
            });
    service.copies(union).copy(from, to, true, Optional.empty(), Quota.NONE, TestInstance.STAYS);
    var copy = service.describe(to);
    service.assertMaybe(to, elements("old", EACH));
    service.assertMaybe(to, elements("new", EACH));
    other.assertMaybe(to, elements("meanwhile", meanwhile));
    assertEquals(0, count(service.test(to, elements("lost", EACH))));
    assertEquals(2 * EACH + meanwhile, copy.statistics().insertions());
    assertCountsAreExact(service, copy.filter());
    if (byTime) {
      turn(service, copy.filter(), SLICES - 1);
      assertEquals(0, count(service.test(to, elements("old", EACH))));
      service.assertMaybe(to, elements("new", EACH));
      service.assertMaybe(to, elements("meanwhile", meanwhile));
    } else {
      // A whole window of later ones.
      service.add(to, elements("later", 4_000));
      service.assertMaybe(to, elements("later", 4_000));
    }
  }

  /** No add is lost that comes while the copy is made, nor one that comes with the commit. */
  @Test
  void addsGoOnWhileACopyTakesThePlaceOfAFilter() {
    var from = name();
    var to = name();
    service.create(from, sized(10_000, years(SLICES, true)));
    service.create(to, sized(10_000, years(SLICES, true)));
    service.add(from, elements("in", EACH));
    var added = new CopyOnWriteArrayList<byte[]>();
    var running = new AtomicBoolean(true);
    var adds = new CopyOnWriteArrayList<CompletableFuture<Void>>();
    var union =
        DisturbedUnion.before(
            service,
            attempt -> {
              assertEquals(1, attempt);
              for (var one : List.of(other, follower, service)) {
                adds.add(Beside.run(() -> addUntilStopped(one, to, added, running)));
              }
              // So many that they are journaled, and followed.
              Awaitility.await().until(() -> added.size() > 600);
            });
    service.copies(union).copy(from, to, true, Optional.empty(), Quota.NONE, TestInstance.STAYS);
    var before = added.size();
    Awaitility.await().until(() -> added.size() > before + 100);
    running.set(false);
    adds.forEach(CompletableFuture::join);
    for (var instance : List.of(service, other, follower)) {
      instance.assertMaybe(to, added);
      instance.assertMaybe(to, elements("in", EACH));
    }
    assertCountsAreExact(service, service.describe(to).filter());
  }

  private static void addUntilStopped(
      TestInstance one, FilterName to, List<byte[]> added, AtomicBoolean running) {
    for (var i = 0; running.get(); i++) {
      var some = elements(one.hashCode() + " add " + i + " ", 3);
      one.add(to, some);
      added.addAll(some);
    }
  }

  /** Who has followed the segment that is written does not take what he holds for all of it. */
  @Test
  void whatIsJournaledMeanwhileStaysAndAllReadItAgain() {
    var from = name();
    var to = name();
    var source = service.create(from, sized(20_000, years(SLICES, true)));
    var filter = service.create(to, sized(20_000, years(SLICES, true)));
    service.add(from, elements("in", EACH));
    for (var instance : List.of(service, follower)) {
      instance.add(to, elements("warm", 1_000));
      instance.assertMaybe(to, elements("warm", 1_000));
    }
    var journals = service.stores.journals();
    var copy = TestInstance.await(journals.follow(source, 0)).orElseThrow();
    var held = TestInstance.await(journals.follow(filter, 0)).orElseThrow();
    service.add(to, elements("later", EACH));
    follower.add(to, elements("last", EACH));
    var tip = service.redis("HGET", TestStores.keys(filter, 0).get(0), "tip").toLong();
    assertTrue(tip > held.reached().position(), "nothing was journaled");
    copy.addAll(held);
    assertTrue(TestInstance.await(journals.put(filter, 0, copy, held.reached())));
    for (var instance : List.of(service, follower, other)) {
      instance.assertMaybe(to, elements("in", EACH));
      instance.assertMaybe(to, elements("warm", 1_000));
      instance.assertMaybe(to, elements("later", EACH));
      instance.assertMaybe(to, elements("last", EACH));
    }
    assertEquals(0, count(service.add(to, elements("in", EACH))));
    assertCountsAreExact(service, filter);
    assertEquals(3 * EACH + 1_000, service.describe(to).statistics().insertions());
  }

  @Test
  void aCopyMayTakeThePlaceOfAFilterThatForgetsNothingAndNotTheOtherWay() {
    var forgets = name();
    var fixed = name();
    service.create(forgets, sized(1_000, years(SLICES, false)));
    service.create(fixed, TestInstance.shape(100_000, 5));
    service.add(forgets, elements("in", EACH));
    assertFails(ErrorCode.INVALID_REQUEST, () -> copy(fixed, forgets, true));
    assertFails(ErrorCode.INCOMPATIBLE_FILTERS, () -> merge(fixed, forgets));
    copy(forgets, fixed, true);
    service.assertMaybe(fixed, elements("in", EACH));
    assertTrue(service.describe(fixed).filter().window().isPresent());
    service.assertMaybe(forgets, elements("in", EACH));
  }

  /** One segment and several. */
  @ParameterizedTest
  @ValueSource(longs = {10_000, 1_000_000})
  void aMergeRemembersWhatAnyDoesAndNoLonger(long n) {
    var to = service.create(name(), sized(n, years(SLICES, true)));
    var from = service.create(name(), sized(n, years(SLICES, false)));
    for (var slice = 0; slice < 3; slice++) {
      service.add(to.name(), elements("to " + slice + " ", EACH));
      other.add(from.name(), elements("from " + slice + " ", EACH));
      turn(service, to, 1);
      turn(service, from, 1);
    }
    service.add(to.name(), elements("from 0 ", EACH / 2));
    merge(to.name(), from.name());
    var merged = service.describe(to.name());
    assertCountsAreExact(service, merged.filter());
    // They are in slices 0 to 2, half of those of slice 0 in slice 3 as well, which it is now.
    for (var now = 3; now < 9; now++) {
      for (var slice = 0; slice < 3; slice++) {
        var isRemembered = slice >= now - SLICES;
        assertEquals(
            isRemembered ? EACH : 0,
            count(other.test(to.name(), elements("to " + slice + " ", EACH))));
        var half = slice == 0 && !isRemembered && now <= 3 + SLICES;
        assertEquals(
            isRemembered ? EACH : half ? EACH / 2 : 0,
            count(service.test(to.name(), elements("from " + slice + " ", EACH))));
      }
      turn(service, merged.filter(), 1);
    }
  }

  @Test
  void onlySlicesOfTheSameLengthAreMerged() {
    var to = service.create(name(), sized(1_000, years(SLICES, true))).name();
    var others = service.create(name(), sized(1_000, years(SLICES + 1, true))).name();
    assertFails(ErrorCode.INCOMPATIBLE_FILTERS, () -> merge(to, others));
    var byInsertions = sized(1_000, Window.ofInsertions(1_000, SLICES, true));
    var one = service.create(name(), byInsertions).name();
    var two = service.create(name(), byInsertions).name();
    assertFails(ErrorCode.INVALID_REQUEST, () -> merge(one, two));
  }
}
