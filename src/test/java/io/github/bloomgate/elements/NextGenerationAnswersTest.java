package io.github.bloomgate.elements;

import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Adds of which only one of the live generation and the next has answered. */
class NextGenerationAnswersTest extends AddsBesideARebuild {

  /**
   * The live generation is busy when elements come, so the next one has them first. Then the answer
   * of the live one is lost, or what it was asked.
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatOnlyTheNextGenerationHasAnsweredIsNotAcknowledged(boolean isExecuted) {
    for (var beside : List.of(Beside.COMMIT, Beside.ABORT)) {
      prepare(ONE, OTHER);
      var steps = adder.steps();
      steps.hold();
      var busy = adder.elements.test(name, WARM).subscribeAsCompletionStage();
      var adding = begin(NEW);
      steps.execute();
      steps.execute();
      steps.answer();
      assertTrue(busy.isDone(), "the live generation has answered");
      steps.answer();
      assertFalse(steps.canAnswer(), "the next one has answered");
      assertTrue(steps.canExecute(), "the live one is asked");
      if (isExecuted) {
        steps.execute();
      }
      steps.lose();
      assertFalse(isAcknowledged(adding));
      steps.release();
      change(beside, true);
      if (beside == Beside.COMMIT || isExecuted) {
        other.assertMaybe(name, NEW);
      }
      var repeated = Answers.of(adder.add(name, NEW)).trueCount();
      assertEquals(beside == Beside.ABORT && !isExecuted ? NEW.size() : 0, repeated);
      assertInBoth();
    }
  }

  /** The live generation has answered: what is lost of the other is written once more. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatTheNextGenerationHasNotAnsweredFollows(boolean isExecuted) {
    prepare(ONE, OTHER);
    var steps = adder.steps();
    steps.hold();
    var adding = begin(NEW);
    steps.execute();
    if (isExecuted) {
      steps.execute();
    }
    steps.answer();
    steps.lose();
    steps.release();
    assertEquals(NEW.size(), Answers.of(adding.join()).trueCount());
    assertInBoth();
  }
}
