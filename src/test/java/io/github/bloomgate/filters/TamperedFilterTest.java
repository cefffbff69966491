package io.github.bloomgate.filters;

import static io.github.bloomgate.support.TestInstance.assertFails;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static io.github.bloomgate.support.TestInstance.shape;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.bloomgate.model.FileFormat;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.store.TestStores;
import io.github.bloomgate.support.TestInstance;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What somebody changes in Redis beneath a filter that the service knows and has copied. */
class TamperedFilterTest {

  private static final FilterParameters KIND = shape(64_000, 7);
  private static final List<byte[]> KNOWN = elements("known ", 1_000);

  private static TestRedis redis;
  private static TestInstance service;

  private final FilterName name = name();

  private Filter filter;
  private String state;
  private String bits;

  @BeforeAll
  static void start() {
    redis = TestRedis.started();
    service = new TestInstance(redis);
  }

  @AfterAll
  static void stop() {
    service.close();
    redis.close();
  }

  @BeforeEach
  void create() {
    filter = service.create(name, KIND);
    state = TestStores.keys(filter, 0).get(0);
    bits = TestStores.keys(filter, 0).get(1);
    service.add(name, KNOWN);
  }

  /** Until answers come from a copy. */
  private void warm() {
    var asked = service.metrics.get("bloom.copies.tests").tag("decided", "redis").counter();
    Awaitility.await()
        .atMost(TestInstance.PATIENCE)
        .until(
            () -> {
              var before = asked.count();
              service.assertMaybe(name, KNOWN);
              return asked.count() == before;
            });
  }

  @ParameterizedTest
  @CsvSource({"numHashFunctions, 9", "format, 2"})
  void whatNearlyEveryCallReadsIsNoticedSoon(String field, String value) {
    var before = redis.command("HGET", state, field).toString();
    redis.command("HSET", state, field, value);
    assertSoonDamaged();
    redis.command("HSET", state, field, before);
    service.assertMaybe(name, KNOWN);
    service.add(name, elements("more ", 10));
  }

  @ParameterizedTest
  @CsvSource({"numHashFunctions, 9", "format, 2"})
  void itIsNoticedWhereACopyWouldDecide(String field, String value) {
    warm();
    redis.command("HSET", state, field, value);
    assertSoonDamaged();
    service.changes.delete(name, false);
    service.assertNothingLeft(filter);
  }

  @ParameterizedTest
  @CsvSource({
    "numHashFunctions, 9",
    "hashScheme, bits-and-blooms",
    "expectedInsertions, 77",
    "whenFull, reject"
  })
  void whatOnlyADescriptionReadsIsNoticedByOne(String field, String value) {
    warm();
    redis.command("HSET", state, field, value);
    assertFails(ErrorCode.FILTER_DAMAGED, () -> service.descriptions.describe(name));
    assertFails(ErrorCode.FILTER_DAMAGED, () -> service.descriptions.describe(name));
  }

  /** As if it had been another filter from the beginning, if only the copies did not tell. */
  @ParameterizedTest
  @ValueSource(longs = {32_000, 128_000, 64_000 * 64})
  void anotherLengthIsDamageAndNoDefect(long segmentBits) {
    warm();
    redis.command("HSET", state, "segmentBits", Long.toString(segmentBits));
    redis.command("SET", bits, "");
    redis.command("SETBIT", bits, Long.toString(segmentBits - 1), "0");
    for (var tries = 0; tries < 2; tries++) {
      assertFails(ErrorCode.FILTER_DAMAGED, () -> service.descriptions.describe(name));
      assertFails(
          ErrorCode.FILTER_DAMAGED, () -> service.exports.begin(name, FileFormat.BLOOMGATE));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "0"})
  void aBitmapThatIsNotAsCountedIsNeitherCopiedNorMerged(String bit) {
    redis.command(
        "SETBIT", bits, redis.command("BITPOS", bits, bit.equals("1") ? "0" : "1").toString(), bit);
    var to = name();
    assertFails(
        ErrorCode.FILTER_DAMAGED,
        () ->
            service.copies.copy(name, to, false, Optional.empty(), Quota.NONE, TestInstance.STAYS));
    assertEquals(List.of(), service.keysWith(to.value()));
    var target = service.create(name(), KIND).name();
    service.add(target, elements("other ", 100));
    assertFails(
        ErrorCode.FILTER_DAMAGED,
        () ->
            service.merges.merge(
                target, List.of(name), OptionalDouble.empty(), TestInstance.STAYS));
    service.assertMaybe(target, elements("other ", 100));
    service.assertCountsAreExact(target);
  }

  private void assertSoonDamaged() {
    Awaitility.await()
        .atMost(TestInstance.PATIENCE)
        .pollDelay(Duration.ZERO)
        .untilAsserted(
            () ->
                assertFails(
                    ErrorCode.FILTER_DAMAGED, service.elements.test(name, KNOWN.subList(0, 1))));
    for (var tries = 0; tries < 2; tries++) {
      assertFails(ErrorCode.FILTER_DAMAGED, service.elements.test(name, KNOWN));
      assertFails(ErrorCode.FILTER_DAMAGED, service.elements.test(name, KNOWN.subList(0, 1)));
      assertFails(ErrorCode.FILTER_DAMAGED, service.elements.add(name, KNOWN));
      assertFails(ErrorCode.FILTER_DAMAGED, service.elements.add(name, KNOWN.subList(0, 1)));
    }
  }
}
