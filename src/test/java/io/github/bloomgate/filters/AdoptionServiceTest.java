package io.github.bloomgate.filters;

import static io.github.bloomgate.support.TestInstance.assertFails;
import static io.github.bloomgate.support.TestInstance.await;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.model.AdoptedKey;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterPlan;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.store.TestStores;
import io.github.bloomgate.support.TestInstance;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Adoptions that meet with something else: what libraries stored, keys of any name, cuts on the
 * way.
 */
class AdoptionServiceTest extends AdoptingInstances {

  @ParameterizedTest
  @CsvSource({
    "729, 5, 100, 0.03, 100, 0.03",
    "729, 5, 100, 1.0E-300, 100, 1.0E-300",
    "729, 5, , , 101, 0.03125",
    "729, 5, 0, 0.03, 101, 0.03125",
    "729, 5, 100, 0, 101, 0.03125",
    "729, 5, 100, 1, 101, 0.03125",
    "729, 5, 100, NaN, 101, 0.03125",
    "729, 5, 100, -Infinity, 101, 0.03125",
    "729, 5, 100, some, 101, 0.03125",
    "729, 5, many, 0.03, 101, 0.03125",
    "729, 5, 99999999999999999, 0.03, 101, 0.03125",
    "1, 255, , , 1, 1",
  })
  void whatALibraryStoredIsReadAndWhereItMakesNoSenseTheBitsTell(
      String size, String iterations, String n, String p, long expectedN, double expectedP) {
    store(size, iterations, n, p);
    service.redis("HSET", config, "addedByANewerVersion", "x");
    var filter = adoptAsStored();
    assertEquals(expectedN, filter.parameters().expectedInsertions());
    assertEquals(expectedP, filter.parameters().falsePositiveProbability());
    assertEquals(Long.parseLong(size), filter.shape().bitSize());
    service.add(name, ELEMENTS);
    other.assertMaybe(name, ELEMENTS);
    assertTrue(filter.parameters().schemeWarning().toString().length() < 1_000);
    assertEquals(filter, adoptAsStored());
  }

  @ParameterizedTest
  @CsvSource({
    "0729, 5, KEY_MISMATCH",
    "729, 05, KEY_MISMATCH",
    "0, 5, KEY_MISMATCH",
    "-729, 5, KEY_MISMATCH",
    "729.0, 5, KEY_MISMATCH",
    "some, 5, KEY_MISMATCH",
    "9999999999999999999, 5, KEY_MISMATCH",
    "729, , KEY_MISMATCH",
    ", 5, KEY_MISMATCH",
    "729, 256, LIMIT_EXCEEDED",
    "729, 99999999999, LIMIT_EXCEEDED",
    "4294967295, 5, LIMIT_EXCEEDED",
    "999999999999999999, 5, LIMIT_EXCEEDED",
  })
  void aShapeThatIsNoneIsRefusedAndNothingIsChanged(
      String size, String iterations, ErrorCode code) {
    store(size, iterations, "100", "0.03");
    assertFails(
        code,
        () ->
            service.adoptions.adopt(
                name, key, REDISSON, Optional.empty(), Optional.empty(), Quota.NONE));
    assertEquals(List.of(config), service.keysWith(name.value()));
    assertEquals(null, service.redis("ZSCORE", TestStores.catalogueKey(), name.value()));
  }

  @Test
  void aRefusedAdoptionLeavesTheCatalogueAsItWas() {
    service.redis("SET", key, "longer than two bytes");
    assertFails(ErrorCode.KEY_MISMATCH, () -> adoption(name, key, shape(9, 3)));
    assertEquals(null, service.redis("ZSCORE", TestStores.catalogueKey(), name.value()));
    service.create(name, TestInstance.shape(1_000, 3));
    assertFails(ErrorCode.FILTER_EXISTS, () -> adoption(name, key, SHAPE));
    assertEquals(0, service.redis("ZSCORE", TestStores.catalogueKey(), name.value()).toLong());
  }

  @Test
  void whatIsLeftOfAFilterIsNotHiddenByAnAdoption() {
    var filter = service.create(name, TestInstance.shape(1_000, 3));
    service.redis("DEL", TestStores.keys(filter, 0).get(0));
    assertFails(ErrorCode.FILTER_DAMAGED, () -> adoption(name, key, SHAPE));
    service.changes.delete(name, false);
    adopt(name, key, SHAPE);
    service.changes.delete(name, true);
    assertEquals(List.of(), service.keysWith(name.value()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a b",
        " ",
        "{",
        "}",
        "{}",
        "a{b}c",
        "{a}",
        "a{",
        "\u00e9\ud83d\ude00",
        "\u0000\n\"'",
        ":",
        "Bloom:x"
      })
  void aKeyMayHaveAnyName(String strange) {
    var unusual = strange + name.value().substring(0, 8);
    checkName(unusual, (unusual.contains("{") ? unusual : "{" + unusual + "}") + ":config");
  }

  @Test
  void aKeyMayBeLong() {
    var lengthy = "\u00e9".repeat(1_024);
    checkName(lengthy, "{" + lengthy + "}:config");
  }

  private void checkName(String unusual, String itsConfig) {
    adopt(name, unusual, SHAPE);
    other.add(name, ELEMENTS);
    service.assertMaybe(name, ELEMENTS);
    assertEquals(unusual, other.describe(name).redisKey());
    assertEquals("10001", service.redis("HGET", itsConfig, "size").toString());
    var to = name();
    other.renames.rename(name, to, false);
    var next = service.openings.open(to, live -> live, Duration.ofHours(1));
    await(service.loads.load(next, ELEMENTS));
    other.rebuilds.commit(next, 1, NewDeadline.KEEP);
    service.assertMaybe(to, ELEMENTS);
    other.changes.delete(to, true);
    assertEquals(0, service.redis("EXISTS", unusual, itsConfig).toInteger());
  }

  @Test
  void aKeyThatIsNoTextIsRefused() {
    assertFails(ErrorCode.INVALID_REQUEST, () -> adoption(name, "half \ud83d", SHAPE));
    assertEquals(0, service.redis("EXISTS", "half ?", "{half ?}:config").toInteger());
  }

  /** Each is one script; what comes before and after it may be cut off. */
  @Test
  void whatIsCutShortIsFinishedOrNeverWas() {
    // Adopted, and nobody is told.
    var filter =
        Filter.adopt(name, SHAPE, AdoptedKey.of(REDISSON, key), Instant.now(), Optional.empty());
    service.stores.adoptions().adopt(filter);
    assertEquals(Optional.of(false), Optional.of(adoption(name, key, SHAPE).created()));
    assertEquals(
        1, other.descriptions.list(List.of(name.value()), Optional.empty(), 10).entries().size());
    // A rebuild is opened, loaded and left.
    service.add(name, ELEMENTS);
    var left = service.describe(name).filter().successor(FilterPlan.of(SHAPE), Instant.now());
    var live = service.describe(name).filter();
    service.stores.rebuilds().open(live, left, Duration.ofMillis(1));
    service.reconciler.intend(name);
    Awaitility.await()
        .atMost(TestInstance.PATIENCE)
        .until(
            () -> {
              reconcileLater();
              return service.describe(name).filter().next().isEmpty();
            });
    assertFails(ErrorCode.REBUILD_NOT_FOUND, service.loads.load(left, ELEMENTS));
    other.assertMaybe(name, ELEMENTS);
    assertEquals(3, service.keysWith(name.value()).size());
    // A commit is the last that was done.
    var next = service.openings.open(name, same -> same, Duration.ofHours(1));
    await(service.loads.load(next, ELEMENTS));
    service.stores.rebuilds().commit(next, 1, Optional.empty());
    reconcileLater();
    other.assertMaybe(name, ELEMENTS);
    service.assertReconciled(name);
    // Renamed, in the store only.
    var to = name();
    service.stores.catalogue().add(to);
    service.stores.filters().rename(name, to, false);
    reconcileLater();
    assertFails(ErrorCode.FILTER_NOT_FOUND, other.elements.test(name, ELEMENTS));
    other.assertMaybe(to, ELEMENTS);
    // Let go, in the store only.
    service.reconciler.intend(to);
    service.stores.filters().delete(to, false);
    reconcileLater();
    assertEquals(
        0, other.descriptions.list(List.of(to.value()), Optional.empty(), 10).entries().size());
    assertEquals(2, service.keysWith(name.value()).size(), "the library's keys");
    assertEquals(List.of(), service.keysWith(to.value()));
    service.assertReconciled(to);
  }

  private static void reconcileLater() {
    try (var later =
        new TestInstance(redis, Clock.offset(Clock.systemUTC(), Duration.ofHours(1)))) {
      later.reconciler.reconcileAbandoned();
    }
  }

  private Filter adoptAsStored() {
    return service
        .adoptions
        .adopt(name, key, REDISSON, Optional.empty(), Optional.empty(), Quota.NONE)
        .description()
        .filter();
  }

  private void store(String size, String iterations, String n, String p) {
    field("size", size);
    field("hashIterations", iterations);
    field("expectedInsertions", n);
    field("falseProbability", p);
  }

  private void field(String field, String value) {
    if (value != null) {
      service.redis("HSET", config, field, value);
    }
  }
}
