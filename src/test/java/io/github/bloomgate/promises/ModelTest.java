package io.github.bloomgate.promises;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

import io.github.bloomgate.promises.ModelCall.Kind;
import io.github.bloomgate.support.OnRedis;
import io.github.bloomgate.support.TestExtent;
import io.github.bloomgate.support.TestInstance;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Random sequences of all calls on few names, through two instances, compared with a model of sets.
 * Failing sequences are shortened. {@code -Dtest.model-sequences=100000} makes more sequences, and
 * {@code -Dtest.model-seed} repeats a run.
 */
@Tag("fuzz")
@OnRedis
class ModelTest {

  private static final long SEED = Long.getLong("test.model-seed", System.nanoTime());
  private static final int SEQUENCES = TestExtent.of("test.model-sequences", 40, 1_000);
  private static final int CALLS = 60;
  private static final int NAMES = 3;
  private static final int ELEMENTS = 40;

  /** The model has no layers. */
  private static final Set<String> REFUSALS_OF_LAYERS =
      Set.of("INCOMPATIBLE_FILTERS", "RATE_EXCEEDED");

  private static TestInstance one;
  private static TestInstance other;

  private int replays;

  @Test
  void everyAnswerMatchesTheModel() {
    System.out.printf("model: -Dtest.model-seed=%d%n", SEED);
    for (var i = 0; i < SEQUENCES; i++) {
      var calls = sequence(new Random(SEED + i));
      var mistake = run(calls);
      if (mistake.isPresent()) {
        fail("-Dtest.model-seed=%d, sequence %d:\n%s".formatted(SEED, i, shortest(calls)));
      }
    }
  }

  private static List<ModelCall> sequence(Random random) {
    var kinds = Kind.weighted(Kind.SINGLE);
    var calls = new ArrayList<ModelCall>();
    // Few sequences have filters of several segments, which are slow to copy.
    var shapes =
        random.nextInt(10) == 0
            ? List.of(0, 1, 2)
            : List.of(
                0,
                1,
                ModelledService.GROWING,
                ModelledService.FORGETTING,
                ModelledService.FORGETTING_BY_INSERTIONS,
                ModelledService.KEEPING,
                ModelledService.COUNTING);
    // Otherwise, most removals would find a filter without counters.
    var usual = random.nextInt(3) == 0 ? shapes.size() - 1 : 0;
    for (var i = 0; i < CALLS; i++) {
      var kind = kinds.get(random.nextInt(kinds.size()));
      // Only a replacement may have no elements.
      var least = kind == Kind.REPLACE ? 0 : 1;
      calls.add(
          new ModelCall(
              kind,
              random.nextInt(NAMES),
              random.nextInt(NAMES),
              shapes.get(random.nextInt(3) > 0 ? usual : random.nextInt(shapes.size())),
              random.ints(random.nextInt(least, 20), 0, ELEMENTS).boxed().toList(),
              random.nextBoolean(),
              random.nextInt(2)));
    }
    return calls;
  }

  /**
   * Makes the calls of a sequence on new filters. Returns an empty result if all answers match the
   * model.
   */
  private Optional<String> run(List<ModelCall> calls) {
    var service =
        new ModelledService(
            List.of(one, other), "model%d-%d-".formatted(SEED & 0xffffffffL, replays++));
    var model = new ModelFilters();
    Optional<String> mistake = Optional.empty();
    for (var i = 0; i < calls.size() && mistake.isEmpty(); i++) {
      mistake = compare(service, model, calls.get(i));
      for (var name = 0; name < NAMES && mistake.isEmpty(); name++) {
        mistake = compare(service, model, look(Kind.TEST, name, 1 - calls.get(i).instance()));
      }
    }
    for (var name = 0; name < NAMES; name++) {
      if (mistake.isEmpty()) {
        mistake = compare(service, model, look(Kind.DESCRIBE, name, 0));
      }
      if (mistake.isEmpty()
          && !model.call(look(Kind.DESCRIBE, name, 0)).equals("FILTER_NOT_FOUND")) {
        one.assertCountsAreExact(service.name(name));
      }
      service.call(look(Kind.DELETE, name, 1));
    }
    if (mistake.isEmpty()) {
      assertEquals("[]", service.call(look(Kind.LIST, 0, 0)));
    }
    return mistake;
  }

  private static Optional<String> compare(
      ModelledService service, ModelFilters model, ModelCall call) {
    var actual = service.call(call);
    if (REFUSALS_OF_LAYERS.contains(actual) && model.isMergeOfGrowing(call)) {
      return Optional.empty();
    }
    var expected = model.call(call);
    return expected.equals(actual)
        ? Optional.empty()
        : Optional.of("%s%n  must be  %s%n  and was  %s".formatted(call, expected, actual));
  }

  private static ModelCall look(Kind kind, int name, int instance) {
    return new ModelCall(
        kind, name, name, 0, IntStream.range(0, ELEMENTS).boxed().toList(), false, instance);
  }

  /** Removes calls while the rest still fails. */
  private String shortest(List<ModelCall> failing) {
    var calls = failing;
    var mistake = run(calls).orElse("It does not fail again.");
    for (var part = calls.size() / 2; part > 0; ) {
      var isShorter = false;
      for (var from = 0; from < calls.size() && !isShorter; from += part) {
        var fewer = new ArrayList<>(calls.subList(0, from));
        fewer.addAll(calls.subList(Math.min(from + part, calls.size()), calls.size()));
        var still = run(fewer);
        if (still.isPresent()) {
          calls = fewer;
          mistake = still.get();
          isShorter = true;
        }
      }
      part = isShorter ? Math.min(part, Math.max(1, calls.size() / 2)) : part / 2;
    }
    var text = new StringBuilder();
    calls.forEach(call -> text.append(call).append('\n'));
    return text + mistake;
  }
}
