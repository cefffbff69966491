package io.github.bloomgate.elements;

import static io.github.bloomgate.support.TestInstance.await;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static io.github.bloomgate.support.TestInstance.shape;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.filters.NewDeadline;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.HastyClock;
import io.github.bloomgate.support.TestInstance;
import io.github.bloomgate.support.TestWindows;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** An instance that does something with journals and is cut short at one of its calls. */
abstract class JournalFaults {

  static final FilterParameters ONE = shape(200_000, 7);
  static final Duration AN_HOUR = Duration.ofHours(1);
  static final List<byte[]> WARM = elements("warm ", 1_000);
  static final List<byte[]> NEW = elements("new ", 20);
  static final List<byte[]> LAST = elements("last ", 20);

  static final List<FilterName> BUSY = List.of(name(), name());

  static TestRedis redis;
  static TestInstance second;
  static TestInstance withoutCopies;
  static TestInstance hasty;

  @BeforeAll
  static void start() {
    redis = TestRedis.started();
    second = new TestInstance(redis);
    withoutCopies = TestInstance.withoutCopies(redis);
    hasty = new TestInstance(redis, new HastyClock());
    BUSY.forEach(busy -> second.create(busy, shape(100_000, 3)));
  }

  @AfterAll
  static void stop() {
    second.close();
    withoutCopies.close();
    hasty.close();
    redis.close();
  }

  /** What becomes of the instance at a call, which waits to be sent. */
  enum Fate {
    DIES_BEFORE(true, false),
    DIES_UNANSWERED(true, true),
    IS_CUT_BEFORE(false, false),
    IS_CUT_UNANSWERED(false, true);

    final boolean isDeath;
    final boolean isExecuted;

    Fate(boolean isDeath, boolean isExecuted) {
      this.isDeath = isDeath;
      this.isExecuted = isExecuted;
    }
  }

  /** What it does, with at least so many calls, of which so many are new snapshots. */
  enum Doing {
    ADDING(1, 0),
    ADDING_MANY(1, 1),
    ADDING_TO_A_LONG_JOURNAL(2, 1),
    ADDING_TO_ANOTHER_HISTORY(3, 0),
    ADDING_TO_BOTH_GENERATIONS(3, 0),
    RESTING(2, 0),
    RESTING_BY_A_SNAPSHOT(2, 1),
    DROPPING(2, 0),
    DROPPING_WITH_A_SNAPSHOT(3, 1);

    final int calls;
    final int snapshots;

    Doing(int calls, int snapshots) {
      this.calls = calls;
      this.snapshots = snapshots;
    }
  }

  /** What another instance does with the filter before a call. */
  enum Beside {
    NOTHING,
    RENAME,
    CLEAR,
    DELETE,
    COMMIT,
    ABORT
  }

  /** One filter, and one instance that does something with it and is cut short. */
  static final class Case {

    static final Set<ErrorCode> PERMITTED =
        Set.of(
            ErrorCode.STORE_OUTCOME_UNKNOWN,
            ErrorCode.STORE_UNAVAILABLE,
            ErrorCode.FILTER_NOT_FOUND,
            ErrorCode.FILTER_CHANGED);

    final Doing doing;
    final FilterParameters kind;
    final boolean several;
    final List<byte[]> acknowledged = new ArrayList<>();
    final List<CompletableFuture<?>> underWay = new ArrayList<>();
    FilterName name = name();
    Optional<Filter> next = Optional.empty();
    TestInstance doer;

    Case(Doing doing, FilterParameters kind) {
      this.doing = doing;
      this.kind = kind;
      this.several = kind.shape().segments() > 1;
    }

    /** Does it as far as a call; false if it ends before. */
    boolean isMetBy(Fate fate, int call, Beside beside) {
      try (var instance = TestInstance.stepwise(redis)) {
        doer = instance;
        var filter = second.create(name, kind);
        add(WARM);
        instance.assertMaybe(name, WARM);
        prepare();
        if (kind.window().isPresent()) {
          TestWindows.turn(second, filter, 1);
        }
        var written = written();
        var steps = instance.steps();
        steps.hold();
        begin();
        instance.go(call);
        var isMet = steps.canExecute();
        if (isMet) {
          change(beside);
          if (fate.isExecuted) {
            steps.execute();
          }
          if (!fate.isDeath) {
            steps.lose();
          }
        } else {
          assertTrue(written() >= written + doing.snapshots, "no snapshot was written");
        }
        var isDead = isMet && fate.isDeath;
        if (!isDead) {
          steps.release();
          // Whether a rebuild has lost a part is looked up by another thread.
          underWay.forEach(work -> await(Uni.createFrom().completionStage(work)));
        }
        if (!isMet || beside != Beside.DELETE) {
          assertWhole(isDead);
          second.changes.delete(name, false);
        }
        hasty.reconciler.reconcileAbandoned();
        second.assertNothingLeft(filter);
        next.ifPresent(second::assertNothingLeft);
        return isMet;
      }
    }

    double written() {
      return doer.metrics.get("bloom.journal.snapshots").tag("result", "written").counter().count();
    }

    void add(List<byte[]> some) {
      doer.add(name, some);
      acknowledged.addAll(some);
    }

    void prepare() {
      switch (doing) {
        case ADDING, ADDING_MANY -> {}
        case ADDING_TO_A_LONG_JOURNAL -> {
          for (var part = 0; part < (several ? 4 : 3); part++) {
            add(elements("long " + part + " ", several ? 40_000 : 200));
          }
        }
        case ADDING_TO_ANOTHER_HISTORY -> {
          second.fold(second.describe(name).filter());
          var some = elements("bit by bit ", 20);
          withoutCopies.add(name, some);
          acknowledged.addAll(some);
        }
        case ADDING_TO_BOTH_GENERATIONS -> {
          next = Optional.of(TestInstance.openNext(second, name));
          await(second.loads.load(next.get(), WARM));
          add(elements("more ", 1_000));
          add(elements("some more ", 1_000));
          BUSY.forEach(busy -> doer.add(busy, elements(name + " ", 100)));
        }
        case RESTING, DROPPING -> add(elements("journaled ", 20));
        case RESTING_BY_A_SNAPSHOT, DROPPING_WITH_A_SNAPSHOT ->
            add(elements("journaled ", several ? 12_000 : 100));
      }
    }

    void begin() {
      switch (doing) {
        case ADDING, ADDING_TO_A_LONG_JOURNAL, ADDING_TO_ANOTHER_HISTORY -> begin(NEW);
        case ADDING_MANY -> {
          // Those that come while the first is under way make a snapshot together.
          for (var request = 0; request < (several ? 10 : 1); request++) {
            begin(elements("many " + request + " ", several ? 20_000 : 2_000));
          }
        }
        case ADDING_TO_BOTH_GENERATIONS -> {
          // While two calls are under way the next waits, and so takes all that is to be asked.
          BUSY.forEach(busy -> begin(doer.elements.add(busy, elements(name + " busy ", 1))));
          begin(NEW);
        }
        case RESTING, RESTING_BY_A_SNAPSHOT -> begin(doer.journals.rest(Duration.ZERO, AN_HOUR));
        case DROPPING, DROPPING_WITH_A_SNAPSHOT ->
            begin(doer.journals.rest(Duration.ZERO, Duration.ZERO));
      }
    }

    void begin(List<byte[]> some) {
      begin(doer.elements.add(name, some).invoke(() -> acknowledged.addAll(some)));
    }

    void begin(Uni<?> work) {
      underWay.add(
          work.onFailure(
                  failure ->
                      failure instanceof BloomException error && PERMITTED.contains(error.code()))
              .recoverWithNull()
              .subscribeAsCompletionStage());
    }

    void change(Beside beside) {
      switch (beside) {
        case NOTHING -> {}
        case RENAME -> {
          var to = name();
          second.renames.rename(name, to, false);
          name = to;
        }
        case CLEAR -> {
          second.changes.clear(name);
          acknowledged.clear();
        }
        case DELETE -> second.changes.delete(name, false);
        case COMMIT -> second.rebuilds.commit(next.orElseThrow(), 0, NewDeadline.KEEP);
        case ABORT -> second.rebuilds.abort(next.orElseThrow());
      }
    }

    void assertWhole(boolean isDead) {
      assertThere();
      if (!isDead) {
        add(NEW);
        doer.assertMaybe(name, acknowledged);
        assertThere();
      }
      if (second.describe(name).filter().next().isPresent()) {
        var open = second.rebuilds.find(name).next();
        second.rebuilds.commit(open, 0, NewDeadline.KEEP);
        assertThere();
      }
      var added = second.add(name, LAST);
      assertEquals(LAST.size(), Answers.of(added).trueCount());
      acknowledged.addAll(LAST);
      assertThere();
    }

    void assertThere() {
      var count = acknowledged.size();
      for (var from = 0; from < count; from += ElementService.MAX_ELEMENTS) {
        var to = Math.min(count, from + ElementService.MAX_ELEMENTS);
        second.assertMaybe(name, acknowledged.subList(from, to));
      }
      second.assertCountsAreExact(name);
      withoutCopies.assertMaybe(name, acknowledged.subList(Math.max(0, count - 100), count));
    }
  }
}
