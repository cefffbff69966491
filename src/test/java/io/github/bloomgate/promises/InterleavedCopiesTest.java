package io.github.bloomgate.promises;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.github.bloomgate.promises.ModelCall.Kind;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.store.Keys;
import io.github.bloomgate.support.OnRedis;
import io.github.bloomgate.support.TestExtent;
import io.github.bloomgate.support.TestInstance;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A copy, merge or import, step by step, while clients add elements to both filters. It does not
 * take effect at one moment, so instead of an order of the calls, this test determines the elements
 * that each filter must have and those that it may have.
 */
@Tag("fuzz")
@OnRedis
class InterleavedCopiesTest {

  private static final long SEED = Long.getLong("test.model-seed", System.nanoTime());
  private static final int HISTORIES = TestExtent.of("test.model-interleavings", 60, 10_000) / 3;

  private static final int FROM = 0;
  private static final int TO = 1;

  /** Elements of the original, of the target, and those that are added to each during the call. */
  private static final Set<Integer> ORIGINAL = Set.of(0, 1, 2);

  private static final Set<Integer> TARGET = Set.of(3, 4, 5);
  private static final int FIRST_ADDED = 6;
  private static final int CLIENTS = 4;
  private static final int ADDS = 3;
  private static final int ALL = FIRST_ADDED + CLIENTS * ADDS;

  private static TestRedis redis;
  private List<TestInstance> instances;

  @BeforeEach
  void start() {
    System.out.printf("interleaved copies: -Dtest.model-seed=%d%n", SEED);
    instances = List.of(TestInstance.stepwise(redis), TestInstance.stepwise(redis));
  }

  @AfterEach
  void stop() {
    instances.forEach(TestInstance::close);
  }

  static Stream<Arguments> calls() {
    var fixed = List.of(0, ModelledService.BARE, ModelledService.FORGETTING, ModelledService.RAW);
    var all =
        Stream.concat(fixed.stream(), Stream.of(ModelledService.GROWING, ModelledService.COUNTING))
            .toList();
    return Stream.of(
            all.stream().map(shape -> arguments(Kind.COPY, shape)),
            fixed.stream().map(shape -> arguments(Kind.MERGE, shape)),
            all.stream().map(shape -> arguments(Kind.EXCHANGE, shape)))
        .flatMap(some -> some);
  }

  @ParameterizedTest
  @MethodSource("calls")
  void filtersHaveAllElementsTheyMustHave(Kind kind, int shape) {
    var successes = 0;
    for (var i = 0; i < HISTORIES; i++) {
      var random = new Random(SEED + i);
      var service =
          new ModelledService(instances, "copies%d-%s-%d-%d-".formatted(SEED, kind, shape, i));
      for (var name : List.of(FROM, TO)) {
        service.call(call(Kind.CREATE, name, shape, List.of(), 0));
        var some = name == FROM ? ORIGINAL : TARGET;
        some.forEach(one -> service.call(call(Kind.ADD, name, shape, List.of(one), 0)));
      }
      var history = new CopyHistory(service, calls(kind, shape, random), random);
      history.run();
      instances.forEach(instance -> instance.steps().release());
      successes += check(service, history, kind, shape, i) ? 1 : 0;
      for (var name : List.of(FROM, TO)) {
        service.call(call(Kind.DELETE, name, shape, List.of(), 0));
      }
    }
    assertTrue(successes > HISTORIES / 5, successes + " of " + HISTORIES);
  }

  private static ModelCall call(
      Kind kind, int name, int shape, List<Integer> elements, int instance) {
    // A merge names the filter that changes first.
    return new ModelCall(
        kind, kind == Kind.MERGE ? TO : name, 1 - name, shape, elements, true, instance);
  }

  /** One client makes the call; the others add one element after the other, to one of both. */
  private static List<Deque<ModelCall>> calls(Kind kind, int shape, Random random) {
    var first =
        new ModelCall(
            kind,
            kind == Kind.MERGE ? TO : FROM,
            kind == Kind.MERGE ? FROM : TO,
            shape,
            List.of(),
            true,
            random.nextInt(2));
    return IntStream.rangeClosed(0, CLIENTS)
        .<Deque<ModelCall>>mapToObj(
            client ->
                client == CLIENTS
                    ? new ArrayDeque<>(List.of(first))
                    : IntStream.range(0, ADDS)
                        .mapToObj(
                            i ->
                                call(
                                    Kind.ADD,
                                    client / 2,
                                    shape,
                                    List.of(FIRST_ADDED + client * ADDS + i),
                                    client % 2))
                        .collect(Collectors.toCollection(ArrayDeque::new)))
        .toList();
  }

  /** Notes the content of the target, live and next, when each add begins. */
  private final class CopyHistory extends InterleavedHistory {

    private final ModelledService service;
    private final Map<Integer, Set<String>> contents = new HashMap<>();

    CopyHistory(ModelledService service, List<Deque<ModelCall>> calls, Random random) {
      super(instances, service, calls, random);
      this.service = service;
    }

    @Override
    void noteBegin(ModelCall call) {
      if (call.kind() == Kind.ADD) {
        var found = new HashSet<String>();
        for (var key : List.of(Keys.state(service.name(TO)), Keys.next(service.name(TO)))) {
          found.add(String.valueOf(redis.command("HGET", key, "incarnation")));
        }
        contents.put(call.elements().get(0), found);
      }
    }
  }

  /** Returns whether the call succeeded. */
  private boolean check(
      ModelledService service, CopyHistory history, Kind kind, int shape, int number) {
    var copy =
        history.events.stream()
            .filter(event -> event.call().kind() == kind)
            .findAny()
            .orElseThrow();
    var isDone = Character.isDigit(copy.answer().charAt(0));
    var live = String.valueOf(redis.command("HGET", Keys.state(service.name(TO)), "incarnation"));
    var from = new TreeSet<>(ORIGINAL);
    var to = new TreeSet<Integer>();
    var mayBeInFrom = new TreeSet<>(ORIGINAL);
    var mayBeInTo = new TreeSet<>(ORIGINAL);
    if (isDone) {
      to.addAll(ORIGINAL);
    }
    if (kind == Kind.MERGE) {
      to.addAll(TARGET);
    }
    if (kind == Kind.MERGE || !isDone) {
      mayBeInTo.addAll(TARGET);
    }
    for (var event : history.events) {
      if (event.call().kind() != Kind.ADD) {
        continue;
      }
      var element = event.call().elements().get(0);
      var isAdded = event.answer().startsWith("flags");
      var isOfOriginal = event.call().name() == FROM;
      mayBeInTo.add(element);
      if (isOfOriginal) {
        mayBeInFrom.add(element);
      }
      if (isAdded && isOfOriginal) {
        from.add(element);
      }
      var isCopied = isOfOriginal && isDone && event.ended() < copy.begun();
      var isKept =
          !isOfOriginal && (kind == Kind.MERGE || history.contents.get(element).contains(live));
      if (isAdded && (isCopied || isKept)) {
        to.add(element);
      }
    }
    var hint =
        "-Dtest.model-seed=%d, history %d: %s, %s".formatted(SEED, number, copy, history.events);
    for (var instance : List.of(0, 1)) {
      check(service, FROM, instance, from, mayBeInFrom, hint);
      check(service, TO, instance, to, mayBeInTo, hint);
    }
    if (shape == ModelledService.COUNTING) {
      var counts = service.call(call(Kind.COUNT, TO, shape, List.copyOf(ORIGINAL), 0));
      assertEquals(isDone ? "[1, 1, 1]" : counts, counts, hint);
    }
    return isDone;
  }

  private static void check(
      ModelledService service,
      int name,
      int instance,
      Set<Integer> must,
      Set<Integer> may,
      String hint) {
    var all = IntStream.range(0, ALL).boxed().toList();
    var flags = service.call(call(Kind.TEST, name, 0, all, instance)).substring("flags ".length());
    var found = all.stream().filter(i -> flags.charAt(i) == '1').collect(Collectors.toSet());
    assertTrue(found.containsAll(must), () -> name + " must have " + must + " " + found + hint);
    assertTrue(may.containsAll(found), () -> name + " may have " + may + " " + found + hint);
  }
}
