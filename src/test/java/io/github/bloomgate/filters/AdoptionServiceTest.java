package io.github.bloomgate.filters;

import static io.github.bloomgate.support.TestInstance.assertFails;
import static io.github.bloomgate.support.TestInstance.await;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.github.bloomgate.files.ExportedFilter;
import io.github.bloomgate.hash.HashScheme;
import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.model.AdoptedKey;
import io.github.bloomgate.model.FileDescription;
import io.github.bloomgate.model.FileFormat;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.FilterPlan;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.store.TestStores;
import io.github.bloomgate.support.TestInstance;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Adopted filters where something else happens to them, or to their keys. */
class AdoptionServiceTest {

  private static final HashScheme REDISSON = HashSchemes.named("redisson").orElseThrow();
  private static final List<byte[]> ELEMENTS = elements("element ", 100);
  private static final FilterParameters SHAPE = shape(10_001, 5);

  private static TestRedis redis;
  private static TestInstance service;
  private static TestInstance other;

  private final FilterName name = name();
  private final String key = "lib of " + name;
  private final String config = "{" + key + "}:config";

  @BeforeAll
  static void start() {
    redis = TestRedis.started();
    service = new TestInstance(redis);
    other = new TestInstance(redis);
  }

  @AfterAll
  static void stop() {
    service.close();
    other.close();
    redis.close();
  }

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

  @Test
  void whatTheOtherDidIsSeenAtOnce() {
    adopt(name, key, SHAPE);
    other.add(name, ELEMENTS);
    // Let go, and adopted under another key: those bits are not there.
    service.changes.delete(name, false);
    assertFails(ErrorCode.FILTER_NOT_FOUND, other.elements.test(name, ELEMENTS));
    adopt(name, key + "2", SHAPE);
    assertEquals(0, await(other.elements.test(name, ELEMENTS)).trueCount());
    assertEquals(ELEMENTS.size(), await(other.elements.add(name, ELEMENTS)).trueCount());
    // A filter of another kind under the same name.
    service.changes.delete(name, false);
    service.create(name, TestInstance.shape(100_000, 3));
    assertEquals(0, await(other.elements.test(name, ELEMENTS)).trueCount());
    service.changes.delete(name, false);
    adopt(name, key, SHAPE);
    other.assertMaybe(name, ELEMENTS);
    // Another name, and back in another way.
    var to = name();
    service.renames.rename(name, to, false);
    assertFails(ErrorCode.FILTER_NOT_FOUND, other.elements.add(name, ELEMENTS));
    adopt(name, key + "3", SHAPE);
    assertEquals(0, await(other.elements.test(name, ELEMENTS)).trueCount());
    other.assertMaybe(to, ELEMENTS);
    service.changes.clear(to);
    assertEquals(0, await(other.elements.test(to, ELEMENTS)).trueCount());
    other.assertCountsAreExact(to);
  }

  private interface Harm {
    void to(String state, String bits, String config);
  }

  private static Map<String, Harm> harms() {
    var harms = new LinkedHashMap<String, Harm>();
    harms.put("FILTER_DAMAGED bits", (state, bits, config) -> service.redis("DEL", bits));
    harms.put("FILTER_DAMAGED config", (state, bits, config) -> service.redis("DEL", config));
    harms.put(
        "FILTER_DAMAGED state",
        (state, bits, config) -> service.redis("HDEL", state, "insertions"));
    harms.put(
        "FILTER_DAMAGED generation",
        (state, bits, config) -> service.redis("HDEL", state, "generation"));
    harms.put("FILTER_NOT_FOUND", (state, bits, config) -> service.redis("DEL", state));
    harms.put(
        "KEY_MISMATCH bits", (state, bits, config) -> service.redis("SETBIT", bits, "10008", "1"));
    harms.put(
        "KEY_MISMATCH config",
        (state, bits, config) -> service.redis("HSET", config, "hashIterations", "6"));
    harms.put("WRONG_KEY_TYPE bits", (state, bits, config) -> list(bits));
    harms.put("WRONG_KEY_TYPE config", (state, bits, config) -> list(config));
    harms.put("WRONG_KEY_TYPE state", (state, bits, config) -> list(state));
    return harms;
  }

  private static void list(String key) {
    service.redis("DEL", key);
    service.redis("RPUSH", key, "theirs");
  }

  @TestFactory
  Stream<DynamicTest> everyHarmIsAnErrorToEverybody() {
    return harms().entrySet().stream()
        .map(
            harm -> dynamicTest(harm.getKey(), () -> assertErrors(harm.getKey(), harm.getValue())));
  }

  private static void assertErrors(String what, Harm harm) {
    var name = name();
    var key = "lib of " + name;
    var filter = adopt(name, key, SHAPE);
    var to = name();
    var into = name();
    service.create(into, TestInstance.shape(1_000, 3));
    for (var instance : List.of(service, other)) {
      instance.add(name, ELEMENTS);
      instance.assertMaybe(name, ELEMENTS);
    }
    harm.to(TestStores.keys(name).get(0), key, "{" + key + "}:config");
    var code = ErrorCode.valueOf(what.split(" ", -1)[0]);
    for (var instance : List.of(service, other)) {
      for (var question :
          List.<Executable>of(
              () -> instance.test(name, ELEMENTS),
              () -> instance.add(name, ELEMENTS),
              () -> instance.descriptions.describe(name),
              () -> instance.changes.clear(name),
              () -> instance.changes.expire(name, Optional.empty()),
              () -> instance.renames.rename(name, to, false),
              () -> instance.exports.begin(name, FileFormat.BLOOMGATE),
              () ->
                  instance.copies.copy(
                      name, to, false, Optional.empty(), Quota.NONE, TestInstance.STAYS),
              () ->
                  instance.merges.merge(
                      name, List.of(into), OptionalDouble.empty(), TestInstance.STAYS))) {
        assertFails(code, question);
      }
    }
    if (code != ErrorCode.FILTER_NOT_FOUND) {
      assertFails(code, () -> adoption(name, key, SHAPE));
      var page = other.descriptions.list(List.of(name.value()), Optional.empty(), 10);
      assertEquals(Optional.empty(), page.entries().get(0).filter());
    }
    assertEquals(List.of(), service.keysWith(to.value()));
    assertEquals(filter.name(), name);
  }

  @Test
  void whatIsMadeOfAnotherFilterMustHaveTheShapeThatTheLibraryKnows() throws IOException {
    adopt(name, key, SHAPE);
    service.add(name, ELEMENTS);
    var unlike = name();
    service.create(unlike, shape(10_002, 5));
    var alike = name();
    service.create(alike, SHAPE);
    service.add(alike, elements("other ", 50));
    var before = service.redis("GET", key).toString();
    assertFails(
        ErrorCode.INVALID_REQUEST,
        () ->
            other.copies.copy(
                unlike, name, true, Optional.empty(), Quota.NONE, TestInstance.STAYS));
    assertFails(
        ErrorCode.INCOMPATIBLE_FILTERS,
        () ->
            other.merges.merge(name, List.of(unlike), OptionalDouble.empty(), TestInstance.STAYS));
    var file = export(unlike);
    var refused =
        assertThrows(
            BloomException.class,
            () ->
                other.imports.load(
                    name,
                    FileDescription.of(FileFormat.BLOOMGATE),
                    new ByteArrayInputStream(file),
                    Quota.NONE));
    assertEquals(ErrorCode.INVALID_REQUEST, refused.code());
    assertEquals(before, service.redis("GET", key).toString());
    assertEquals(Optional.empty(), other.describe(name).filter().next());

    other.merges.merge(name, List.of(alike), OptionalDouble.empty(), TestInstance.STAYS);
    service.assertMaybe(name, ELEMENTS);
    service.assertMaybe(name, elements("other ", 50));
    other.copies.copy(alike, name, true, Optional.empty(), Quota.NONE, TestInstance.STAYS);
    service.fold(service.describe(alike).filter());
    assertArrayEquals(bytes(TestStores.keys(alike).get(1)), bytes(key));
    other.imports.load(
        name,
        FileDescription.of(FileFormat.BLOOMGATE),
        new ByteArrayInputStream(export(alike)),
        Quota.NONE);
    service.fold(service.describe(alike).filter());
    assertArrayEquals(bytes(TestStores.keys(alike).get(1)), bytes(key));
    assertEquals(key, service.describe(name).redisKey());
    assertEquals("10001", service.redis("HGET", config, "size").toString());
  }

  @Test
  void aShortBitmapIsExportedInFull() throws IOException {
    adopt(name, key, SHAPE);
    service.redis("SETBIT", key, "17", "1");
    var file = ExportedFilter.read(export(name));
    assertEquals(1_251, file.bitmaps().get(0).length);
    assertEquals(0x40, file.bitmaps().get(0)[2]);
    var to = name();
    other.imports.load(
        to,
        FileDescription.of(FileFormat.BLOOMGATE),
        new ByteArrayInputStream(export(name)),
        Quota.NONE);
    assertFalse(other.describe(to).filter().isAdopted());
    assertEquals(1, other.describe(to).statistics().bitsSet());
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

  @Test
  void aDeadlineOfTheLibraryThatPassesIsADamageAndNotNo() {
    adopt(name, key, SHAPE);
    service.add(name, ELEMENTS);
    service.redis("PEXPIRE", key, "1");
    Awaitility.await()
        .atMost(TestInstance.PATIENCE)
        .until(() -> service.redis("EXISTS", key).toInteger() == 0);
    assertFails(ErrorCode.FILTER_DAMAGED, service.elements.test(name, ELEMENTS));
    assertFails(ErrorCode.FILTER_DAMAGED, other.elements.add(name, ELEMENTS));
  }

  private static FilterParameters shape(long bits, int hashes) {
    return FilterParameters.forShape(REDISSON, bits, hashes, WhenFull.ACCEPT);
  }

  private static CreateOutcome adoption(FilterName name, String key, FilterParameters parameters) {
    return service.adoptions.adopt(
        name, key, REDISSON, Optional.of(parameters), Optional.empty(), Quota.NONE);
  }

  private static Filter adopt(FilterName name, String key, FilterParameters parameters) {
    var made = adoption(name, key, parameters);
    assertTrue(made.created());
    return made.description().filter();
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

  private static byte[] bytes(String key) {
    return service.redis("GET", key).toBytes();
  }

  private static byte[] export(FilterName name) throws IOException {
    var out = new ByteArrayOutputStream();
    other.exports.begin(name, FileFormat.BLOOMGATE).writeTo(out);
    return out.toByteArray();
  }
}
