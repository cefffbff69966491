package io.github.bloomgate.faults;

import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.Load;
import io.github.bloomgate.support.TestExtent;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** A Redis that writes each change to disk is killed repeatedly under load. */
@EnabledOnOs({OS.LINUX, OS.MAC})
@Tag("faults")
class RedisCrashIT {

  private static final int KILLS = TestExtent.of("test.redis-kills", 2, 20);

  private static final String CONNECT_FAILURES = "bloom_redis_connect_failures_total";

  /** The number of attempts after which pauses do not get longer. */
  private static final int MANY_ATTEMPTS = 6;

  /** Allows failures of attempts that began before Redis accepted connections. */
  private static final int LATE_FAILURES = 1;

  /**
   * An outage, in the time of System.nanoTime().
   *
   * @param from before the kill
   * @param to when the service acknowledged an add that was sent after the kill
   */
  private record Outage(long from, long to) {

    /** Whether a request was pending at any time during the outage. */
    boolean excuses(Load.Failure failure) {
      return failure.sentAt() - to <= 0 && failure.at() - from >= 0;
    }
  }

  @Test
  void nothingAcknowledgedIsLostAndErrorsEndWithTheOutage() throws Exception {
    var seed = System.nanoTime();
    System.out.println("nothingAcknowledgedIsLostAndErrorsEndWithTheOutage: seed " + seed);
    var random = new Random(seed);
    try (var redis = TestRedis.started("--appendonly", "yes", "--appendfsync", "always");
        var service = PackagedService.start(redis.uri());
        var load = FaultRun.steadyLoad(() -> service)) {
      load.awaitMore(500);
      // Ignores failures of the slow start, before the load.
      var began = System.nanoTime();
      var outages = new ArrayList<Outage>();
      for (var kill = 0; kill < KILLS; kill++) {
        load.awaitMore(100 + random.nextInt(400));
        outages.add(crash(redis, service, load, kill % 2 == 0));
        load.assertNothingLost();
      }
      load.awaitMore(500);
      load.end();
      load.assertNothingOfAllLost();
      assertEquals(
          List.of(),
          load.failures().stream()
              .filter(failure -> failure.sentAt() - began > 0)
              .filter(failure -> outages.stream().noneMatch(outage -> outage.excuses(failure)))
              .toList(),
          "failures outside of outages");
      System.out.printf(
          "%d elements acknowledged, %d requests refused in %d outages%n",
          load.adds(), load.failures().size(), outages.size());
    }
  }

  private static Outage crash(TestRedis redis, PackagedService service, Load load, boolean isLong)
      throws IOException {
    var failuresBefore = service.metric(CONNECT_FAILURES);
    var from = System.nanoTime();
    redis.kill();
    var killed = System.nanoTime();
    if (isLong) {
      Awaitility.await()
          .until(() -> service.metric(CONNECT_FAILURES) >= failuresBefore + MANY_ATTEMPTS);
    }
    redis.start();
    var ready = System.nanoTime();
    var failuresWhenReady = service.metric(CONNECT_FAILURES);
    Awaitility.await()
        .pollInterval(Duration.ofMillis(1))
        .until(() -> load.latestAdd() - killed > 0);
    var to = System.nanoTime();
    System.out.printf("served %d ms after Redis was ready%n", NANOSECONDS.toMillis(to - ready));
    // The first attempt must succeed. BackoffTest limits the pause before it.
    var lateFailures = service.metric(CONNECT_FAILURES) - failuresWhenReady;
    assertTrue(
        lateFailures <= LATE_FAILURES,
        () -> lateFailures + " attempts failed after Redis accepted connections");
    return new Outage(from, to);
  }
}
