package io.github.bloomgate.elements;

import static io.github.bloomgate.support.TestInstance.SEVERAL;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.model.FilterParameters;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Elements that are added to the live generation and to the one that a rebuild loads at once,
 * whatever becomes of the rebuild and of the answers in between.
 */
class WriteAheadTest extends AddsBesideARebuild {

  @ParameterizedTest
  @EnumSource
  void eachElementIsNewOnceWhereverTheRebuildEnds(Beside beside) {
    eachMoment(beside, ONE, OTHER, this::assertNewOnce);
  }

  @ParameterizedTest
  @EnumSource
  void eachElementIsNewForOneOfTwo(Beside beside) {
    eachMoment(beside, ONE, OTHER, this::assertNewForOneOfTwo);
  }

  @ParameterizedTest
  @EnumSource
  void answersThatAreLostLoseNoElement(Beside beside) {
    eachMoment(beside, ONE, OTHER, this::assertNotLost);
  }

  @ParameterizedTest
  @EnumSource
  @Tag("long")
  void soItIsWithSeveralSegments(Beside beside) {
    eachMoment(beside, SEVERAL, SEVERAL, this::assertNewOnce);
    eachMoment(beside, SEVERAL, SEVERAL, this::assertNewForOneOfTwo);
    eachMoment(beside, SEVERAL, SEVERAL, this::assertNotLost);
  }

  /** Does it when so many calls have been carried out, and so many of them answered. */
  private void eachMoment(
      Beside beside, FilterParameters before, FilterParameters after, Moment moment) {
    var isLast = false;
    for (var executed = 0; !isLast; executed++) {
      for (var answered = 0; answered <= executed; answered++) {
        prepare(before, after);
        adder.steps().hold();
        var adding = begin(NEW);
        if (isAt(executed, answered)) {
          moment.at(adding, beside, executed > 0);
        } else {
          isLast = answered == executed;
        }
        adder.steps().release();
        other.changes.delete(name, false);
        other.assertNothingLeft(live);
      }
    }
  }

  /** What is done at a moment of an add, of which elements may have been written or not. */
  @FunctionalInterface
  private interface Moment {
    void at(CompletableFuture<boolean[]> adding, Beside beside, boolean isWritten);
  }

  private void assertNewOnce(
      CompletableFuture<boolean[]> adding, Beside beside, boolean isWritten) {
    change(beside, isWritten);
    adder.steps().release();
    assertEquals(NEW.size(), Answers.of(adding.join()).trueCount(), "new");
    assertInBoth();
  }

  /** Of another add of the same, just before the change. */
  private void assertNewForOneOfTwo(
      CompletableFuture<boolean[]> adding, Beside beside, boolean isWritten) {
    var rival = other.add(name, NEW);
    change(beside, isWritten);
    adder.steps().release();
    var own = adding.join();
    assertTrue(IntStream.range(0, own.length).allMatch(i -> own[i] || rival[i]), "new for nobody");
    assertInBoth();
  }

  private void assertNotLost(
      CompletableFuture<boolean[]> adding, Beside beside, boolean isWritten) {
    adder.steps().lose();
    change(beside, isWritten);
    adder.steps().release();
    if (!isAcknowledged(adding)) {
      adder.add(name, NEW);
    }
    assertInBoth();
  }

  /** Goes on until so many calls are carried out and answered, answers as late as can be. */
  private boolean isAt(int executed, int answered) {
    var steps = adder.steps();
    var done = 0;
    var told = 0;
    while (done < executed || told < answered) {
      if (done < executed && steps.canExecute()) {
        steps.execute();
        done++;
      } else if (told < answered && steps.canAnswer()) {
        steps.answer();
        told++;
      } else {
        return false;
      }
    }
    return true;
  }
}
