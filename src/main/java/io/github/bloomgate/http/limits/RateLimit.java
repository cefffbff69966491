package io.github.bloomgate.http.limits;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.bloomgate.model.error.AccessErrors;
import io.github.bloomgate.model.error.BloomException;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
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

  /** The outcome of taking tokens from a bucket; none were taken if there is a wait. */
  final class Taken {

    private final TokenBucket bucket;
    private final long now = System.nanoTime();
    private final long wait;

    private Taken(TokenBucket bucket, int count) {
      this.bucket = bucket;
      this.wait = bucket.tryTake(count, now);
    }

    boolean isRefused() {
      return wait > 0;
    }

    void addTo(MultiMap headers) {
      headers.add(POLICY, policy);
      // Formatting it would take longer than all the rest of this.
      var left = bucket.left(now);
      headers.add(STATE, "\"" + name + "\";r=" + left + ";t=" + seconds(bucket.untilFull(now)));
    }

    /** RATE_LIMITED, to throw if it is refused. */
    BloomException refusal() {
      refused.increment();
      return AccessErrors.rateLimited(name, perSecond, seconds(wait));
    }
  }

  /** Takes tokens, if the bucket has them. */
  Taken take(String whose, int count) {
    return new Taken(bucket(whose), count);
  }

  void giveBack(String whose, int count) {
    bucket(whose).giveBack(count);
  }

  /** The rate per second; very high without a limit. */
  int aSecond() {
    return isOn() ? perSecond : Integer.MAX_VALUE;
  }

  /** Takes tokens even if the bucket is empty; returns the milliseconds to wait. */
  long pace(String whose, int count) {
    return isOn() ? bucket(whose).take(count, System.nanoTime()) : 0;
  }

  private TokenBucket bucket(String whose) {
    return buckets.get(whose, absent -> new TokenBucket(perSecond, System.nanoTime()));
  }

  /** Rounded up, because a client that returns too early is refused again. */
  private static long seconds(long nanos) {
    return (nanos + TimeUnit.SECONDS.toNanos(1) - 1) / TimeUnit.SECONDS.toNanos(1);
  }
}
