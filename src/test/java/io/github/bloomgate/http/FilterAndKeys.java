package io.github.bloomgate.http;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.support.RawRedis;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** What tests of filters over HTTP share: expiry and the keys in Redis. */
abstract class FilterAndKeys {

  @Inject RawRedis redis;

  /** On a slow machine, the response may already be that the filter is gone. */
  static void letExpire(String name) {
    Api.json("{\"ttlSeconds\": 1}").put(Api.FILTERS + name + "/expiry");
  }

  static String stateKey(String name) {
    return "bloom:{" + name + "}";
  }

  /** The state of a filter and the segments of its content; empty if there is no filter. */
  List<String> keysOf(String name) {
    var keys = new ArrayList<String>();
    if (redis.run("EXISTS", stateKey(name)).toInteger() == 1) {
      var content = redis.run("HMGET", stateKey(name), "home", "incarnation");
      keys.add(stateKey(name));
      redis
          .run("KEYS", "bloom:{%s}:%s:*".formatted(content.get(0), content.get(1)))
          .forEach(key -> keys.add(key.toString()));
    }
    return keys;
  }

  /** Asserts when keys expire, to the precision of the remaining time. */
  void assertExpiry(Instant expected, List<String> keys) {
    for (var key : keys) {
      var before = Instant.now();
      var left = Duration.ofMillis(redis.run("PTTL", key).toLong());
      var after = Instant.now();
      assertTrue(
          expected.isAfter(before.plus(left).minusSeconds(2))
              && expected.isBefore(after.plus(left).plusSeconds(2)),
          key + " expires " + left + " after " + before + ", not at " + expected);
    }
  }

  /** Segments expire within a minute, because Redis cannot free many at once. */
  void assertFreed(String key) {
    if (redis.run("EXISTS", key).toInteger() != 0) {
      var left = redis.run("PTTL", key).toLong();
      assertTrue(left > 0 && left <= 60_000, key + " lives for " + left + " ms");
    }
  }
}
