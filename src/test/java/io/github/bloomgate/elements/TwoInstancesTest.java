package io.github.bloomgate.elements;

import static io.github.bloomgate.support.TestInstance.SEVERAL;
import static io.github.bloomgate.support.TestInstance.assertFails;
import static io.github.bloomgate.support.TestInstance.await;
import static io.github.bloomgate.support.TestInstance.element;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.filters.Quota;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.Beside;
import io.github.bloomgate.support.TestInstance;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Law 1 where one instance renames the filter another one uses and remembers, or both change it.
 */
class TwoInstancesTest extends UserAndChanger {

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void noElementIsLostWhereAFilterIsRenamed(boolean several) throws Exception {
    var here = name();
    var there = name();
    // So large that it never fills, however many are added while a renaming is held up.
    changer.create(here, several ? SEVERAL : TestInstance.shape(1 << 24, 7));
    var known = new ArrayList<byte[]>();
    var rounds = new AtomicLong();
    var away = new AtomicLong();
    var done = new AtomicBoolean();
    var use =
        Beside.run(
            () -> {
              for (var round = 0; !done.get(); round++) {
                for (var name : List.of(here, there)) {
                  var batch = elements(name + " " + round + ".", 30);
                  var news = 0;
                  try {
                    news = await(user.elements.add(name, batch)).trueCount();
                    // None of the elements can be known; three parts are a false positive at most.
                    assertTrue(news > 27, news + " of 30 were new");
                    known.addAll(batch);
                    user.assertMaybe(name, known);
                  } catch (BloomException failure) {
                    assertPermitted(failure);
                    away.incrementAndGet();
                  }
                }
                rounds.incrementAndGet();
              }
            });
    try {
      for (var i = 0; i < 60; i++) {
        awaitProgress(rounds, 1, use);
        changer.renames.rename(i % 2 == 0 ? here : there, i % 2 == 0 ? there : here, false);
      }
    } finally {
      done.set(true);
    }
    use.get(60, TimeUnit.SECONDS);
    user.assertMaybe(here, known);
    user.assertCountsAreExact(here);
    assertTrue(away.get() > 0, "the names were never away");
  }

  /** Changes of all kinds from two sides at once end in a filter that is whole, and reconciled. */
  @Test
  void changesFromTwoSidesLeaveAWholeFilter() throws Exception {
    var seed = System.nanoTime();
    System.out.println("changesFromTwoSidesLeaveAWholeFilter: seed " + seed);
    // A Redis of its own, to look for what is left of any filter.
    try (var own = TestRedis.started();
        var one = new TestInstance(own);
        var other = new TestInstance(own)) {
      changeFromTwoSides(seed, own, one, other);
    }
  }

  private static void changeFromTwoSides(
      long seed, TestRedis own, TestInstance one, TestInstance other) throws Exception {
    var names = List.of(name(), name());
    var sides = new ArrayList<CompletableFuture<Void>>();
    for (var side = 0; side < 3; side++) {
      var instance = side == 0 ? one : other;
      var random = new Random(seed + side);
      sides.add(
          Beside.run(
              () -> {
                for (var i = 0; i < 60; i++) {
                  var name = names.get(random.nextInt(2));
                  var to = names.get(random.nextInt(2));
                  ignoringConflicts(() -> change(instance, random.nextInt(7), name, to, random));
                }
              }));
    }
    for (var side : sides) {
      side.get(120, TimeUnit.SECONDS);
    }
    try (var later = new TestInstance(own, Clock.offset(Clock.systemUTC(), Duration.ofHours(1)))) {
      later.reconciler.reconcileAbandoned();
    }
    for (var name : names) {
      one.assertReconciled(name);
      ignoringConflicts(() -> one.creations.create(name, SEVERAL, Optional.empty(), Quota.NONE));
      await(one.elements.add(name, elements("last ", 50)));
      other.assertMaybe(name, elements("last ", 50));
      other.assertCountsAreExact(name);
      var filter = one.describe(name).filter();
      var keys = one.keysWith(filter.generation().incarnation()).size();
      assertEquals(2 * (filter.shape().segments() - 1), keys);
      other.changes.delete(name, false);
      one.assertNothingLeft(filter);
    }
    // Nor is there a segment of any filter before them.
    assertEquals(List.of(), one.keysWith("/"));
  }

  private static void change(
      TestInstance instance, int kind, FilterName one, FilterName two, Random random) {
    switch (kind) {
      case 0 -> instance.creations.create(one, SEVERAL, Optional.empty(), Quota.NONE);
      case 1 ->
          instance.creations.create(
              one,
              random.nextBoolean() ? SEVERAL : TestInstance.shape(50_000, 3),
              Optional.of(Instant.now().plusSeconds(3600)),
              Quota.NONE);
      case 2 -> instance.changes.delete(one, false);
      case 3 -> instance.changes.clear(one);
      case 4 ->
          instance.changes.expire(
              one,
              random.nextBoolean()
                  ? Optional.empty()
                  : Optional.of(Instant.now().plusSeconds(7200)));
      case 5 -> instance.renames.rename(one, two, random.nextBoolean());
      default -> instance.add(one, elements("e", 20));
    }
  }

  private static void ignoringConflicts(Runnable change) {
    try {
      change.run();
    } catch (BloomException failure) {
      if (failure.code() != ErrorCode.FILTER_EXISTS
          && failure.code() != ErrorCode.INVALID_REQUEST) {
        assertPermitted(failure);
      }
    }
  }

  @Test
  void whatTheOtherDidIsSeenAtOnce() {
    for (var parameters : List.of(TestInstance.shape(10_000, 5), SEVERAL)) {
      var name = name();
      var to = name();
      var some = List.of(element("a"), element("b"));
      user.create(name, parameters);
      changer.add(name, some);
      user.assertMaybe(name, some);
      changer.renames.rename(name, to, false);
      assertFails(ErrorCode.FILTER_NOT_FOUND, user.elements.test(name, some));
      assertFails(ErrorCode.FILTER_NOT_FOUND, user.elements.add(name, some));
      user.assertMaybe(to, some);
      changer.changes.clear(to);
      assertEquals(0, await(user.elements.test(to, some)).trueCount());
      changer.changes.delete(to, false);
      assertFails(ErrorCode.FILTER_NOT_FOUND, user.elements.test(to, some));
      assertFails(ErrorCode.FILTER_NOT_FOUND, () -> user.changes.clear(to));
      assertFails(ErrorCode.FILTER_NOT_FOUND, () -> user.changes.expire(to, Optional.empty()));
      assertFails(ErrorCode.FILTER_NOT_FOUND, () -> user.changes.delete(to, false));
    }
  }
}
