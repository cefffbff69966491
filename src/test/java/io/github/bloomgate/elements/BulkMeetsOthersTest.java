package io.github.bloomgate.elements;

import static io.github.bloomgate.support.Flags.count;
import static io.github.bloomgate.support.TestInstance.await;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.filters.NewDeadline;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.Beside;
import io.github.bloomgate.support.TestInstance;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Large adds on bitmaps that meet other adds, rebuilds, and a Redis or a memory that is full. */
@Tag("slow")
class BulkMeetsOthersTest extends BulkInstances {

  @Test
  void whoMeetsOthersBeginsAnewAndGivesWayInTheEnd() throws Exception {
    var name = name();
    plain.create(name, TestInstance.shape(16_000_000, 7));
    var done = new AtomicBoolean();
    var news = new AtomicInteger();
    var changed = snapshots("changed");
    var others =
        Beside.run(
            () -> {
              for (var i = 0; !done.get(); i++) {
                news.addAndGet(count(plain.add(name, elements("other " + i + ".", 1))));
              }
            });
    var rounds = 0;
    try {
      // The thread beside may be held up for any number of rounds.
      for (; rounds < 10 || (snapshots("changed") == changed && rounds < 1_000); rounds++) {
        news.addAndGet(count(bulk.add(name, elements("round " + rounds + ".", 10_000))));
      }
    } finally {
      done.set(true);
    }
    others.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    assertTrue(snapshots("changed") > changed, "nobody was in the way");
    assertEquals(news.get(), plain.describe(name).statistics().insertions());
    plain.assertCountsAreExact(name);
    try (var fresh = new TestInstance(redis)) {
      for (var round = 0; round < rounds; round++) {
        fresh.assertMaybe(name, elements("round " + round + ".", 10_000));
      }
    }
  }

  /** Adds go on while rebuilds are opened and end in turn; what was answered outlives each. */
  @ParameterizedTest
  @MethodSource("shapes")
  void noAddIsLostWhereRebuildsComeAndGo(FilterParameters parameters) throws Exception {
    var name = name();
    bulk.create(name, parameters);
    Set<Integer> answered = ConcurrentHashMap.newKeySet();
    var begun = new AtomicInteger();
    var permits = new Semaphore(0);
    var done = new AtomicBoolean();
    var writer =
        Beside.run(
            () -> {
              permits.acquireUninterruptibly();
              for (var batch = 0; !done.get(); batch++) {
                begun.incrementAndGet();
                await(bulk.elements.add(name, batch(batch)));
                answered.add(batch);
                permits.acquireUninterruptibly();
              }
            });
    try {
      for (var round = 0; round < 4; round++) {
        letAdd(4, 2, permits, answered, writer);
        var open = plain.openings.open(name, same -> same, PATIENCE);
        var next = plain.openings.awaitReady(open);
        // The source of the rebuild, loaded in bulk as well. What is under way may have been
        // written
        // before the rebuild was opened.
        permits.release(4);
        var source = begun.get();
        for (var batch = 0; batch < source; batch++) {
          await(bulk.loads.load(next, batch(batch)));
        }
        letAdd(1, 1, permits, answered, writer);
        if (round % 2 == 0) {
          plain.rebuilds.commit(next, 1, NewDeadline.KEEP);
        } else {
          plain.rebuilds.abort(next);
        }
      }
    } finally {
      done.set(true);
      permits.release();
    }
    writer.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    try (var fresh = new TestInstance(redis)) {
      for (var batch : answered) {
        fresh.assertMaybe(name, batch(batch));
      }
    }
    plain.assertCountsAreExact(name);
  }

  private static List<byte[]> batch(int number) {
    return elements("batch " + number + ".", 4_000);
  }

  /** Lets a writer add some batches more, and waits until some of them are answered. */
  private static void letAdd(
      int batches, int enough, Semaphore permits, Set<Integer> answered, Future<?> writer) {
    var before = answered.size();
    permits.release(batches);
    Awaitility.await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(1))
        .until(() -> answered.size() >= before + enough || writer.isDone());
  }

  private static void awaitMore(AtomicInteger rounds, Future<?> use) {
    var enough = rounds.get() + 2;
    Awaitility.await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(1))
        .until(() -> rounds.get() >= enough || use.isDone());
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void whatIsHeldOfOtherContentIsNotUsed(FilterParameters parameters) {
    var name = name();
    var to = name();
    var all = elements("some ", MANY);
    bulk.create(name, parameters);
    bulk.add(name, all);
    plain.changes.clear(name);
    assertEquals(newIn(parameters, all), count(bulk.add(name, all)));
    bulk.assertMaybe(name, all);
    bulk.assertCountsAreExact(name);
    plain.renames.rename(name, to, false);
    TestInstance.assertFails(ErrorCode.FILTER_NOT_FOUND, bulk.elements.add(name, all));
    assertEquals(0, count(bulk.add(to, all)));
    plain.changes.delete(to, false);
    TestInstance.assertFails(ErrorCode.FILTER_NOT_FOUND, bulk.elements.add(to, all));
    bulk.create(to, parameters);
    assertEquals(newIn(parameters, all), count(bulk.add(to, all)));
    bulk.assertMaybe(to, all);
    bulk.assertCountsAreExact(to);
  }

  private static int newIn(FilterParameters parameters, List<byte[]> all) {
    var name = name();
    plain.create(name, parameters);
    return count(plain.add(name, all));
  }

  @Test
  void aRedisThatIsFullOrAwayIsToldAndNothingIsForgotten() throws Exception {
    try (var own = TestRedis.started();
        var service = new TestInstance(own);
        var other = TestInstance.withoutCopies(own)) {
      var name = name();
      service.create(name, TestInstance.shape(16_000_000, 7));
      service.add(name, elements("before ", MANY));
      own.command("CONFIG", "SET", "maxmemory", "1");
      TestInstance.assertFails(
          ErrorCode.STORE_FULL, service.elements.add(name, elements("full ", MANY)));
      own.command("CONFIG", "SET", "maxmemory", "0");
      other.assertCountsAreExact(name);
      // Its bits are held by no one: elements refused are new when they are sent again.
      assertTrue(count(service.add(name, elements("full ", MANY))) > MANY - 100);
      other.assertMaybe(name, elements("full ", MANY));

      var answered = new ArrayList<Integer>();
      var rounds = new AtomicInteger();
      var done = new AtomicBoolean();
      var writer =
          Beside.run(
              () -> {
                for (var batch = 0; !done.get(); batch++) {
                  try {
                    service.add(name, batch(batch));
                    answered.add(batch);
                    rounds.incrementAndGet();
                  } catch (BloomException away) {
                    assertTrue(
                        away.code() == ErrorCode.STORE_UNAVAILABLE
                            || away.code() == ErrorCode.STORE_OUTCOME_UNKNOWN,
                        away.getMessage());
                  }
                }
              });
      for (var i = 0; i < 20; i++) {
        awaitMore(rounds, writer);
        own.command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
      }
      done.set(true);
      writer.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      Awaitility.await()
          .atMost(PATIENCE)
          .ignoreExceptionsInstanceOf(BloomException.class)
          .until(() -> other.describe(name) != null);
      for (var batch : answered) {
        other.assertMaybe(name, batch(batch));
      }
      other.assertMaybe(name, elements("before ", MANY));
      other.assertCountsAreExact(name);
    }
  }

  /** Many at once would hold many bitmaps: those too many are done without. */
  @Test
  void whoFindsNoRoomDoesWithout() throws Exception {
    var waiting = new LinkedHashMap<FilterName, Future<?>>();
    for (var i = 0; i < 40; i++) {
      var name = name();
      bulk.create(name, TestInstance.shape(16_000_000, 7));
      var some = elements("many ", 2_000);
      waiting.put(name, bulk.elements.add(name, some).subscribeAsCompletionStage());
    }
    for (var filter : waiting.entrySet()) {
      filter.getValue().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      bulk.assertMaybe(filter.getKey(), elements("many ", 2_000));
      bulk.assertCountsAreExact(filter.getKey());
    }
  }
}
