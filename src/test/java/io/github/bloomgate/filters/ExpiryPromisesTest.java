package io.github.bloomgate.filters;

import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.github.bloomgate.memory.Client;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.NewExpiry;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.Failures;
import io.github.bloomgate.support.OnRedis;
import io.github.bloomgate.support.TestInstance;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Promise 6: all keys of a filter always share one expiry. */
@OnRedis
class ExpiryPromisesTest {

  private static final Optional<Instant> NEVER = Optional.empty();
  private static final Optional<Instant> SOON = TestInstance.inHours(2);
  private static final Optional<Instant> LATE = TestInstance.inHours(9);

  private static TestRedis redis;
  private static TestInstance service;

  /** An instance whose clock is past all expiries. */
  @OnRedis.Special private static TestInstance late;

  @BeforeAll
  static void start() {
    late = new TestInstance(redis, Clock.offset(Clock.systemUTC(), Duration.ofDays(1)));
  }

  static List<FilterParameters> shapes() {
    return List.of(TestInstance.shape(10_000, 7), TestInstance.SEVERAL);
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void everyKeyFollowsEveryChangeOfTheExpiry(FilterParameters parameters) {
    var name = name();
    service.create(name, parameters, SOON);
    service.assertExpiry(name, SOON);
    var elements = elements("kept ", 100);
    service.add(name, elements);
    for (var expiry : List.of(LATE, NEVER, SOON, LATE, SOON, NEVER, LATE)) {
      service.changes.expire(name, NewExpiry.of(expiry));
      service.assertExpiry(name, expiry);
      service.assertMaybe(name, elements);
    }
    service.changes.clear(name);
    service.assertExpiry(name, LATE);
    assertEquals(0, service.describe(name).statistics().bitsSet());
    service.add(name, elements);
    service.assertExpiry(name, LATE);
    var to = name();
    service.renames.rename(name, to, false);
    service.assertExpiry(to, LATE);
    service.assertMaybe(to, elements);
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void aReplacedFilterLosesItsExpiry(FilterParameters parameters) {
    for (var replaced : List.of(NEVER, SOON)) {
      for (var expiry : List.of(NEVER, LATE)) {
        for (var target : shapes()) {
          var name = name();
          var to = name();
          service.create(name, parameters, expiry);
          var gone = service.create(to, target, replaced);
          service.renames.rename(name, to, true);
          service.assertExpiry(to, expiry);
          assertEquals(List.of(), service.keysWith(gone.content().incarnation()));
          service.changes.delete(to, false);
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void anExpiredFilterLeavesNothingBehind(FilterParameters parameters) {
    var created = name();
    var dated = name();
    var filters =
        List.of(service.create(created, parameters, SOON), service.create(dated, parameters));
    service.add(dated, elements("gone ", 100));
    service.changes.expire(dated, NewExpiry.of(SOON));
    // Only Redis decides when it has expired.
    late.assertMaybe(dated, elements("gone ", 100));
    for (var filter : filters) {
      var name = filter.name();
      service.passExpiry(filter);
      Awaitility.await()
          .until(
              () ->
                  service.keysWith(filter.content().incarnation()).isEmpty()
                      && service.keysWith(name.value()).isEmpty());
      Failures.assertFails(
          ErrorCode.FILTER_NOT_FOUND,
          service.elements.test(name, elements("gone ", 100), Client.SERVICE));
      Failures.assertFails(
          ErrorCode.FILTER_NOT_FOUND,
          late.elements.test(name, elements("gone ", 100), Client.SERVICE));
      Failures.assertFails(
          ErrorCode.FILTER_NOT_FOUND, service.elements.add(name, elements("gone ", 1)));
      assertNotNull(service.redis("ZSCORE", "bloom:{=names}", name.value()));
      assertEquals(
          List.of(),
          service
              .descriptions
              .list(List.of(name.value()), Optional.empty(), 10, false, Client.SERVICE)
              .entries());
      service.assertNothingLeft(filter);
    }
  }
}
