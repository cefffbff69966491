package io.github.bloomgate.elements;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.elements.ElementCall.Kind;
import io.github.bloomgate.elements.ElementRequest.Outcome;
import io.github.bloomgate.filters.UnfoldedSegments;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.redis.StepLink;
import io.github.bloomgate.redis.TestLink;
import io.github.bloomgate.segment.Verdict;
import io.github.bloomgate.store.TestStores;
import io.github.bloomgate.store.TestStores.Defect;
import io.github.bloomgate.store.TestStores.Loss;
import io.github.bloomgate.support.InOrder;
import io.github.bloomgate.support.InParallel;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A round with many adds makes several calls. */
class SegmentCallsTest extends RoundsFixture {

  /** Their blocks take 168 KB, so that three of eight segments fit into a call. */
  private static final int MANY = 8_000;

  private static final int SEGMENTS = 8;
  private static final Loss[] LOSSES = Loss.values();
  private static final String[] ELEMENTS = elements("element ", MANY);

  /** So large that its journals are not folded: a fold would hide the outcome of a lost call. */
  private static TestFilter counting() {
    return counting(SEGMENTS, 1 << 20);
  }

  private static int[] counts(Instance instance, TestFilter filter) {
    var counts = instance.run(filter, Kind.COUNT, ELEMENTS).times();
    return IntStream.range(0, MANY).map(i -> counts[i]).toArray();
  }

  @Test
  void largeBlocksTakeSeveralCalls() {
    var filter = fixed(SEGMENTS, 1 << 18, 0, false);
    one.add(filter, NAMES);
    var add = request(Kind.ADD, filter, ELEMENTS);
    assertEquals(3, RoundsFoldingTest.callsOf(add));
    assertEquals(MANY, add.live().answered());
    assertEquals(1, RoundsFoldingTest.callsOf(request(Kind.TEST, filter, ELEMENTS)));
    assertEquals(MANY, other.run(filter, Kind.TEST, ELEMENTS).count(Verdict.KNOWN));
  }

  /** The adds are to one segment, and most of the tests to others, which come first. */
  @Test
  void testsShareCallsWithLargeBlocks() throws Exception {
    var filter = counting();
    one.add(filter, NAMES);
    var repeated = new String[MANY];
    Arrays.fill(repeated, "repeated");
    for (var tested : Arrays.copyOf(NAMES, 4)) {
      var requests =
          one.sendTogether(request(Kind.TEST, filter, tested), request(Kind.ADD, filter, repeated));
      for (var sent : requests) {
        assertEquals(Outcome.DONE, InParallel.resultOf(sent), tested);
      }
    }
    assertEquals(15, one.run(filter, Kind.COUNT, "repeated").times()[0]);
  }

  /** An answer from a later layer depends on the reply about the earlier ones. */
  @Test
  void layersShareACall() {
    var filter = fixed(SEGMENTS, 1 << 18, 3, true);
    one.add(filter, NAMES);
    filter.grow();
    assertNotEquals(1, filter.view().live().layers().size());
    var add = request(Kind.ADD, filter, elements("few more ", 2));
    assertEquals(1, RoundsFoldingTest.callsOf(add));
    var many = fixed(SEGMENTS, 1 << 18, 0, true);
    many.grow();
    one.add(many, NAMES);
    assertEquals(1, RoundsFoldingTest.callsOf(request(Kind.ADD, many, ELEMENTS)));
  }

  @ParameterizedTest
  @CsvSource({"0,REQUEST", "1,REQUEST", "2,REPLY", "1,REPLY", "1,LATE", "2,LATE"})
  void aLostReplyToOneOfThemIsRepeated(int before, Loss loss) {
    var filter = counting();
    one.add(filter, NAMES);
    one.stores.losses().loseAfter(before, loss);
    one.run(filter, Kind.REMOVE, NAMES);
    one.stores.losses().loseAfter(before, loss);
    assertEquals(MANY, one.add(filter, ELEMENTS).count(Verdict.CHANGED));
    one.stores.losses().lose(Loss.NONE);
    one.add(filter, "later");
    assertEquals(MANY + 1, filter.insertions());
    for (var instance : List.of(one, other)) {
      assertTrue(Arrays.stream(counts(instance, filter)).allMatch(count -> count >= 1));
    }
  }

  /** Each call names the version of the filter, so no element is acknowledged that is gone. */
  @Test
  void allElementsAreAddedAgainIfTheFilterIsClearedBetweenTwoCalls() {
    var filter = fixed(SEGMENTS, 1 << 18, 0, false);
    one.add(filter, NAMES);
    try (var link = TestLink.stepwise(redis.options())) {
      var rounds =
          new Rounds(
              TestStores.of(link).segments(),
              MEMORY,
              new UnfoldedSegments(),
              link.registry(),
              new InOrder());
      var steps = (StepLink) link.link();
      var add = request(Kind.ADD, filter, ELEMENTS);
      // Reads the copies.
      InParallel.resultOf(
          rounds.send(List.of(request(Kind.ADD, filter, NAMES))).subscribeAsCompletionStage());
      steps.hold();
      var sent = rounds.send(List.of(add)).subscribeAsCompletionStage();
      steps.execute();
      filter.clear();
      steps.release();
      InParallel.resultOf(sent);
      assertEquals(Outcome.OUTDATED, add.result());
      var answered = add.live().answered();
      assertTrue(answered > 0 && answered < MANY, "answered " + answered);
      add.follow(filter.view());
      InParallel.resultOf(rounds.send(List.of(add)).subscribeAsCompletionStage());
      assertEquals(Outcome.DONE, add.result());
    }
    assertEquals(MANY, other.run(filter, Kind.TEST, ELEMENTS).count(Verdict.KNOWN));
  }

  /** What only the live generation has would be lost with a commit. */
  @Test
  void elementsThatTheNextGenerationLacksAreNotReportedAsAdded() {
    var filter = counting();
    one.add(filter, NAMES);
    filter.open();
    one.add(filter, NAMES);
    one.stores.losses().defectAfter(3, Defect.ADVANCE, 6);
    var add = request(Kind.ADD, filter, ELEMENTS);
    var failure =
        assertThrows(BloomException.class, () -> TestLink.await(one.send(add)), "seed " + seed);
    one.stores.losses().clearDefects();
    assertEquals(MANY, add.live().applied());
    assertTrue(failure.getMessage().contains(" 0 of the 8000 elements"), failure.getMessage());
  }

  /** The other calls have been made, and the error says how many elements they added. */
  @Test
  void aFailureOfOneOfThemLeavesTheOthers() {
    var filter = counting();
    one.add(filter, NAMES);
    one.run(filter, Kind.REMOVE, NAMES);
    var before = filter.insertions();
    one.stores.losses().defect(Defect.ADVANCE, 2);
    var add = request(Kind.ADD, filter, ELEMENTS);
    var failure =
        assertThrows(BloomException.class, () -> TestLink.await(one.send(add)), "seed " + seed);
    assertEquals(ErrorCode.STORE_OUTCOME_UNKNOWN, failure.code());
    var added = filter.insertions() - before;
    assertTrue(added > MANY / 2 && added < MANY, "added " + added);
    assertEquals(added, add.live().applied());
    assertTrue(failure.getMessage().contains(Long.toString(added)), failure.getMessage());
  }

  @Test
  void randomLossesOfLargeRequestsLeaveCountsExact() {
    var filter = counting();
    var expected = new int[MANY];
    for (var i = 0; i < 20; i++) {
      var instance = random.nextBoolean() ? one : other;
      var from = random.nextInt(MANY / 2);
      var part = Arrays.copyOfRange(ELEMENTS, from, from + MANY / 2);
      var isRemoval = random.nextInt(3) == 0;
      var losses = instance.stores.losses();
      losses.loseAfter(random.nextInt(3), LOSSES[random.nextInt(LOSSES.length)]);
      instance.run(filter, isRemoval ? Kind.REMOVE : Kind.ADD, part);
      losses.loseAfter(0, Loss.NONE);
      for (var j = 0; j < part.length; j++) {
        var times = expected[from + j];
        expected[from + j] = isRemoval ? Math.max(0, times - 1) : Math.min(times + 1, 15);
      }
    }
    for (var instance : List.of(one, other)) {
      assertArrayEquals(expected, counts(instance, filter), "seed " + seed);
    }
  }
}
