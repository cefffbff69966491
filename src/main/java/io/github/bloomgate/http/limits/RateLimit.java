package io.github.bloomgate.http.limits;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.error.ProblemDetails;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A rate limit for each of many keys or filters, with the headers of the IETF draft "RateLimit
 * header fields for HTTP". Thread-safe.
 */
final class RateLimit {

  /** The least recently used ones are dropped, and get a full bucket when they return. */
  private static final int MAX_BUCKETS = 10_000;

  private static final CharSequence POLICY = HttpHeaders.createOptimized("RateLimit-Policy");
  private static final CharSequence STATE = HttpHeaders.createOptimized("RateLimit");

  private final String name;
  private final int perSecond;
  private final CharSequence policy;
  private final Counter refused;
  private final Cache<String, TokenBucket> buckets =
      Caffeine.newBuilder().maximumSize(MAX_BUCKETS).build();

  /**
   * @param name of the policy
   */
  RateLimit(String name, int perSecond, MeterRegistry metrics) {
    this.name = name;
    this.perSecond = perSecond;
    this.policy = HttpHeaders.createOptimized("\"%s\";q=%d;w=1".formatted(name, perSecond));
    this.refused =
        Counter.builder("bloom.rate.limited")
            .description("Number of requests refused with 429, by limit.")
            .tag("limit", name)
            .register(metrics);
  }

  boolean isOn() {
    return perSecond > 0;
  }

  /** The tokens to take from the bucket of a key or filter. */
  record Cost(String whose, int tokens) {}

  /**
   * Takes tokens from each bucket, or from none.
   *
   * @param costs of different buckets
   * @param headers for the state of the bucket that refuses, or of the only one
   * @throws BloomException RATE_LIMITED if a bucket has too few
   */
  void take(List<Cost> costs, MultiMap headers) {
    for (var i = 0; isOn() && i < costs.size(); i++) {
      var cost = costs.get(i);
      var bucket = bucket(cost.whose);
      var now = System.nanoTime();
      var wait = bucket.tryTake(cost.tokens, now);
      if (wait > 0 || costs.size() == 1) {
        headers.add(POLICY, policy);
        // Formatting it would take longer than all the rest of this.
        var left = bucket.left(now);
        headers.add(STATE, "\"" + name + "\";r=" + left + ";t=" + seconds(bucket.untilFull(now)));
      }
      if (wait > 0) {
        giveBack(costs.subList(0, i));
        refused.increment();
        // Without other traffic, the request would pass by then.
        var retryAfter = seconds(wait);
        throw BloomException.of(
            ErrorCode.RATE_LIMITED,
            "The limit %s of this instance is %d per second. Nothing was done. Repeat the request in %d s."
                .formatted(name, perSecond, retryAfter),
            new ProblemDetails.RetryAfter(retryAfter));
      }
    }
  }

  void giveBack(List<Cost> costs) {
    costs.forEach(cost -> bucket(cost.whose).giveBack(cost.tokens));
  }

  /** The rate per second; very high without a limit. */
  int aSecond() {
    return isOn() ? perSecond : Integer.MAX_VALUE;
  }

  /** Takes tokens even from empty buckets; returns the milliseconds to wait. */
  long pace(List<Cost> costs) {
    var wait = 0L;
    for (var i = 0; isOn() && i < costs.size(); i++) {
      var cost = costs.get(i);
      wait = Math.max(wait, bucket(cost.whose).take(cost.tokens, System.nanoTime()));
    }
    return wait;
  }

  private TokenBucket bucket(String whose) {
    return buckets.get(whose, absent -> new TokenBucket(perSecond, System.nanoTime()));
  }

  /** Rounded up, because a client that returns too early is refused again. */
  private static long seconds(long nanos) {
    return (nanos + TimeUnit.SECONDS.toNanos(1) - 1) / TimeUnit.SECONDS.toNanos(1);
  }
}
