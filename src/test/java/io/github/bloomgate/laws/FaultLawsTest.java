package io.github.bloomgate.laws;

import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.InParallel;
import io.github.bloomgate.support.TestInstance;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Law 1 while Redis forgets scripts, drops connections and restarts. */
class FaultLawsTest {

  private static final int WRITERS = 3;

  /** Allowed errors while Redis is unavailable. */
  private static final Set<ErrorCode> AWAY =
      Set.of(ErrorCode.STORE_UNAVAILABLE, ErrorCode.STORE_OUTCOME_UNKNOWN);

  static Stream<FilterParameters> shapes() {
    return Stream.of(TestInstance.shape(1_000_000, 7), TestInstance.SEVERAL);
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void forgottenScriptsGoUnnoticed(FilterParameters parameters) throws Exception {
    try (var redis = TestRedis.started();
        var service = new TestInstance(redis)) {
      var failures = useWhile(service, parameters, 40, () -> redis.command("SCRIPT", "FLUSH"));
      assertEquals(List.of(), failures);
    }
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void lostConnectionsLoseNoAcknowledgedElement(FilterParameters parameters) throws Exception {
    try (var redis = TestRedis.started();
        var service = new TestInstance(redis)) {
      useWhile(
          service,
          parameters,
          40,
          () -> redis.command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"));
    }
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void aKilledRedisKeepsAcknowledgedWrites(FilterParameters parameters) throws Exception {
    try (var redis = TestRedis.started("--appendonly", "yes", "--appendfsync", "always");
        var service = new TestInstance(redis)) {
      useWhile(
          service,
          parameters,
          4,
          () -> {
            redis.kill();
            redis.start();
          });
    }
  }

  /** A change of a whole filter that is interrupted at any moment leaves it whole. */
  @Test
  void aRedisKilledDuringChangesLeavesWholeFilters() throws Exception {
    try (var redis = TestRedis.started("--appendonly", "yes", "--appendfsync", "always");
        var service = new TestInstance(redis);
        var later = new TestInstance(redis, Clock.offset(Clock.systemUTC(), Duration.ofHours(1)))) {
      var names = new CopyOnWriteArrayList<FilterName>();
      var done = new AtomicBoolean();
      var rounds = new AtomicLong();
      var use =
          InParallel.run(
              () -> {
                while (!done.get()) {
                  var name = name();
                  names.add(name);
                  try {
                    service.create(name, TestInstance.SEVERAL);
                    service.add(name, elements("some ", 20));
                    service.changes.clear(name);
                    service.changes.delete(name, false);
                  } catch (BloomException failure) {
                    assertTrue(AWAY.contains(failure.code()), failure.getMessage());
                  }
                  rounds.incrementAndGet();
                }
              });
      for (var i = 0; i < 4; i++) {
        awaitMore(rounds, 3, use);
        redis.kill();
        redis.start();
      }
      done.set(true);
      use.get(60, TimeUnit.SECONDS);
      awaitService(later, names.get(0));
      for (var name : names) {
        if (later.exists(name)) {
          later.add(name, elements("last ", 20));
          later.assertMaybe(name, elements("last ", 20));
          later.assertCountsAreExact(name);
          later.changes.delete(name, false);
        }
      }
      // The catalogue keeps an entered name while its filter may still be created.
      assertEquals(
          List.of(),
          later.keysWith("{").stream().filter(key -> !key.contains("{=names}")).toList());
      assertEquals(
          List.of(), later.descriptions.list(List.of("n"), Optional.empty(), 100, false).entries());
    }
  }

  /**
   * Adds and tests from several threads during repeated faults of Redis. Tests acknowledged
   * elements continuously and at the end.
   *
   * @return the failures, all of allowed kinds
   */
  private static List<ErrorCode> useWhile(
      TestInstance service, FilterParameters parameters, int times, Runnable fault)
      throws Exception {
    var name = name();
    service.create(name, parameters);
    var acknowledged = new CopyOnWriteArrayList<List<byte[]>>();
    var failures = new CopyOnWriteArrayList<ErrorCode>();
    var batches = new AtomicLong();
    var done = new AtomicBoolean();
    var writers = new ArrayList<CompletableFuture<Void>>();
    for (var writer = 0; writer < WRITERS; writer++) {
      var prefix = "writer " + writer + " ";
      writers.add(
          InParallel.run(
              () -> {
                for (var round = 0; !done.get(); round++) {
                  var batch = elements(prefix + round + ".", 25);
                  try {
                    service.add(name, batch);
                    acknowledged.add(batch);
                    batches.incrementAndGet();
                    service.assertMaybe(name, batch);
                    service.assertMaybe(name, acknowledged.get(round % acknowledged.size()));
                  } catch (BloomException failure) {
                    assertTrue(AWAY.contains(failure.code()), failure.getMessage());
                    failures.add(failure.code());
                  }
                }
              }));
    }
    try {
      for (var i = 0; i < times; i++) {
        awaitMore(batches, WRITERS, writers.toArray(CompletableFuture<?>[]::new));
        fault.run();
      }
    } finally {
      done.set(true);
    }
    for (var writer : writers) {
      writer.get(60, TimeUnit.SECONDS);
    }
    awaitService(service, name);
    for (var batch : acknowledged) {
      service.assertMaybe(name, batch);
    }
    service.assertCountsAreExact(name);
    return List.copyOf(failures);
  }

  private static void awaitMore(AtomicLong rounds, int more, CompletableFuture<?>... use) {
    var enough = rounds.get() + more;
    Awaitility.await()
        .pollInterval(Duration.ofMillis(1))
        .until(
            () ->
                rounds.get() >= enough
                    || Stream.of(use).anyMatch(CompletableFuture::isCompletedExceptionally));
    for (var one : use) {
      if (one.isCompletedExceptionally()) {
        one.join();
      }
    }
  }

  static void awaitService(TestInstance service, FilterName name) {
    Awaitility.await()
        .ignoreExceptionsMatching(
            failure -> failure instanceof BloomException error && AWAY.contains(error.code()))
        .until(() -> service.answers(name));
  }
}
