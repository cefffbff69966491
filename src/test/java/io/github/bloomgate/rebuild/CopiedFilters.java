package io.github.bloomgate.rebuild;

import static io.github.bloomgate.support.TestInstance.SEVERAL;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.bloomgate.filters.Description;
import io.github.bloomgate.filters.Quota;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.store.TestStores;
import io.github.bloomgate.support.TestInstance;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.IntConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Filters that are copied, and what is to be seen of the copies. */
abstract class CopiedFilters {

  static final FilterParameters SMALL = TestInstance.shape(100_000, 5);
  static final Optional<Instant> NO_DEADLINE = Optional.empty();

  static TestRedis redis;
  static TestInstance service;
  static TestInstance other;
  static TestInstance later;

  @BeforeAll
  static void start() {
    redis = TestRedis.started();
    service = new TestInstance(redis);
    other = new TestInstance(redis);
    later = new TestInstance(redis, Clock.offset(Clock.systemUTC(), Duration.ofHours(1)));
  }

  @AfterAll
  static void stop() {
    later.close();
    other.close();
    service.close();
    redis.close();
  }

  static Stream<FilterParameters> shapes() {
    return Stream.of(SMALL, SEVERAL);
  }

  static CopyService copiesAfter(IntConsumer disturbance) {
    return service.copies(DisturbedUnion.after(service, disturbance));
  }

  static FilterName filter(FilterParameters parameters, String prefix, int count) {
    var name = name();
    service.create(name, parameters);
    service.add(name, elements(prefix, count));
    return name;
  }

  static Description copy(FilterName from, FilterName to) {
    service.copies.copy(from, to, false, NO_DEADLINE, Quota.NONE, TestInstance.STAYS);
    return service.describe(to);
  }

  static void assertSameBits(Filter one, Filter other) {
    for (var segment = 0; segment < one.shape().segments(); segment++) {
      assertArrayEquals(bits(one, segment), bits(other, segment), "segment " + segment);
    }
  }

  static byte[] bits(Filter filter, int segment) {
    service.fold(filter);
    return redis.command("GET", TestStores.keys(filter, segment).get(1)).toBytes();
  }

  static void assertNothingUnder(FilterName name) {
    assertEquals(List.of(), service.keysWith(name.value()));
    service.assertReconciled(name);
  }
}
