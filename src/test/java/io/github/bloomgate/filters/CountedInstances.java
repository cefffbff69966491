package io.github.bloomgate.filters;

import static io.github.bloomgate.support.TestInstance.await;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.store.TestStores;
import io.github.bloomgate.support.TestInstance;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.function.Executable;

/** Two instances on one Redis, and what the quotas count of it. */
abstract class CountedInstances {

  static final Duration AN_HOUR = Duration.ofHours(1);
  static final FilterParameters SMALL = TestInstance.shape(8 << 10, 5);
  static final long SMALL_BYTES = 1024;
  static final Pattern STATE = Pattern.compile("bloom:\\{([^/}]+)}:state(:next)?");

  TestRedis redis;
  TestInstance service;
  TestInstance other;

  @BeforeEach
  void start() {
    redis = TestRedis.started();
    service = new TestInstance(redis);
    other = new TestInstance(redis);
  }

  @AfterEach
  void stop() {
    other.close();
    service.close();
    redis.close();
  }

  static String usage(int index) {
    return TestStores.usageKeys().get(index);
  }

  void assertUsageIsExact() {
    assertUsageIsExact("");
  }

  /** All that is counted is there, all that is there is counted, and the sums are right. */
  void assertUsageIsExact(String message) {
    var there = new TreeMap<String, Long>();
    for (var key : service.keysWith(":state")) {
      var name = STATE.matcher(key);
      if (name.matches()) {
        await(service.stores.filters().outline(new FilterName(name.group(1))))
            .generations()
            .forEach(
                filter ->
                    there.merge(filter.name().value(), filter.shape().sizeBytes(), Math::max));
      }
    }
    var counted = new TreeMap<String, Long>();
    for (var name : redis.command("HKEYS", usage(1))) {
      var entry = redis.command("HGET", usage(1), name.toString()).toString().split(" ");
      assertEquals(2, entry.length, name + " is still reserved; " + message);
      counted.put(name.toString(), Long.valueOf(entry[1]));
    }
    assertEquals(there, counted, message);
    assertEquals(there.size(), redis.command("ZCARD", usage(0)).toInteger(), message);
    for (var field : redis.command("HKEYS", usage(2))) {
      if (field.toString().startsWith("=")) {
        var prefix = field.toString().substring(1);
        var sum =
            there.entrySet().stream()
                .filter(entry -> entry.getKey().startsWith(prefix))
                .mapToLong(Map.Entry::getValue)
                .sum();
        assertEquals(sum, redis.command("HGET", usage(2), "=" + prefix).toLong(), message);
      }
    }
  }

  static Quota key(String prefix, long maxFilters, long maxBytes) {
    return new Quota(Optional.of("key"), List.of(prefix), maxFilters, maxBytes);
  }

  FilterName create(Quota quota, FilterParameters parameters) {
    var name = name();
    service.creations.create(name, parameters, Optional.empty(), quota);
    return name;
  }

  CreateOutcome creating(Quota quota) {
    return service.creations.create(name(), SMALL, Optional.empty(), quota);
  }

  static void refused(Executable call) {
    var refusal = assertThrows(BloomException.class, call);
    assertEquals(ErrorCode.LIMIT_EXCEEDED, refusal.code(), refusal.getMessage());
  }
}
