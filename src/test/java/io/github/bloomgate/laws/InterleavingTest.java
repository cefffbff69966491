package io.github.bloomgate.laws;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.github.bloomgate.laws.ModelCall.Kind;
import io.github.bloomgate.support.TestExtent;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Concurrent calls as in {@link LinearizabilityTest}, but step by step and in a random order: which
 * client calls next, which request reaches Redis, and which reply arrives. Requests and replies
 * therefore overlap in ways that rarely occur by timing, and a seed repeats them exactly. {@code
 * -Dtest.model-interleavings=1000000} tries more.
 */
@Tag("fuzz")
class InterleavingTest extends Interleavings {

  private static final int HISTORIES = TestExtent.of("test.model-interleavings", 60, 10_000);

  private static final Set<Kind> LIFE =
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

  InterleavingTest() {
    super(HISTORIES);
  }

  /**
   * Copies of bitmaps are loaded, fall behind and are brought up to date, and connections are lost.
   */
  @Test
  void addsAndTests() {
    addAndTest(FRESH, false);
    assertTrue(
        instances.stream().allMatch(instance -> near(instance) > 0),
        "no test was answered from a copy");
    assertTrue(
        instances.stream().allMatch(instance -> coalesced(instance) > 0), "no calls were shared");
  }

  /** Several clients add elements as bitmaps at once. */
  @Test
  void addsOfMany() {
    addAndTest(2 * BULK, true);
    assertTrue(instances.stream().allMatch(instance -> merged(instance) > 0), "nothing was merged");
  }

  /** Slices begin between adds and tests, with copies and without. */
  @Test
  void addsAndTestsOfWindows() {
    addAndTest(FRESH, false, List.of(Kind.ADD, Kind.TEST, Kind.TEST), ModelledService.FORGETTING);
    assertTrue(
        instances.stream().allMatch(instance -> near(instance) > 0),
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
