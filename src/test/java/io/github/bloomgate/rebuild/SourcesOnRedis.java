package io.github.bloomgate.rebuild;

import static io.github.bloomgate.support.Failures.assertFails;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.bloomgate.lines.ElementEncoding;
import io.github.bloomgate.lines.LineFormat;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.source.LastRun;
import io.github.bloomgate.model.source.Origin;
import io.github.bloomgate.model.source.Schedule;
import io.github.bloomgate.model.source.Source;
import io.github.bloomgate.model.source.SourceStatus;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.store.Agenda;
import io.github.bloomgate.store.Keys;
import io.github.bloomgate.support.InParallel;
import io.github.bloomgate.support.OnRedis;
import io.github.bloomgate.support.TestInstance;
import io.vertx.redis.client.Response;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** Filters with sources, and two instances that read them. */
@OnRedis
abstract class SourcesOnRedis {

  static final Duration MAX_WAIT = TestInstance.MAX_WAIT;
  static final FilterParameters SMALL = TestInstance.sized(20_000, 1e-6, WhenFull.ACCEPT);
  static final Schedule HOURLY = new Schedule.Every(Duration.ofHours(1));
  static final Schedule BY_HAND = new Schedule.ByHand();

  @TempDir static Path folder;

  static TestRedis redis;
  @OnRedis.Special static TestInstance one;
  @OnRedis.Special static TestInstance other;

  @BeforeAll
  static void start() {
    one = new TestInstance(redis, TestSources.of(folder));
    other = new TestInstance(redis, TestSources.of(folder));
  }

  static void run(TestInstance instance, FilterName name) {
    join(instance.runs.start(name));
  }

  static void join(CompletableFuture<Void> run) {
    try {
      InParallel.resultOf(run);
    } catch (CompletionException failure) {
      throw (BloomException) failure.getCause();
    }
  }

  static void begin(TestInstance instance, FilterName name) {
    var unused = instance.runs.start(name);
  }

  static void assertNoRebuild(FilterName name) {
    assertFails(ErrorCode.REBUILD_NOT_FOUND, one.rebuilds.find(name, Optional.empty()));
    assertEquals(Optional.empty(), status(name).run());
  }

  static double runs() {
    return runs(one, "ok") + runs(other, "ok");
  }

  static double runs(TestInstance instance, String result) {
    return instance.metrics.get("bloom.source.run").tag("result", result).timer().count();
  }

  static Source source(String key) {
    return new Source(new Origin.RedisKey(key), BY_HAND, false, 0, 0);
  }

  /** A filter with elements e0 to e9 in a Redis set. */
  static FilterName ofSet(Schedule schedule) {
    return ofSet(SMALL, 10, schedule);
  }

  static FilterName ofSet(FilterParameters parameters, int count, Schedule schedule) {
    var name = name();
    one.create(name, parameters);
    redis("SADD", "set-of-" + name, texts("e", count));
    attach(name, new Origin.RedisKey("set-of-" + name), schedule);
    return name;
  }

  /** A filter whose source is a key that does not exist. */
  static FilterName ofMissing(Schedule schedule) {
    var name = name();
    one.create(name, SMALL);
    attach(name, new Origin.RedisKey("missing"), schedule);
    return name;
  }

  static void attach(FilterName name, Origin origin, Schedule schedule) {
    one.sources.attach(name, new Source(origin, schedule, false, 0, 0));
  }

  static void attach(TestInstance instance, FilterName name, String url) {
    var origin = new Origin.Url(url, LineFormat.TEXT, ElementEncoding.UTF_8);
    instance.sources.attach(name, new Source(origin, BY_HAND, false, 0, 0));
  }

  /** Makes the source due, as if an hour had passed. */
  static void makeDue(FilterName name) {
    redis("HSET", Keys.source(name), List.of("nextRunAt", "1000"));
    lookNow(name);
  }

  static void lookNow(FilterName name) {
    one.get(Agenda.class).enter(name, Instant.ofEpochSecond(2));
  }

  static SourceStatus status(FilterName name) {
    return one.sources.find(name);
  }

  static boolean isIdle(FilterName name) {
    return status(name).run().isEmpty();
  }

  static LastRun lastRun(FilterName name) {
    return status(name).lastRun().orElseThrow();
  }

  static long generation(FilterName name) {
    return one.describe(name).live().number();
  }

  static List<String> texts(String prefix, int count) {
    return IntStream.range(0, count).mapToObj(i -> prefix + i).toList();
  }

  static Response redis(String command, String key, List<String> arguments) {
    var all = new ArrayList<>(List.of(key));
    all.addAll(arguments);
    return redis.command(command, all.toArray(String[]::new));
  }
}
