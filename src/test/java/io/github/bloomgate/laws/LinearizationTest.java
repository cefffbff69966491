package io.github.bloomgate.laws;

import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.bloomgate.laws.ModelCall.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Histories with a known verdict, of a filter with an open rebuild. */
class LinearizationTest {

  private static final String NEW = "flags 1";
  private static final String KNOWN = "flags 0";
  private static final String ABSENT = "flags 0";

  private static final ModelEvent ADD = event(Kind.ADD, NEW, 0, 10);

  /** An add that waits for the live generation to grow is already in the next one. */
  @Test
  void anAddMayBeSeenInTheNextGenerationFirst() {
    check(ADD, event(Kind.LOAD, KNOWN, 1, 2), event(Kind.TEST, ABSENT, 3, 4));
  }

  @Test
  void anAddInTheNextGenerationIsStillNewAfterACommit() {
    check(
        ADD,
        event(Kind.LOAD, KNOWN, 1, 2),
        event(Kind.TEST, ABSENT, 3, 4),
        event(Kind.COMMIT, "0", 5, 6),
        event(Kind.TEST, "flags 1", 7, 8));
  }

  @Test
  void onceItIsAnsweredTheLiveGenerationHasIt() {
    assertNoOrder(ADD, event(Kind.LOAD, KNOWN, 1, 2), event(Kind.TEST, ABSENT, 11, 12));
  }

  @Test
  void elementsNotYetBeingAddedAreNew() {
    assertNoOrder(event(Kind.LOAD, KNOWN, 1, 2), event(Kind.ADD, NEW, 3, 4));
  }

  private static void assertNoOrder(ModelEvent... history) {
    assertThrows(AssertionError.class, () -> check(history));
  }

  private static void check(ModelEvent... history) {
    var before = new ModelFilters();
    before.call(event(Kind.CREATE, "created", 0, 0).call());
    before.call(event(Kind.OPEN, "opened", 0, 0).call());
    new Linearization(before, true).check(List.of(history), "written by hand");
  }

  private static ModelEvent event(Kind kind, String answer, long begun, long ended) {
    return new ModelEvent(
        new ModelCall(kind, 0, 0, ModelledService.GROWING, List.of(1), true, 0),
        answer,
        begun,
        ended);
  }
}
