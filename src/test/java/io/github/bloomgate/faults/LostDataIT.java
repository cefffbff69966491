package io.github.bloomgate.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.OnRedis;
import io.github.bloomgate.support.TestExtent;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/**
 * Lost or overwritten data is never answered with "no": not from Redis, a copy or a shared call.
 */
@EnabledOnOs({OS.LINUX, OS.MAC})
@OnRedis
@Tag("faults")
class LostDataIT {

  private static final List<Operation> TESTS =
      List.of(
          Operation.TEST,
          Operation.TEST_ONE,
          Operation.TEST_STREAM,
          Operation.TEST_FEW,
          Operation.GATE);

  private static final int AT_ONCE = 8;
  private static final int EVICTED_FILTERS = TestExtent.of("test.evicted-filters", 12, 100);

  /** The size of a few keys. */
  private static final int EVICTED_BYTES = 2_000;

  /** The size of each of the filter's two segments. */
  private static final int BITMAP_BYTES = 1 << 20;

  /** Enough elements for both segments to contain some. */
  private static final List<String> ELEMENTS =
      IntStream.range(0, 60).mapToObj(i -> "element-" + i).toList();

  private static TestRedis redis;
  private static PackagedService service;
  private static int names;

  @BeforeAll
  static void start() {
    service = PackagedService.start(redis.uri());
  }

  /** Missing persistence is reported from the start. */
  @Test
  void missingPersistenceIsReported() throws Exception {
    Awaitility.await().until(() -> !service.log("endangers filters: appendonly is no").isEmpty());
    var ready = service.send("GET", "/q/health/ready", "");
    assertEquals(200, ready.statusCode());
    assertTrue(PackagedService.text(ready).contains("appendonly is no"));
    assertEquals(1, service.metric("bloom_redis_warnings"));
  }

  /** A change of the keys of a segment, and the expected error. */
  private record Harm(String code, int status, BiConsumer<String, String> what) {}

  private static Map<String, Harm> harms() {
    var harms = new LinkedHashMap<String, Harm>();
    harms.put("bits lost", damaged((state, bits) -> redis.command("DEL", bits)));
    harms.put(
        "state lost",
        new Harm("FILTER_NOT_FOUND", 404, (state, bits) -> redis.command("DEL", state)));
    harms.put("bits shorter", damaged((state, bits) -> redis.command("SET", bits, "short")));
    harms.put("bits longer", damaged((state, bits) -> redis.command("APPEND", bits, "more")));
    harms.put(
        "bits of another type",
        new Harm(
            "WRONG_KEY_TYPE",
            409,
            (state, bits) -> {
              redis.command("DEL", bits);
              redis.command("RPUSH", bits, "theirs");
            }));
    harms.put(
        "state of another type",
        new Harm("WRONG_KEY_TYPE", 409, (state, bits) -> redis.command("SET", state, "x")));
    return harms;
  }

  private static Harm damaged(BiConsumer<String, String> what) {
    return new Harm("FILTER_DAMAGED", 410, what);
  }

  @TestFactory
  Stream<DynamicTest> damageIsReportedAtOnce() {
    return harms().entrySet().stream()
        .flatMap(
            harm ->
                Stream.of(
                    trial(harm.getKey(), harm.getValue(), Shapes.ONE, 0),
                    trial(harm.getKey(), harm.getValue(), Shapes.SEVERAL, 0),
                    trial(harm.getKey(), harm.getValue(), Shapes.SEVERAL, 1)));
  }

  private static DynamicTest trial(String title, Harm harm, String shape, int segment) {
    return dynamicTest(
        title + ", segment " + segment + " of " + shape,
        () -> {
          var name = warmed(shape);
          var keys = keys(name, segment);
          harm.what().accept(keys.get(0), keys.get(1));
          var several = shape.equals(Shapes.SEVERAL);
          assertEquals(
              List.of(),
              testedAtOnce(name).stream()
                  .filter(
                      outcome ->
                          !outcome.is(harm.status(), harm.code())
                              // The element may be in the other segment.
                              && !(several && isTrue(outcome)))
                  .toList());
          var all = service.send("POST", path(name), PackagedService.json(ELEMENTS));
          assertTrue(
              Outcome.of(Operation.TEST, all).is(harm.status(), harm.code()),
              () -> PackagedService.text(all));
        });
  }

  @Test
  void flushedFiltersAreNotFound() throws Exception {
    for (var shape : Shapes.ALL) {
      var name = warmed(shape);
      redis.command("FLUSHALL");
      assertEquals(
          List.of(),
          testedAtOnce(name).stream()
              .filter(outcome -> !outcome.is(404, "FILTER_NOT_FOUND"))
              .toList());
      service.done("PUT", "/v1/filters/" + name, shape);
      assertTrue(
          service
              .done("POST", path(name), PackagedService.json(ELEMENTS))
              .replace(" ", "")
              .contains("\"mightContainCount\":0"));
    }
  }

  /** Eviction picks random keys: some filters lose a part, some all, some nothing. */
  @Test
  void evictedElementsAreNeverAnsweredWithNo() throws Exception {
    var filters =
        IntStream.range(0, EVICTED_FILTERS).mapToObj(i -> filled(Shapes.SEVERAL)).toList();
    for (var name : filters) {
      service.done("POST", path(name), PackagedService.json(ELEMENTS));
    }
    // A fold during the eviction would create a bitmap that evicts everything else.
    Awaitility.await().until(() -> filters.stream().allMatch(LostDataIT::isFolded));
    var segments =
        filters.stream().flatMap(name -> Stream.of(keys(name, 0), keys(name, 1))).toList();
    redis.command("CONFIG", "SET", "maxmemory-policy", "allkeys-random");
    redis.command("CONFIG", "SET", "maxmemory-samples", "1");
    var third = redis.command("DBSIZE").toLong() / 3;
    var evicted = redis.info("stats", "evicted_keys");
    try {
      // Each command evicts a few keys.
      Awaitility.await()
          .pollInterval(Duration.ofMillis(1))
          .until(
              () -> {
                var less = redis.info("memory", "used_memory") - EVICTED_BYTES;
                redis.command("CONFIG", "SET", "maxmemory", String.valueOf(less));
                // Usually, a third of the keys is enough for some filter to lose only a part.
                return redis.info("stats", "evicted_keys") - evicted >= third
                    && segments.stream()
                        .anyMatch(keys -> exists(keys.get(0)) && !exists(keys.get(1)));
              });
      assertTrue(
          PackagedService.text(service.send("GET", "/q/health/ready", ""))
              .contains("maxmemory-policy is allkeys-random"));
    } finally {
      redis.command("CONFIG", "SET", "maxmemory", "0");
      redis.command("CONFIG", "SET", "maxmemory-policy", "noeviction");
    }
    var damaged = 0;
    for (var name : filters) {
      for (var outcome : testedAtOnce(name)) {
        assertTrue(
            isTrue(outcome)
                || outcome.is(410, "FILTER_DAMAGED")
                || outcome.is(404, "FILTER_NOT_FOUND"),
            outcome::toString);
        damaged += outcome.status() == 410 ? 1 : 0;
      }
    }
    assertTrue(damaged > 0, "no filter lost a part of itself");
  }

  private static boolean exists(String key) {
    return redis.command("EXISTS", key).toInteger() == 1;
  }

  private static boolean isTrue(Outcome outcome) {
    return outcome.isSuccess() && outcome.operation().isTrue(outcome.status(), outcome.body());
  }

  private static String path(String name) {
    return "/v1/filters/" + name + "/test";
  }

  private static String filled(String shape) {
    var name = "filter-" + names++;
    service.done("PUT", "/v1/filters/" + name, shape);
    service.done("POST", "/v1/filters/" + name + "/add", PackagedService.json(ELEMENTS));
    service.done("POST", "/v1/filters/" + name + "/add", PackagedService.json(Operation.KNOWN));
    return name;
  }

  /** A filter with a copy in memory. */
  private static String warmed(String shape) {
    var name = filled(shape);
    Awaitility.await()
        .until(
            () -> {
              var before = decidedNear();
              assertTrue(service.containsAll(name, ELEMENTS));
              return decidedNear() - before == ELEMENTS.size();
            });
    return name;
  }

  private static double decidedNear() throws IOException {
    return service.metric("bloom_copies_tests_total{decided=\"copy\",}");
  }

  /** Tests in every way, several times at once, so that requests share calls. */
  private static List<Outcome> testedAtOnce(String name) throws Exception {
    var running = new ArrayList<CompletableFuture<Outcome>>();
    for (var i = 0; i < AT_ONCE; i++) {
      for (var operation : TESTS) {
        running.add(new Operation.Prepared(operation, service, name, "", new byte[0]).run());
      }
    }
    var outcomes = new ArrayList<Outcome>();
    for (var one : running) {
      outcomes.add(one.get(FaultRun.MAX_WAIT.toSeconds(), TimeUnit.SECONDS));
    }
    return outcomes;
  }

  private static boolean isFolded(String name) {
    return IntStream.range(0, 2)
        .allMatch(i -> redis.command("STRLEN", keys(name, i).get(1)).toInteger() > BITMAP_BYTES);
  }

  /** State and bits of a segment. */
  private static List<String> keys(String name, int segment) {
    var state = "bloom:{" + name + "}";
    var incarnation = redis.command("HGET", state, "incarnation").toString();
    return List.of(state, state + ":" + incarnation + ":" + segment);
  }
}
