package io.github.bloomgate.elements;

import static io.github.bloomgate.support.TestInstance.SEVERAL;
import static io.github.bloomgate.support.TestInstance.assertFails;
import static io.github.bloomgate.support.TestInstance.await;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.elements.ElementService.Placed;
import io.github.bloomgate.filters.NewDeadline;
import io.github.bloomgate.model.Durability;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.error.ProblemDetails;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.TestInstance;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Adds of many calls, and what another instance does to the filter between two of them. */
class LongAddTest {

  private static final FilterParameters ONE = TestInstance.shape(2_000_000, 5);

  /** So large that a batch is not added as a bitmap. */
  private static final FilterParameters LARGE = TestInstance.shape(1L << 24, 5);

  private static final Duration AN_HOUR = Duration.ofHours(1);
  private static final long ROOM = 1 << 24;

  /** With them a batch exceeds what is kept in memory. */
  private static final int MANY = 20_000;

  private TestRedis redis;
  private TestInstance first;
  private TestInstance second;

  @BeforeEach
  void start() {
    redis = TestRedis.started();
    first = new TestInstance(redis);
    second = new TestInstance(redis);
  }

  @AfterEach
  void stop() {
    first.close();
    second.close();
    redis.close();
  }

  /** What is done to the filter, one step between two batches. */
  private enum Step {
    OPEN,
    COMMIT,
    ABORT,
    CLEAR,
    NOTHING
  }

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
  void whatWasNotKeptIsToldAtOnce() {
    var name = first.create(name(), ONE).name();
    try (var add = begin(name, 1_000)) {
      await(add.add(elements("kept ", 20)));
      await(add.add(elements("not kept ", 200)));
      take(Step.OPEN, name, ONE);
      var failure = assertThrows(BloomException.class, () -> await(add.add(elements("late ", 30))));
      assertEquals(ErrorCode.FILTER_CHANGED, failure.code());
      assertEquals(Optional.of(new ProblemDetails.Stopped(1, 30L)), failure.facts());
      assertTrue(failure.getMessage().contains("lines 1 to 220 "), failure.getMessage());
      assertTrue(failure.getMessage().contains("replay-max-size"), failure.getMessage());
    }
    take(Step.COMMIT, name, ONE);
    second.assertMaybe(name, elements("late ", 30));
  }

  @Test
  void whatIsNotKeptMayGoOnWhileNothingHappens() {
    var name = first.create(name(), ONE).name();
    try (var add = begin(name, 0)) {
      await(add.add(elements("a ", 20)));
      await(add.add(elements("b ", 20)));
      add.acknowledge();
    }
    second.assertMaybe(name, elements("a ", 20));
    second.assertMaybe(name, elements("b ", 20));
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

  @Test
  void aFilterThatChangesAgainAndAgainIsTold() {
    var name = first.create(name(), ONE).name();
    var changes = new AtomicInteger();
    var disturbed =
        new ElementService(first.live, first.segments, first.nextGenerations, first.metrics) {
          @Override
          Uni<Placed> place(FilterName name, List<byte[]> elements, Durability durability) {
            if (changes.getAndIncrement() > 0) {
              second.changes.clear(name);
            }
            return super.place(name, elements, durability);
          }
        };
    try (var add = new LongAdds(disturbed, ROOM).begin(name, Durability.PRIMARY)) {
      await(add.add(elements("a ", 20)));
      await(add.add(elements("b ", 10)));
      var failure = assertThrows(BloomException.class, add::acknowledge);
      assertEquals(ErrorCode.FILTER_CHANGED, failure.code());
      assertTrue(
          failure.facts().orElseThrow() instanceof ProblemDetails.Stopped, failure.getMessage());
    }
  }

  @Test
  void whatTheNewContentDoesNotTakeIsTold() {
    var name = first.create(name(), ONE).name();
    try (var add = begin(name, ROOM)) {
      await(add.add(elements("a ", 200)));
      var small = TestInstance.sized(100, 0.01, WhenFull.REJECT);
      second.openings.open(name, live -> small, AN_HOUR);
      await(add.add(elements("b ", 10)));
      var failure = assertThrows(BloomException.class, add::acknowledge);
      assertEquals(ErrorCode.FILTER_FULL, failure.code());
      assertEquals(Optional.of(new ProblemDetails.Stopped(1, 10L)), failure.facts());
    }
  }

  @Test
  void aFilterThatIsGoneIsTold() {
    var name = first.create(name(), ONE).name();
    try (var add = begin(name, ROOM)) {
      await(add.add(elements("a ", 20)));
      second.changes.delete(name, false);
      assertFails(ErrorCode.FILTER_NOT_FOUND, add.add(elements("b ", 20)));
      add.acknowledge();
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

  private LongAdd begin(FilterName name, long room) {
    return new LongAdds(first.elements, room).begin(name, Durability.PRIMARY);
  }

  private static void add(LongAdd add, List<byte[]> sent) {
    var batch = elements("element " + sent.size() + " ", 300);
    await(add.add(batch));
    sent.addAll(batch);
  }

  private void take(Step step, FilterName name, FilterParameters shape) {
    switch (step) {
      case OPEN -> second.openings.awaitReady(second.openings.open(name, live -> shape, AN_HOUR));
      case COMMIT -> second.rebuilds.commit(next(name), 0, NewDeadline.KEEP);
      case ABORT -> assertTrue(second.rebuilds.abort(next(name)));
      case CLEAR -> second.changes.clear(name);
      case NOTHING -> {}
    }
  }

  private Filter next(FilterName name) {
    return second.rebuilds.find(name).next();
  }
}
