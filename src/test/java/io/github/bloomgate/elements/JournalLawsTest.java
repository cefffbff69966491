package io.github.bloomgate.elements;

import static io.github.bloomgate.support.Flags.count;
import static io.github.bloomgate.support.TestInstance.assertFails;
import static io.github.bloomgate.support.TestInstance.await;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.store.TestStores;
import io.github.bloomgate.support.Beside;
import io.github.bloomgate.support.TestInstance;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Several instances that journal what they add to the same segments. */
class JournalLawsTest extends JournalingInstances {

  private static final Duration AN_HOUR = Duration.ofHours(1);

  /** Whatever others do meanwhile, compactions of all kinds included. */
  @ParameterizedTest
  @MethodSource("kinds")
  void eachNewElementIsOnesAloneAndKnownToAllAtOnce(FilterParameters kind) throws Exception {
    var filter = one.create(name, kind);
    var seed = System.nanoTime();
    System.out.println("eachNewElementIsOnesAlone: seed " + seed);
    var all = elements("shared ", 6_000);
    var claims = new AtomicIntegerArray(all.size());
    var stopped = new AtomicBoolean();
    var beside = new ArrayList<Future<?>>();
    beside.add(Beside.run(() -> compact(filter, new Random(seed), stopped)));
    var writers = new ArrayList<Future<?>>();
    var instances = List.of(one, other, withoutCopies);
    for (var writer = 0; writer < 6; writer++) {
      var by = instances.get(writer % 3);
      var random = new Random(seed + 1 + writer);
      writers.add(Beside.run(() -> addAll(by, all, claims, random)));
    }
    for (var writer : writers) {
      writer.get(TestInstance.PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }
    stopped.set(true);
    for (var work : beside) {
      work.get(TestInstance.PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }
    var total = 0L;
    for (var i = 0; i < all.size(); i++) {
      assertTrue(claims.get(i) <= 1, "element " + i + ", seed " + seed);
      total += claims.get(i);
    }
    for (var instance : instances) {
      instance.assertMaybe(name, all);
      assertEquals(total, instance.describe(name).statistics().insertions(), "seed " + seed);
      instance.assertCountsAreExact(name);
    }
  }

  private void addAll(TestInstance by, List<byte[]> all, AtomicIntegerArray claims, Random random) {
    var order = new ArrayList<>(IntStream.range(0, all.size()).boxed().toList());
    Collections.shuffle(order, random);
    for (var from = 0; from < order.size(); ) {
      var size = random.nextInt(10) == 0 ? 800 : 1 + random.nextInt(60);
      var part = order.subList(from, Math.min(order.size(), from + size));
      from += part.size();
      var batch = part.stream().map(all::get).toList();
      var flags = by.add(name, batch);
      for (var i = 0; i < flags.length; i++) {
        claims.addAndGet(part.get(i), flags[i] ? 1 : 0);
      }
      List.of(one, other, withoutCopies).get(random.nextInt(3)).assertMaybe(name, batch);
    }
  }

  private static void compact(Filter filter, Random random, AtomicBoolean stopped) {
    while (!stopped.get()) {
      switch (random.nextInt(5)) {
        case 0 -> await(one.journals.rest(Duration.ZERO, AN_HOUR));
        case 1 -> await(other.journals.rest(Duration.ZERO, Duration.ZERO));
        case 2 -> other.fold(filter);
        case 3 -> other.describe(filter.name());
        default -> await(one.stores.journals().replay(filter, 0, false));
      }
    }
  }

  @Test
  void whatIsFullRefusesTheSameWhoeverAsks() throws Exception {
    var kind = TestInstance.sized(2_000, 1e-6, WhenFull.REJECT);
    one.create(name, kind);
    var news = new AtomicInteger();
    var writers = new ArrayList<Future<?>>();
    var instances = List.of(one, other, withoutCopies);
    for (var writer = 0; writer < 3; writer++) {
      var instance = instances.get(writer);
      var prefix = writer + " ";
      writers.add(
          Beside.run(
              () -> {
                for (var i = 0; i < 100; i++) {
                  try {
                    news.addAndGet(count(instance.add(name, elements(prefix + i + " ", 20))));
                  } catch (BloomException full) {
                    assertEquals(ErrorCode.FILTER_FULL, full.code());
                  }
                }
              }));
    }
    for (var writer : writers) {
      writer.get(TestInstance.PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }
    assertEquals(2_000, one.describe(name).statistics().insertions());
    assertEquals(2_000, other.describe(name).statistics().insertions());
    assertTrue(news.get() <= 2_000, news + " were told to be new");
    assertFails(ErrorCode.FILTER_FULL, other.elements.add(name, elements("late ", 1)));
    one.assertCountsAreExact(name);
  }

  /** A quiet segment is the bitmap that it was before there were journals. */
  @ParameterizedTest
  @MethodSource("kinds")
  void atRestTheBitmapIsWhole(FilterParameters kind) {
    var filter = one.create(name, kind);
    warm(one);
    var some = elements("some ", 20);
    one.add(name, some);
    assertTrue(length(filter) > kind.shape().sizeBytes(), "nothing is journaled");
    await(one.journals.rest(Duration.ZERO, AN_HOUR));
    assertBitsOf(some, filter, kind);
    assertTrue(length(filter) > kind.shape().sizeBytes(), "nothing is kept for followers");
    other.assertMaybe(name, some);
    await(one.journals.rest(Duration.ZERO, Duration.ZERO));
    assertEquals(kind.shape().sizeBytes(), length(filter));
    one.assertCountsAreExact(name);
    assertEquals(20, count(withoutCopies.test(name, some)));
    withoutCopies.add(name, elements("bit by bit ", 5));
    one.assertMaybe(name, elements("bit by bit ", 5));
  }

  private static void assertBitsOf(List<byte[]> some, Filter filter, FilterParameters kind) {
    var positions = new long[kind.shape().numHashFunctions()];
    for (var element : some) {
      var segment = kind.hashScheme().locate(element, kind.shape(), positions);
      for (var position : positions) {
        var key = TestStores.keys(filter, segment).get(1);
        assertEquals(1, redis.command("GETBIT", key, Long.toString(position)).toInteger());
      }
    }
  }
}
