package io.github.bloomgate.promises;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.promises.ModelCall.Kind;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.store.Keys;
import io.github.bloomgate.support.OnRedis;
import io.github.bloomgate.support.TestExtent;
import io.github.bloomgate.support.TestInstance;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Concurrent calls as in {@link LinearizabilityTest}, but step by step and in a random order: which
 * client calls next, which request reaches Redis, which reply arrives, and when journals are folded
 * or a connection is lost. Requests and replies therefore overlap in ways that rarely occur by
 * timing, and a seed repeats them exactly. {@code -Dtest.model-interleavings=1000000} tries more.
 */
@Tag("fuzz")
@OnRedis
class InterleavingTest {

  private static final long SEED = Long.getLong("test.model-seed", System.nanoTime());
  private static final int HISTORIES = TestExtent.of("test.model-interleavings", 60, 10_000);

  static final Set<Kind> LIFE =
      Set.of(
          Kind.CREATE,
          Kind.ADD,
          Kind.TEST,
          Kind.DESCRIBE,
          Kind.EXPIRE,
          Kind.CLEAR,
          Kind.DELETE,
          Kind.RENAME);

  private static final Set<Kind> REBUILDS =
      Set.of(Kind.ADD, Kind.TEST, Kind.DESCRIBE, Kind.OPEN, Kind.LOAD, Kind.COMMIT, Kind.ABORT);

  /**
   * Clients per instance. Because two calls run in parallel, it takes this many for requests to
   * share calls.
   */
  private static final int CROWD = 5;

  /** So few that the search finds an order of all kinds of calls quickly. */
  private static final int FEW = 3;

  private static final int CALLS = 6;

  /** The number of histories for a filter that is only added to and tested. */
  private static final int ROUNDS = 15;

  private static final int FRESH = 5;

  /** The first element of streams. */
  private static final int STREAMED = 100;

  private static final int MOST_IN_CALL = 3;

  /** From this number of elements, an add is made as a bitmap, given the shape of the model. */
  private static final int BULK = 14;

  private static TestRedis redis;
  private List<TestInstance> instances;

  @BeforeEach
  void start() {
    System.out.printf("interleavings: -Dtest.model-seed=%d%n", SEED);
    instances = List.of(TestInstance.stepwise(redis), TestInstance.stepwise(redis));
  }

  @AfterEach
  void stop() {
    instances.forEach(TestInstance::close);
  }

  private void addAndTest(int fresh, boolean bulk) {
    addAndTest(fresh, bulk, List.of(Kind.ADD, Kind.TEST, Kind.TEST), 0);
  }

  private void addAndTest(int fresh, boolean bulk, List<Kind> kinds, int shape) {
    ModelledService service = null;
    ModelFilters model = null;
    for (var i = 0; i < HISTORIES; i++) {
      var random = new Random(SEED + i);
      if (i % ROUNDS == 0) {
        instances.forEach(instance -> instance.steps().release());
        service =
            new ModelledService(instances, "inter%d-%d-%d-%d-".formatted(SEED, fresh, shape, i));
        model = new ModelFilters();
        make(service, model, call(Kind.CREATE, shape));
      }
      var first = i % ROUNDS * fresh;
      if (shape == ModelledService.FORGETTING) {
        begin(service, model, first);
      }
      var saved = keys(service.name(0));
      saved.forEach(key -> redis.command("COPY", key, copyOf(key), "REPLACE"));
      // Elements of the last history may already be known, or lost.
      var from = Math.max(0, first - fresh);
      var calls =
          new Clients(CROWD, kinds, 1, shape)
              .calls(random, () -> elements(random, from, first + fresh, bulk, MOST_IN_CALL));
      var before = model;
      var history = history(service, calls, random);
      settle(history, shape);
      model = check(i, model, history.events, false);
      if (random.nextInt(4) == 0) {
        // Restores an earlier state of Redis.
        keys(service.name(0)).forEach(key -> redis.command("DEL", key));
        saved.forEach(key -> redis.command("COPY", copyOf(key), key, "REPLACE"));
        model = before;
        instances.forEach(instance -> instance.steps().lose());
      }
    }
  }

  /** Asks whether changes with unknown outcomes were made, so that the next history begins so. */
  private void settle(InterleavedHistory history, int shape) {
    var unknown =
        history.events.stream()
            .filter(event -> event.mayHaveActed() && event.mayHaveDoneNothing())
            .flatMap(event -> event.call().elements().stream())
            .distinct()
            .toList();
    if (!unknown.isEmpty()) {
      instances.forEach(instance -> instance.steps().release());
      var kind = ModelContent.counts(shape) ? Kind.COUNT : Kind.TEST;
      history.call(new ModelCall(kind, 0, 0, shape, unknown, false, 0));
    }
  }

  /** The keys of a filter's state and segments. */
  private List<String> keys(FilterName name) {
    var state = Keys.state(name);
    var incarnation = redis.command("HGET", state, "incarnation").toString();
    var keys = new ArrayList<>(instances.get(0).keysWith(name.value() + "}:" + incarnation));
    keys.add(state);
    return keys;
  }

  private static String copyOf(String key) {
    return "saved:" + key.replace('}', ')');
  }

  /** Adds some elements, so that they are known. */
  private void begin(ModelledService service, ModelFilters model, int first) {
    instances.forEach(instance -> instance.steps().release());
    for (var element = Math.max(0, first - FRESH); element < first; element++) {
      make(service, model, new ModelCall(Kind.ADD, 0, 0, 0, List.of(element), false, element % 2));
    }
  }

  private void again(Set<Kind> kinds, boolean addsInParts, int shape) {
    // Elements of one call in different layers are not added at the same moment.
    var most = shape == ModelledService.GROWING ? 1 : MOST_IN_CALL;
    var weighted = Kind.weighted(EnumSet.copyOf(kinds));
    var names = kinds.contains(Kind.RENAME) ? 2 : 1;
    var cutOff = 0;
    for (var i = 0; i < HISTORIES / 3; i++) {
      var random = new Random(SEED + i);
      var service =
          new ModelledService(
              instances, "again%d-%d-%d-%d-".formatted(SEED, kinds.hashCode(), shape, i));
      var model = new ModelFilters();
      make(service, model, call(Kind.CREATE, shape));
      if (kinds.contains(Kind.OPEN) && random.nextBoolean()) {
        make(service, model, call(Kind.OPEN, shape));
        make(service, model, call(Kind.LOAD, shape));
      }
      var calls =
          new Clients(FEW, weighted, names, shape)
              .calls(random, () -> elements(random, 0, FRESH, false, most));
      var history = history(service, calls, random);
      if (ModelContent.counts(shape)) {
        count(history);
      }
      try {
        check(i, model, history.events, addsInParts);
      } catch (Linearization.CutOffException undecided) {
        System.out.println(undecided.getMessage());
        cutOff++;
      }
      instances.forEach(instance -> instance.steps().release());
      for (var name = 0; name < names; name++) {
        service.call(new ModelCall(Kind.DELETE, name, 0, 0, List.of(), false, 0));
      }
    }
    assertTrue(cutOff <= HISTORIES / 30, "searches that were given up: " + cutOff);
  }

  private static ModelFilters check(
      int number, ModelFilters before, List<ModelEvent> events, boolean addsInParts) {
    return new Linearization(before, addsInParts)
        .check(events, "-Dtest.model-seed=%d, history %d".formatted(SEED, number));
  }

  private static void make(ModelledService service, ModelFilters model, ModelCall call) {
    assertEquals(model.call(call), service.call(call));
  }

  private static ModelCall call(Kind kind, int shape) {
    return new ModelCall(kind, 0, 0, shape, List.of(0), false, 0);
  }

  /**
   * Clients of both instances.
   *
   * @param each number of clients per instance
   * @param kinds kinds of calls; frequent ones are repeated
   * @param names number of filters
   * @param shape shape of the filters that calls create
   */
  private record Clients(int each, List<Kind> kinds, int names, int shape) {

    /** The calls of each client, in order. */
    List<Deque<ModelCall>> calls(Random random, Supplier<List<Integer>> elements) {
      return IntStream.range(0, 2 * each)
          .<Deque<ModelCall>>mapToObj(
              client ->
                  IntStream.rangeClosed(0, CALLS / each)
                      .mapToObj(i -> batches(call(random, elements, client % 2), client, i))
                      .flatMap(batches -> batches)
                      .collect(Collectors.toCollection(ArrayDeque::new)))
          .toList();
    }

    /** The calls of a stream: a batch for each element, which no other call adds, and its end. */
    private static Stream<ModelCall> batches(ModelCall call, int client, int number) {
      if (call.kind() != Kind.LINES) {
        return Stream.of(call);
      }
      var first = STREAMED + MOST_IN_CALL * (client * CALLS + number);
      var elements = IntStream.range(first, first + call.elements().size()).boxed().toList();
      return Stream.concat(
          elements.stream().map(element -> call.with(Kind.LINES, List.of(element))),
          Stream.of(call.with(Kind.END, elements)));
    }

    private ModelCall call(Random random, Supplier<List<Integer>> elements, int instance) {
      return new ModelCall(
          kinds.get(random.nextInt(kinds.size())),
          random.nextInt(names),
          random.nextInt(names),
          shape,
          elements.get(),
          random.nextBoolean(),
          instance);
    }
  }

  /** Random elements, or blocks of elements that set the same number of bits. */
  private static List<Integer> elements(Random random, int from, int to, boolean bulk, int most) {
    if (!bulk) {
      return random.ints(random.nextInt(most) + 1, from, to).boxed().toList();
    }
    var first = from + random.nextInt((to - from) / BULK) * BULK;
    return IntStream.range(first, first + BULK).boxed().toList();
  }

  private InterleavedHistory history(
      ModelledService service, List<Deque<ModelCall>> calls, Random random) {
    return new InterleavedHistory(instances, service, calls, random).run();
  }

  /** Appends calls that count each element, and count it again after committing an open rebuild. */
  private void count(InterleavedHistory history) {
    instances.forEach(instance -> instance.steps().release());
    var all = IntStream.range(0, FRESH).boxed().toList();
    history.call(new ModelCall(Kind.COUNT, 0, 0, 0, all, false, 0));
    history.call(new ModelCall(Kind.COMMIT, 0, 0, 0, all, true, 1));
    history.call(new ModelCall(Kind.COUNT, 0, 0, 0, all, false, 1));
  }

  /**
   * Copies of bitmaps are loaded, fall behind and are brought up to date, and connections are lost.
   */
  @Test
  void addsAndTests() {
    addAndTest(FRESH, false);
    assertTrue(
        instances.stream()
            .allMatch(instance -> instance.count("bloom.copies.tests", "decided", "copy") > 0),
        "no test was answered from a copy");
    assertTrue(
        instances.stream().allMatch(instance -> instance.count("bloom.coalesced.calls") > 0),
        "no calls were shared");
  }

  /** Several clients add elements as bitmaps at once. */
  @Test
  void addsOfMany() {
    addAndTest(2 * BULK, true);
    assertTrue(
        instances.stream()
            .allMatch(
                instance -> instance.count("bloom.journal.snapshots", "result", "written") > 0),
        "nothing was merged");
  }

  /** The first fold brings the bitmap. */
  @Test
  void addsAndTestsOfSegmentsWithoutBitmap() {
    addAndTest(FRESH, false, List.of(Kind.ADD, Kind.TEST, Kind.TEST), ModelledService.BARE);
    assertTrue(
        instances.stream()
            .allMatch(
                instance -> instance.count("bloom.journal.snapshots", "result", "written") > 0),
        "no segment was folded");
  }

  /** Slices begin between adds and tests, with copies and without. */
  @Test
  void addsAndTestsOfWindows() {
    addAndTest(FRESH, false, List.of(Kind.ADD, Kind.TEST, Kind.TEST), ModelledService.FORGETTING);
    assertTrue(
        instances.stream()
            .allMatch(instance -> instance.count("bloom.copies.tests", "decided", "copy") > 0),
        "no test was answered from a copy");
  }

  /** Adds that are sent as bitmaps. */
  @Test
  void batchesToWindows() {
    addAndTest(2 * BULK, true, List.of(Kind.ADD, Kind.TEST, Kind.TEST), ModelledService.FORGETTING);
  }

  /** Each add and each removal happens once, with copies and without. */
  @Test
  void addsTestsAndRemovalsOfFiltersThatCount() {
    addAndTest(
        FRESH,
        false,
        List.of(Kind.ADD, Kind.ADD, Kind.TEST, Kind.REMOVE, Kind.COUNT),
        ModelledService.COUNTING);
  }

  /** Rebuilds get all adds and no removals, and grow and begin slices too. */
  static Stream<Arguments> lives() {
    return Stream.of(
        arguments("filters that come and go", LIFE, false, 0),
        arguments("rebuilds of a filter that remains", with(REBUILDS, Kind.EXPIRE), true, 0),
        arguments(
            "rebuilds of filters that come and go",
            with(REBUILDS, Kind.CREATE, Kind.EXPIRE, Kind.DELETE, Kind.RENAME),
            true,
            0),
        arguments("growing filters", without(LIFE, Kind.RENAME), false, ModelledService.GROWING),
        // Renames do not change later segments.
        arguments("growing filters with renames", LIFE, false, ModelledService.GROWING),
        arguments("rebuilds of growing filters", REBUILDS, true, ModelledService.GROWING),
        arguments("windows by time", LIFE, false, ModelledService.FORGETTING),
        // The order of all adds on all instances determines the known elements.
        arguments(
            "windows by insertions",
            Set.of(Kind.ADD, Kind.TEST, Kind.DESCRIBE, Kind.CLEAR),
            false,
            ModelledService.FORGETTING_BY_INSERTIONS),
        arguments(
            "windows by insertions without refresh",
            Set.of(Kind.ADD, Kind.TEST, Kind.DESCRIBE, Kind.CLEAR),
            false,
            ModelledService.KEEPING),
        arguments("segments without bitmap", LIFE, false, ModelledService.BARE),
        arguments("rebuilds of segments without bitmap", REBUILDS, true, ModelledService.BARE),
        arguments("filters that reject", LIFE, false, ModelledService.REJECTING),
        arguments("raw content", LIFE, false, ModelledService.RAW),
        arguments("rebuilds of raw content", REBUILDS, true, ModelledService.RAW),
        arguments("replicated adds", with(LIFE, Kind.REPLICATED_ADD), true, 0),
        arguments("rebuilds and replicated adds", with(REBUILDS, Kind.REPLICATED_ADD), true, 0),
        // The first fold drops the blocks that would be confirmed.
        arguments(
            "replicated adds to segments without bitmap",
            with(LIFE, Kind.REPLICATED_ADD),
            true,
            ModelledService.BARE),
        arguments(
            "replicated adds to counting filters without bitmap",
            Set.of(Kind.ADD, Kind.REPLICATED_ADD, Kind.REMOVE, Kind.COUNT),
            false,
            ModelledService.BARE_COUNTING),
        arguments("streams", with(LIFE, Kind.LINES), true, 0),
        arguments("rebuilds and streams", with(REBUILDS, Kind.LINES), true, 0),
        arguments("raw content and streams", with(LIFE, Kind.LINES), true, ModelledService.RAW),
        arguments("rebuilds of windows", REBUILDS, true, ModelledService.FORGETTING),
        arguments(
            "counting filters",
            with(LIFE, Kind.REMOVE, Kind.COUNT),
            false,
            ModelledService.COUNTING),
        arguments(
            "rebuilds of counting filters",
            with(REBUILDS, Kind.REMOVE, Kind.COUNT),
            true,
            ModelledService.COUNTING));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("lives")
  void livesOfFilters(String what, Set<Kind> kinds, boolean addsInParts, int shape) {
    again(kinds, addsInParts, shape);
  }

  private static Set<Kind> with(Set<Kind> kinds, Kind... more) {
    var all = EnumSet.copyOf(kinds);
    all.addAll(List.of(more));
    return all;
  }

  private static Set<Kind> without(Set<Kind> kinds, Kind one) {
    var all = EnumSet.copyOf(kinds);
    all.remove(one);
    return all;
  }
}
