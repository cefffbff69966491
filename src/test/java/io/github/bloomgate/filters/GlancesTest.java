package io.github.bloomgate.filters;

import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static io.github.bloomgate.support.TestInstance.shape;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.store.FoundFilters;
import io.github.bloomgate.store.TestStores;
import io.github.bloomgate.support.OneNodeCluster;
import io.github.bloomgate.support.TestInstance;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Lists of filters, of which several are read by one call. */
class GlancesTest {

  private static final Pattern CALLS =
      Pattern.compile("cmdstat_eval(?:sha)?:calls=(\\d+),.*?rejected_calls=(\\d+)");

  private static TestRedis redis;

  @BeforeAll
  static void start() {
    redis = TestRedis.started();
  }

  @AfterAll
  static void stop() {
    redis.close();
  }

  @Test
  void aListTakesFewCalls() {
    try (var service = new TestInstance(redis)) {
      var prefix = made(service, 2 * FoundFilters.AT_ONCE + 1);
      list(service, prefix);
      var before = calls(redis);
      var entries = list(service, prefix);
      assertEquals(3, calls(redis) - before);
      assertEquals(2 * FoundFilters.AT_ONCE + 1, entries.size());
      for (var entry : entries) {
        var described = service.describe(entry.name());
        assertEquals(Optional.of(described.filter()), entry.filter());
        var figures = entry.figures().orElseThrow();
        assertEquals(Optional.of(described.statistics()), figures.statistics());
      }
    }
  }

  /** As long as a page can be: what was read by few calls is not put together by as many steps. */
  @Test
  void aPageMayBeLong() {
    try (var service = new TestInstance(redis)) {
      var prefix = name().value();
      for (var i = 100; i < 600; i++) {
        service.create(new FilterName(prefix + i), shape(64, 7));
      }
      assertEquals(500, list(service, prefix).size());
    }
  }

  /** What one call does not tell is asked for by itself, and keeps no other filter away. */
  @Test
  void whatIsNotLikeTheOthersIsToldBesideThem() {
    try (var service = new TestInstance(redis)) {
      var prefix = made(service, 4);
      var damaged = new FilterName(prefix + 1);
      redis.command("DEL", TestStores.keys(damaged).get(1));
      var unreadable = new FilterName(prefix + 2);
      redis.command("HSET", TestStores.keys(unreadable).get(0), "whenFull", "never");
      // A name of which nobody knows, with what parts the answer.
      redis.command("HSET", TestStores.keys(new FilterName(prefix + 0)).get(0), "x", "a\0b");
      var gone = new FilterName(prefix + 3);
      redis.command("DEL", TestStores.keys(gone).get(0), TestStores.keys(gone).get(1));
      var adopted = new FilterName(prefix + "9");
      var deadline = Instant.now().plus(2, ChronoUnit.HOURS).truncatedTo(ChronoUnit.MILLIS);
      adopt(service, adopted, Optional.of(deadline));

      var entries = list(service, prefix);
      assertEquals(
          List.of(prefix + "0", damaged.value(), unreadable.value(), adopted.value()),
          entries.stream().map(entry -> entry.name().value()).toList());
      assertTrue(entries.get(0).figures().isPresent());
      assertEquals(Optional.empty(), entries.get(1).filter());
      assertEquals(Optional.empty(), entries.get(2).filter());
      assertTrue(entries.get(3).filter().orElseThrow().isAdopted());
      assertEquals(null, redis.command("ZSCORE", TestStores.catalogueKey(), gone.value()));
    }
  }

  /** As behind a proxy that hides a cluster; a client that knows of it never asks. */
  @Test
  void whereNoCallReachesSeveralEachIsReadByItself() {
    try (var cluster = OneNodeCluster.started();
        var service = new TestInstance(cluster)) {
      var prefix = made(service, 5);
      assertEquals(5, list(service, prefix).size());
      var before = calls(cluster);
      assertEquals(5, list(service, prefix).size());
      assertEquals(5, calls(cluster) - before);
    }
  }

  private static String made(TestInstance service, int count) {
    var prefix = name().value();
    for (var i = 0; i < count; i++) {
      var filter = service.create(new FilterName(prefix + i), shape(1_000, 7));
      service.add(filter.name(), elements("e", 1 + i % 7));
      service.fold(filter);
    }
    return prefix;
  }

  private static void adopt(TestInstance service, FilterName name, Optional<Instant> deadline) {
    var scheme = HashSchemes.named("go-zero").orElseThrow();
    var key = "lib of " + name;
    redis.command("SETBIT", key, "63", "1");
    service.adoptions.adopt(
        name,
        key,
        scheme,
        Optional.of(FilterParameters.forShape(scheme, 64, 14, WhenFull.ACCEPT)),
        deadline,
        Quota.NONE);
  }

  private static List<FilterPage.Entry> list(TestInstance service, String prefix) {
    return service.descriptions.listWithFigures(List.of(prefix), Optional.empty(), 500).entries();
  }

  /** How many scripts were called, also those that Redis refused. */
  private static long calls(TestRedis redis) {
    return CALLS
        .matcher(redis.command("INFO", "commandstats").toString())
        .results()
        .mapToLong(calls -> Long.parseLong(calls.group(1)) + Long.parseLong(calls.group(2)))
        .sum();
  }
}
