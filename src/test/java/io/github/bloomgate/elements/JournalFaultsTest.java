package io.github.bloomgate.elements;

import static io.github.bloomgate.support.TestInstance.SEVERAL;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.support.TestCounters;
import io.github.bloomgate.support.TestWindows;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * An instance that dies, or loses its connection, at each step of what it does with journals. What
 * it was answered before, and what it has answered, others find.
 */
class JournalFaultsTest extends JournalFaults {

  private static final FilterParameters COUNTS = TestCounters.counting(4_000);
  private static final FilterParameters FORGETS =
      TestWindows.sized(13_000, TestWindows.years(4, true));

  @ParameterizedTest
  @EnumSource
  void nothingIsLostWhateverItsLastStep(Doing doing) {
    assertNothingIsLost(doing, ONE);
  }

  /** What it does begins a slice. */
  @ParameterizedTest
  @EnumSource
  @Tag("slow")
  void norWhereElementsAreForgotten(Doing doing) {
    assertNothingIsLost(doing, FORGETS);
  }

  @ParameterizedTest
  @EnumSource
  @Tag("slow")
  void norWhereElementsAreCounted(Doing doing) {
    assertNothingIsLost(doing, COUNTS);
  }

  @ParameterizedTest
  @EnumSource
  @Tag("long")
  void norInSeveralSegments(Doing doing) {
    assertNothingIsLost(doing, SEVERAL);
  }

  private static void assertNothingIsLost(Doing doing, FilterParameters kind) {
    for (var fate : Fate.values()) {
      var calls = 0;
      while (new Case(doing, kind).isMetBy(fate, calls, Beside.NOTHING)) {
        calls++;
      }
      assertTrue(calls >= doing.calls, calls + " calls");
    }
  }

  static Stream<Arguments> changes() {
    return Stream.of(Doing.values())
        .flatMap(
            doing ->
                Stream.of(Beside.values())
                    .filter(beside -> isPossible(beside, doing))
                    .map(beside -> Arguments.of(doing, beside)));
  }

  private static boolean isPossible(Beside beside, Doing doing) {
    return switch (beside) {
      case NOTHING -> false;
      case RENAME, DELETE -> true;
      case CLEAR -> doing != Doing.ADDING_TO_BOTH_GENERATIONS;
      case COMMIT, ABORT -> doing == Doing.ADDING_TO_BOTH_GENERATIONS;
    };
  }

  @ParameterizedTest
  @MethodSource("changes")
  @Tag("long")
  void norIfTheFilterChangesMeanwhile(Doing doing, Beside beside) {
    for (var kind : doing.snapshots > 0 ? List.of(ONE) : List.of(ONE, SEVERAL)) {
      for (var fate : List.of(Fate.DIES_UNANSWERED, Fate.IS_CUT_UNANSWERED)) {
        var calls = 0;
        while (new Case(doing, kind).isMetBy(fate, calls, beside)) {
          calls++;
        }
      }
    }
  }
}
