package io.github.bloomgate.elements;

import static io.github.bloomgate.support.TestInstance.SEVERAL;
import static io.github.bloomgate.support.TestInstance.await;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static io.github.bloomgate.support.TestInstance.shape;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.filters.NewDeadline;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.TestInstance;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Elements that are added to the live generation and to the one that a rebuild loads at once,
 * whatever becomes of the rebuild and of the answers in between.
 */
class WriteAheadTest {

  private static final FilterParameters ONE = shape(400_000, 7);
  private static final FilterParameters OTHER = shape(300_000, 5);
  private static final List<byte[]> WARM = elements("warm ", 1_000);
  private static final List<byte[]> NEW = elements("new ", 20);

  private static TestRedis redis;
  private static TestInstance other;

  private TestInstance adder;
  private FilterName name;
  private Filter live;

  @BeforeAll
  static void startRedis() {
    redis = TestRedis.started();
    other = new TestInstance(redis);
  }

  @AfterAll
  static void stopRedis() {
    other.close();
    redis.close();
  }

  @BeforeEach
  void start() {
    adder = TestInstance.stepwise(redis);
  }

  @AfterEach
  void stop() {
    adder.close();
  }

  /** What another instance does meanwhile. */
  private enum Beside {
    NOTHING,
    COMMIT,
    ABORT,
    COMMIT_AND_OPEN,
    ABORT_AND_OPEN
  }

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

  /** The adder has copies of the segments of both generations, and knows of the rebuild. */
  private void prepare(FilterParameters before, FilterParameters after) {
    name = name();
    other.create(name, before);
    adder.add(name, WARM);
    adder.assertMaybe(name, WARM);
    await(other.loads.load(open(after), WARM));
    adder.add(name, elements("more ", 1_000));
    adder.add(name, elements("some more ", 1_000));
    live = other.describe(name).filter();
  }

  private Filter open(FilterParameters after) {
    return other.openings.awaitReady(
        other.openings.open(name, ignored -> after, TestInstance.PATIENCE));
  }

  private CompletableFuture<boolean[]> begin(List<byte[]> some) {
    return adder.elements.add(name, some).map(Answers::flags).subscribeAsCompletionStage();
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

  private void change(Beside beside, boolean isWritten) {
    switch (beside) {
      case NOTHING -> {}
      case COMMIT, COMMIT_AND_OPEN -> commit();
      case ABORT, ABORT_AND_OPEN -> abort();
    }
    if (beside == Beside.COMMIT_AND_OPEN || beside == Beside.ABORT_AND_OPEN) {
      var next = open(OTHER);
      if (isWritten) {
        // What was added before a rebuild was opened is for its client to load.
        await(other.loads.load(next, NEW));
      }
    }
  }

  private void commit() {
    var next = other.rebuilds.find(name).next();
    other.rebuilds.commit(next, 0, NewDeadline.KEEP);
  }

  private void abort() {
    other.rebuilds.abort(other.rebuilds.find(name).next());
  }

  private static boolean isAcknowledged(CompletableFuture<boolean[]> adding) {
    var failure = adding.handle((flags, thrown) -> Optional.ofNullable(thrown)).join();
    failure.ifPresent(
        thrown -> {
          var cause = thrown instanceof BloomException ? thrown : thrown.getCause();
          assertEquals(ErrorCode.STORE_OUTCOME_UNKNOWN, ((BloomException) cause).code());
        });
    return failure.isEmpty();
  }

  /** They are in the live generation, and in the next when that takes its place. */
  private void assertInBoth() {
    for (var instance : List.of(other, adder)) {
      instance.assertMaybe(name, NEW);
    }
    other.assertCountsAreExact(name);
    if (other.describe(name).filter().next().isPresent()) {
      commit();
      for (var instance : List.of(other, adder)) {
        instance.assertMaybe(name, NEW);
      }
      other.assertCountsAreExact(name);
    }
  }
}
