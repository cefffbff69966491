package io.github.bloomgate.elements;

import static io.github.bloomgate.support.TestInstance.await;
import static io.github.bloomgate.support.TestInstance.element;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.model.Durability;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.store.SegmentBatch;
import io.github.bloomgate.store.SegmentResult;
import io.github.bloomgate.support.TestInstance;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The laws where batches of several requests travel in one call. A gate keeps the first calls of an
 * instance under way until what shall share the next one has come.
 */
class CoalescingLawsTest extends CoalescingInstances {

  static List<FilterParameters> shapes() {
    return List.of(
        TestInstance.shape(1_000_000, 7),
        TestInstance.shape(64 * 1024, 1),
        TestInstance.shape(2_000_000, 64),
        TestInstance.SEVERAL);
  }

  /** Requests of one element or a few, the same elements for all, with tests in between. */
  @ParameterizedTest
  @MethodSource("shapes")
  void overlappingAddsAndTestsOfTwoInstances(FilterParameters parameters) throws Exception {
    var name = name();
    one.create(name, parameters);
    var seed = System.nanoTime();
    System.out.println("overlappingAddsAndTestsOfTwoInstances: seed " + seed);
    var all = elements("shared ", 1_500);
    var news = new AtomicIntegerArray(all.size());
    var before = one.count("bloom.coalesced.batches");
    inThreads(
        thread -> {
          var random = new Random(seed + thread);
          var instance = thread % 4 == 0 ? other : one;
          var order = new ArrayList<>(IntStream.range(0, all.size()).boxed().toList());
          Collections.shuffle(order, random);
          for (var from = 0; from < order.size(); ) {
            var size = random.nextInt(4) == 0 ? 1 + random.nextInt(30) : 1;
            var part = order.subList(from, Math.min(order.size(), from + size));
            from += part.size();
            var batch = part.stream().map(all::get).toList();
            var flags = instance.add(name, batch);
            for (var i = 0; i < flags.length; i++) {
              if (flags[i]) {
                news.incrementAndGet(part.get(i));
              }
            }
            (random.nextBoolean() ? one : other).assertMaybe(name, batch);
          }
        });
    var total = 0;
    for (var i = 0; i < all.size(); i++) {
      assertTrue(news.get(i) <= 1, "element " + i + " was new " + news.get(i) + " times");
      total += news.get(i);
    }
    assertEquals(total, one.describe(name).statistics().insertions());
    one.assertCountsAreExact(name);
    one.assertMaybe(name, all);
    other.assertMaybe(name, all);
    assertTrue(one.count("bloom.coalesced.batches") > before, "nothing was coalesced");
    // What was never added is answered as somebody's own as well.
    assertAbsentExceptFalsePositives(name);
  }

  private static void assertAbsentExceptFalsePositives(FilterName name) throws Exception {
    var expected = one.test(name, elements("stranger ", 400));
    var wrong = new AtomicInteger();
    inThreads(
        thread -> {
          for (var i = thread; i < expected.length; i += THREADS) {
            var flags = one.test(name, List.of(element("stranger " + i)));
            wrong.addAndGet(flags[0] == expected[i] ? 0 : 1);
          }
        });
    assertEquals(0, wrong.get(), "answers of others");
  }

  @Test
  void repliesAreSplitByBatch() {
    var name = name();
    one.create(name, TestInstance.shape(1_000_000, 7));
    one.add(name, elements("there ", 3));
    // From here on there is a copy: all go the same way, in order.
    one.add(name, elements("many ", 1_000));
    var answers =
        behindAGate(
            i -> one.elements.add(name, filler(i)),
            List.of(
                one.elements.add(name, elements("there ", 5)),
                one.elements.add(name, elements("there ", 6)),
                one.elements.add(name, List.of(element("a"), element("a"), element("b"))),
                one.elements.add(name, elements("there ", 1))));
    assertArrayEquals(
        new boolean[] {false, false, false, true, true}, join(answers.get(0)).flags());
    assertArrayEquals(
        new boolean[] {false, false, false, false, false, true}, join(answers.get(1)).flags());
    assertArrayEquals(new boolean[] {true, false, true}, join(answers.get(2)).flags());
    assertArrayEquals(new boolean[] {false}, join(answers.get(3)).flags());
    var tested =
        behindAGate(
            i -> one.elements.test(name, filler(i)),
            List.of(
                one.elements.test(name, List.of(element("a"), element("z"))),
                one.elements.test(name, List.of(element("z"))),
                one.elements.test(name, elements("there ", 7))));
    assertArrayEquals(new boolean[] {true, false}, join(tested.get(0)).flags());
    assertArrayEquals(new boolean[] {false}, join(tested.get(1)).flags());
    assertArrayEquals(
        new boolean[] {true, true, true, true, true, true, false}, join(tested.get(2)).flags());
  }

  /** A refused element is the fault of its own batch: others are answered as if they were alone. */
  @Test
  void aFullSegmentRefusesEachBatchByItself() {
    var name = name();
    // Each element that keeps the first calls under way takes one of the places.
    var filter = one.create(name, TestInstance.sized(CALLS_UNDER_WAY + 10, 1e-9, WhenFull.REJECT));
    one.add(name, elements("known ", 3));
    var replies =
        behindAGate(
            i -> add(one, filter, filler(i)),
            List.of(
                add(one, filter, elements("a", 3)),
                add(one, filter, elements("known ", 2)),
                add(
                    one,
                    filter,
                    List.of(
                        element("b1"),
                        element("a1"),
                        element("b2"),
                        element("b3"),
                        element("b4"),
                        element("b5"),
                        element("known 1"))),
                add(one, filter, elements("known ", 3)),
                add(one, filter, elements("c", 1)),
                add(one, filter, List.of(element("b3"), element("d"), element("known 0"))),
                add(one, filter, elements("known ", 1)),
                add(one, filter, elements("e", 2))));
    assertReply(join(replies.get(0)), false, true, true, true);
    assertReply(join(replies.get(1)), false, false, false);
    assertReply(join(replies.get(2)), true, true, false, true, true, true);
    assertReply(join(replies.get(3)), false, false, false, false);
    assertReply(join(replies.get(4)), true);
    assertReply(join(replies.get(5)), true, false);
    assertReply(join(replies.get(6)), false, false);
    assertReply(join(replies.get(7)), true);
    assertEquals(CALLS_UNDER_WAY + 10, one.describe(name).statistics().insertions());
    one.assertCountsAreExact(name);
    assertFalse(one.test(name, List.of(element("b5")))[0]);
  }

  private static void assertReply(SegmentResult reply, boolean full, boolean... added) {
    assertEquals(full, reply.isFull());
    assertArrayEquals(added, reply.flags());
  }

  /** Two instances, one segment, many batches: exactly n elements are ever taken. */
  @Test
  void exactlySoManyInsertionsAsThereAreAllowed() throws Exception {
    var name = name();
    var limit = 3_000;
    var filter = one.create(name, TestInstance.sized(limit, 1e-12, WhenFull.REJECT));
    var seed = System.nanoTime();
    System.out.println("exactlySoManyInsertionsAsThereAreAllowed: seed " + seed);
    var known = elements("known ", 50);
    one.add(name, known);
    await(one.journals.rest(Duration.ZERO, Duration.ZERO));
    var news = new AtomicInteger(known.size());
    var refused = new AtomicInteger();
    inThreads(
        thread -> {
          var random = new Random(seed + thread);
          var instance = thread % 4 == 0 ? other : one;
          for (var round = 0; refused.get() < 400; round++) {
            var batch = new ArrayList<byte[]>();
            var mine = new ArrayList<Boolean>();
            for (var i = 1 + random.nextInt(6); i > 0; i--) {
              var isKnown = random.nextInt(3) == 0;
              mine.add(isKnown);
              batch.add(
                  isKnown
                      ? known.get(random.nextInt(known.size()))
                      : element(thread + "." + round + "." + i));
            }
            var reply = await(add(instance, filter, batch));
            var flags = reply.flags();
            for (var i = 0; i < flags.length; i++) {
              // None of a few thousand is taken for known, with one in a million million at most.
              assertEquals(mine.get(i), !flags[i]);
              news.addAndGet(flags[i] ? 1 : 0);
            }
            if (reply.isFull()) {
              refused.incrementAndGet();
              assertFalse(mine.get(flags.length), "a known element was refused");
            } else {
              assertEquals(batch.size(), flags.length);
            }
            instance.assertMaybe(name, batch.subList(0, flags.length));
          }
        });
    assertEquals(limit, news.get());
    assertEquals(limit, one.describe(name).statistics().insertions());
    one.assertCountsAreExact(name);
  }

  @Test
  void switchedOffEachBatchIsACallOfItsOwn() throws Exception {
    try (var plain = TestInstance.withoutCoalescing(redis)) {
      var name = name();
      plain.create(name, TestInstance.shape(1_000_000, 7));
      inThreads(
          thread -> {
            for (var round = 0; round < 50; round++) {
              plain.add(name, elements(thread + "." + round + ".", 3));
              plain.assertMaybe(name, elements(thread + "." + round + ".", 3));
            }
          });
      assertEquals(0, plain.count("bloom.coalesced.calls"));
      plain.assertCountsAreExact(name);
    }
  }

  /** Starts requests while calls are under way, so that they share the next, and lets all go on. */
  private static <T> List<CompletableFuture<T>> behindAGate(
      IntFunction<Uni<T>> filler, List<Uni<T>> requests) {
    var before = one.count("bloom.coalesced.batches");
    var gate = gate();
    one.holdBack(gate);
    var fillers =
        IntStream.range(0, CALLS_UNDER_WAY)
            .mapToObj(filler)
            .map(CoalescingLawsTest::start)
            .toList();
    var started = requests.stream().map(CoalescingLawsTest::start).toList();
    open(gate);
    fillers.forEach(CoalescingLawsTest::join);
    started.forEach(CoalescingLawsTest::join);
    var shared = one.count("bloom.coalesced.batches") - before;
    assertTrue(shared >= requests.size(), shared + " shared a call");
    return started;
  }

  /** Calls the store, which tells more of a batch than the service. */
  private static Uni<SegmentResult> add(
      TestInstance instance, Filter filter, List<byte[]> elements) {
    var batches = HashedElements.of(filter.parameters(), elements).batches(0);
    assertEquals(1, batches.size());
    SegmentBatch batch = batches.get(0);
    return instance.stores.elements().add(filter, batch, Durability.PRIMARY);
  }

  private static List<byte[]> filler(int i) {
    return List.of(element("filler " + i));
  }
}
