package io.github.bloomgate.elements;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.elements.ElementPart.Answer;
import io.github.bloomgate.elements.ElementRequest.Kind;
import io.github.bloomgate.elements.ElementRequest.Outcome;
import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.model.Durability;
import io.github.bloomgate.segment.SegmentFormat;
import io.github.bloomgate.segment.WindowLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Two instances add, remove and test elements of one filter at once. */
class RoundsTogetherTest extends RoundsFixture {

  private static final int CALLERS = 6;
  private static final int REQUESTS = 25;
  private static final int ELEMENTS = 900;

  /** Filters whose rate is so low that no element of a test is a false positive. */
  private enum Filter {
    ONE_SEGMENT,
    SIX_SEGMENTS,
    BORN_WITHOUT_BITMAPS,
    SMALL_JOURNALS,
    GROWING,
    WINDOW;

    TestFilter make() {
      return switch (this) {
        case ONE_SEGMENT -> fixed(1, 16_384, 0, false);
        case SIX_SEGMENTS -> fixed(6, 16_384, 0, false);
        case BORN_WITHOUT_BITMAPS -> fixed(2, 1 << 17, 0, false);
        case SMALL_JOURNALS -> fixed(3, 4_096, 0, false);
        case GROWING -> fixed(2, 4_096, 60, true);
        case WINDOW -> window();
      };
    }

    private static TestFilter window() {
      var layout = WindowLayout.ofMillis(3_600_000, 8, ELEMENTS, 2, true);
      var ringBytes = 512;
      return new TestFilter(
          new FilterShape(2, 8L * ringBytes, 7),
          new SegmentFormat(ringBytes * layout.rings(), 7, new SegmentFormat.Windowed(layout)),
          false);
    }
  }

  private final Map<String, Integer> added = new ConcurrentHashMap<>();

  @ParameterizedTest
  @EnumSource
  void eachElementIsNewOnceAndThenAlwaysThere(Filter kind) throws Exception {
    var filter = kind.make();
    atOnce(callers(filter));
    assertTrue(added.values().stream().allMatch(times -> times == 1), () -> "seed " + seed + added);
    assertEquals(added.size(), filter.insertions(), "seed " + seed);
    for (var element : added.keySet()) {
      assertTrue(one.contains(filter, element) && other.contains(filter, element));
    }
  }

  private List<Callable<Void>> callers(TestFilter filter) {
    var callers = new ArrayList<Callable<Void>>();
    for (var i = 0; i < CALLERS; i++) {
      var instance = i % 2 == 0 ? one : other;
      var choices = new Random(seed + i);
      callers.add(
          () -> {
            for (var request = 0; request < REQUESTS; request++) {
              addAndTest(filter, instance, choices);
            }
            return null;
          });
    }
    return callers;
  }

  private void addAndTest(TestFilter filter, Instance instance, Random choices) {
    var elements =
        choices
            .ints(1 + choices.nextInt(20), 0, ELEMENTS)
            .mapToObj(i -> "element " + i)
            .toArray(String[]::new);
    var answers = instance.add(filter, elements);
    for (var i = 0; i < elements.length; i++) {
      if (answers.answer(i) == Answer.CHANGED) {
        added.merge(elements[i], 1, Integer::sum);
      }
    }
    var tests = (instance == one ? other : one).run(filter, Kind.TEST, elements);
    for (var i = 0; i < elements.length; i++) {
      assertEquals(Answer.KNOWN, tests.answer(i), "seed " + seed);
    }
  }

  @Test
  void aFullFilterTakesExactlyItsInsertions() throws Exception {
    var filter = fixed(1, 16_384, 60, false);
    var answers = new ConcurrentHashMap<Answer, AtomicInteger>();
    var callers = new ArrayList<Callable<Void>>();
    for (var i = 0; i < CALLERS; i++) {
      var instance = i % 2 == 0 ? one : other;
      var caller = i;
      callers.add(
          () -> {
            for (var request = 0; request < 20; request++) {
              var answer = instance.add(filter, request + " of " + caller).answer(0);
              answers.computeIfAbsent(answer, key -> new AtomicInteger()).incrementAndGet();
            }
            return null;
          });
    }
    atOnce(callers);
    assertEquals(60, answers.get(Answer.CHANGED).get());
    assertEquals(20 * CALLERS - 60, answers.get(Answer.REFUSED).get());
    assertEquals(60, filter.insertions());
  }

  @Test
  void countsAreAddsMinusRemovals() throws Exception {
    var filter = counting(3, 4_096);
    var counts = new ConcurrentHashMap<String, AtomicInteger>();
    var callers = new ArrayList<Callable<Void>>();
    for (var i = 0; i < CALLERS; i++) {
      var instance = i % 2 == 0 ? one : other;
      var choices = new Random(seed + i);
      callers.add(
          () -> {
            for (var request = 0; request < REQUESTS; request++) {
              var element = "element " + choices.nextInt(100);
              var count = counts.computeIfAbsent(element, ignored -> new AtomicInteger());
              if (choices.nextInt(3) == 0) {
                var removed = instance.run(filter, Kind.REMOVE, element).answer(0);
                count.addAndGet(removed == Answer.CHANGED ? -1 : 0);
              } else {
                instance.add(filter, element);
                count.incrementAndGet();
              }
            }
            return null;
          });
    }
    atOnce(callers);
    counts.forEach(
        (element, count) ->
            assertEquals(
                Math.min(15, count.get()),
                one.run(filter, Kind.COUNT, element).times()[0],
                () -> element + ", seed " + seed));
    assertEquals(counts.values().stream().mapToInt(AtomicInteger::get).sum(), filter.insertions());
  }

  /**
   * An add that begins while no rebuild is open is there until the next one is committed; one that
   * begins while a rebuild is open is there after its commit, too.
   */
  @Test
  void noAddIsLostWhileRebuildsOpenAndCommit() throws Exception {
    var filter = fixed(3, 16_384, 0, false);
    var isDone = new AtomicBoolean();
    // Odd while a rebuild is open.
    var phase = new AtomicInteger();
    var callers = new ArrayList<Callable<Void>>();
    for (var i = 0; i < CALLERS; i++) {
      var instance = i % 2 == 0 ? one : other;
      var caller = i;
      callers.add(
          () -> {
            for (var request = 0; !isDone.get(); request++) {
              var begun = phase.get();
              var element = "%d of %d".formatted(request, caller);
              instance.add(filter, element);
              var isThere = instance.contains(filter, element);
              assertTrue(isThere || phase.get() > begun + begun % 2, "seed " + seed);
            }
            return null;
          });
    }
    callers.add(
        () -> {
          try {
            rebuild(filter, phase);
          } finally {
            isDone.set(true);
          }
          return null;
        });
    atOnce(callers);
  }

  private void rebuild(TestFilter filter, AtomicInteger phase) {
    for (var rebuild = 0; rebuild < 6; rebuild++) {
      filter.open();
      phase.incrementAndGet();
      var loaded = "loaded " + rebuild;
      one.add(filter, loaded);
      filter.commit();
      phase.incrementAndGet();
      assertTrue(other.contains(filter, loaded), "seed " + seed);
    }
  }

  /** Both names have the same content, and the requests meet in one round. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aFormerNameIsGoneAlsoWhereTheNewOneIsAskedFor(boolean isFormerFirst) throws Exception {
    for (var kind : List.of(Kind.ADD, Kind.TEST)) {
      var filter = fixed(1, 1 << 17, 0, false);
      one.add(filter, "first");
      var former = filter.view();
      var renamed = filter.rename();
      var byFormer = new ElementRequest(kind, bytes("element"), Durability.PRIMARY, former);
      var byNew = new ElementRequest(kind, bytes("element"), Durability.PRIMARY, renamed);
      var requests = isFormerFirst ? List.of(byFormer, byNew) : List.of(byNew, byFormer);
      // The next round begins when this task has ended.
      var outcomes =
          one.thread
              .submit(
                  () ->
                      requests.stream()
                          .map(request -> one.rounds.send(request).subscribeAsCompletionStage())
                          .toList())
              .get();
      for (var i = 0; i < requests.size(); i++) {
        var expected = requests.get(i) == byNew ? Outcome.DONE : Outcome.GONE;
        assertEquals(expected, outcomes.get(i).get(), kind + " " + i);
      }
    }
  }

  /** Runs tasks in parallel and rethrows failures. */
  private static void atOnce(List<Callable<Void>> tasks) throws Exception {
    var threads = Executors.newFixedThreadPool(tasks.size());
    try {
      for (var task : threads.invokeAll(tasks)) {
        task.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }
}
