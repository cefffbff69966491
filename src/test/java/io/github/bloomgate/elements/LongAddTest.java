package io.github.bloomgate.elements;

import static io.github.bloomgate.support.TestInstance.SEVERAL;
import static io.github.bloomgate.support.TestInstance.await;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.github.bloomgate.model.Durability;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.support.TestInstance;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Adds of many calls that are acknowledged, whatever another instance does to the filter between
 * two of them.
 */
class LongAddTest extends LongAddInstances {

  /** So large that a batch is not added as a bitmap. */
  private static final FilterParameters LARGE = TestInstance.shape(1L << 24, 5);

  /** With them a batch exceeds what is kept in memory. */
  private static final int MANY = 20_000;

  private static final List<List<Step>> STORIES =
      List.of(
          List.of(Step.NOTHING),
          List.of(Step.OPEN),
          List.of(Step.OPEN, Step.COMMIT),
          List.of(Step.OPEN, Step.ABORT),
          List.of(Step.OPEN, Step.COMMIT, Step.OPEN),
          List.of(Step.OPEN, Step.ABORT, Step.OPEN),
          List.of(Step.OPEN, Step.COMMIT, Step.OPEN, Step.COMMIT),
          List.of(Step.CLEAR, Step.OPEN, Step.COMMIT));

  static Stream<Arguments> stories() {
    return Stream.of(ONE, SEVERAL)
        .flatMap(
            shape ->
                STORIES.stream()
                    .flatMap(
                        story ->
                            Stream.of(true, false)
                                .map(between -> Arguments.of(story, between, shape))));
  }

  @ParameterizedTest(name = "{0}, batches between: {1}, {2}")
  @MethodSource("stories")
  void whatIsAcknowledgedIsInTheContentThereIs(
      List<Step> story, boolean between, FilterParameters shape) {
    var name = first.create(name(), shape).name();
    var sent = new ArrayList<byte[]>();
    try (var add = begin(name, ROOM)) {
      add(add, sent);
      for (var step : story) {
        take(step, name, shape);
        if (between) {
          add(add, sent);
        }
      }
      add.acknowledge();
    }
    second.assertMaybe(name, sent);
    if (story.get(story.size() - 1) == Step.OPEN) {
      take(Step.COMMIT, name, shape);
      second.assertMaybe(name, sent);
    }
    second.assertCountsAreExact(name);
  }

  @Test
  void manyAreKeptOnDiskAndAddedAgain() {
    var name = first.create(name(), ONE).name();
    try (var add = begin(name, ROOM)) {
      await(add.add(elements("a ", MANY)));
      await(add.add(elements("b ", MANY)));
      take(Step.OPEN, name, ONE);
      await(add.add(elements("c ", MANY)));
      take(Step.COMMIT, name, ONE);
      take(Step.OPEN, name, ONE);
      await(add.add(elements("d ", MANY)));
      add.acknowledge();
    }
    take(Step.COMMIT, name, ONE);
    for (var prefix : List.of("a ", "b ", "c ", "d ")) {
      second.assertMaybe(name, elements(prefix, MANY));
    }
  }

  @Test
  void oneCallIsMadeToAcknowledgeWhenNothingHappened() {
    var name = first.create(name(), ONE).name();
    try (var add = begin(name, ROOM)) {
      // From then on there is a copy, and Redis knows the scripts.
      await(add.add(elements("a ", 100)));
      await(add.add(elements("another ", 10)));
      var before = calls();
      await(add.add(elements("b ", 10)));
      add.acknowledge();
      assertEquals(2, calls() - before);
    }
  }

  private long calls() {
    return redis
        .command("INFO", "commandstats")
        .toString()
        .lines()
        .filter(line -> line.startsWith("cmdstat_eval"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("[^:]*:calls=(\\d+).*", "$1")))
        .sum();
  }

  @Test
  void roomIsGivenBack() {
    var name = first.create(name(), ONE).name();
    var adds = new LongAdds(first.elements, 1_000);
    for (var i = 0; i < 10; i++) {
      try (var add = adds.begin(name, Durability.PRIMARY)) {
        await(add.add(elements("a ", 30)));
        take(Step.OPEN, name, ONE);
        await(add.add(elements("b ", 30)));
        add.acknowledge();
      }
      take(Step.COMMIT, name, ONE);
      second.assertMaybe(name, elements("a ", 30));
    }
  }

  static Stream<Arguments> batches() {
    return STORIES.stream()
        .flatMap(story -> Stream.of(LARGE, ONE).map(shape -> Arguments.of(story, shape)));
  }

  /** A batch as JSON has it: into the large one by six calls, into the other as a bitmap. */
  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("batches")
  void aBatchOfSeveralCallsIsInTheContentThereIs(List<Step> story, FilterParameters shape) {
    try (var stepwise = TestInstance.stepwise(redis)) {
      var name = first.create(name(), shape).name();
      stepwise.describe(name);
      var batch = elements("element ", 1_100);
      stepwise.steps().hold();
      var answer = stepwise.elements.add(name, batch).subscribeAsCompletionStage();
      for (var step : story) {
        stepwise.go(1);
        assertFalse(answer.isDone());
        take(step, name, shape);
      }
      stepwise.steps().release();
      answer.join();
      second.assertMaybe(name, batch);
      if (story.get(story.size() - 1) == Step.OPEN) {
        take(Step.COMMIT, name, shape);
        second.assertMaybe(name, batch);
      }
    }
  }

  private static void add(LongAdd add, List<byte[]> sent) {
    var batch = elements("element " + sent.size() + " ", 300);
    await(add.add(batch));
    sent.addAll(batch);
  }
}
