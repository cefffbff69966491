package io.github.bloomgate.elements;

import static io.github.bloomgate.support.TestInstance.await;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static io.github.bloomgate.support.TestInstance.shape;
import static org.junit.jupiter.api.Assertions.assertEquals;

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
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/**
 * Elements added to the live generation and to the one that a rebuild loads, with something else
 * between two steps.
 */
abstract class AddsBesideARebuild {

  static final FilterParameters ONE = shape(400_000, 7);
  static final FilterParameters OTHER = shape(300_000, 5);
  static final List<byte[]> WARM = elements("warm ", 1_000);
  static final List<byte[]> NEW = elements("new ", 20);

  static TestRedis redis;
  static TestInstance other;

  TestInstance adder;
  FilterName name;
  Filter live;

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
  enum Beside {
    NOTHING,
    COMMIT,
    ABORT,
    COMMIT_AND_OPEN,
    ABORT_AND_OPEN
  }

  /** The adder has copies of the segments of both generations, and knows of the rebuild. */
  void prepare(FilterParameters before, FilterParameters after) {
    name = name();
    other.create(name, before);
    adder.add(name, WARM);
    adder.assertMaybe(name, WARM);
    await(other.loads.load(open(after), WARM));
    adder.add(name, elements("more ", 1_000));
    adder.add(name, elements("some more ", 1_000));
    live = other.describe(name).filter();
  }

  Filter open(FilterParameters after) {
    return other.openings.awaitReady(
        other.openings.open(name, ignored -> after, TestInstance.PATIENCE));
  }

  CompletableFuture<boolean[]> begin(List<byte[]> some) {
    return adder.elements.add(name, some).map(Answers::flags).subscribeAsCompletionStage();
  }

  void change(Beside beside, boolean isWritten) {
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

  void commit() {
    var next = other.rebuilds.find(name).next();
    other.rebuilds.commit(next, 0, NewDeadline.KEEP);
  }

  void abort() {
    other.rebuilds.abort(other.rebuilds.find(name).next());
  }

  static boolean isAcknowledged(CompletableFuture<boolean[]> adding) {
    var failure = adding.handle((flags, thrown) -> Optional.ofNullable(thrown)).join();
    failure.ifPresent(
        thrown -> {
          var cause = thrown instanceof BloomException ? thrown : thrown.getCause();
          assertEquals(ErrorCode.STORE_OUTCOME_UNKNOWN, ((BloomException) cause).code());
        });
    return failure.isEmpty();
  }

  /** They are in the live generation, and in the next when that takes its place. */
  void assertInBoth() {
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
