package io.github.bloomgate.libraries;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.support.RawRedis;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.redisson.api.RBloomFilter;

/** Filters of Redisson, and Redisson on the same Redis. */
abstract class RedissonFilters {

  @Inject RawRedis redis;

  static final String STRING = "string";
  static final int N = 1000;
  static final double P = 1e-9;

  static final Duration MAX_WAIT = Duration.ofMinutes(2);

  final long seed = Long.getLong("bloomgate.seed", System.nanoTime());
  final SplittableRandom random = new SplittableRandom(seed);
  RedissonOnRedis redisson;
  AdoptedFilter ours;

  @BeforeEach
  void connect() {
    redisson = new RedissonOnRedis(redis);
    ours = AdoptedFilter.of(redis);
  }

  @AfterEach
  void disconnect() {
    redisson.close();
    redis.run("DEL", ours.key(), ours.configKey());
  }

  RBloomFilter<String> madeByRedisson(String codec) {
    var theirs = redisson.filter(ours.key(), codec);
    assertTrue(theirs.tryInit(N, P));
    return theirs;
  }

  static Map<String, Object> parameters(String codec) {
    var parameters = new HashMap<String, Object>();
    parameters.put("hashScheme", "redisson");
    parameters.put("elementCodec", codec);
    return parameters;
  }

  static Map<String, Object> sized(String codec) {
    var parameters = parameters(codec);
    parameters.put("expectedInsertions", N);
    parameters.put("falsePositiveProbability", P);
    return parameters;
  }

  static void assertSameParameters(RBloomFilter<?> expected, RBloomFilter<?> actual) {
    assertEquals(expected.getSize(), actual.getSize());
    assertEquals(expected.getHashIterations(), actual.getHashIterations());
    assertEquals(expected.getExpectedInsertions(), actual.getExpectedInsertions());
    assertEquals(expected.getFalseProbability(), actual.getFalseProbability());
  }

  /** Texts that the codecs treat differently, and random ones. */
  List<String> elements() {
    var salt = Long.toString(random.nextLong(1L << 20), 36);
    return Stream.concat(
            Stream.of(
                "",
                "a",
                "\u0000",
                salt,
                "x".repeat(32 - salt.length()) + salt,
                "x".repeat(33 - salt.length()) + salt,
                "é" + salt,
                "你好" + salt,
                "😀" + salt,
                "😀".repeat(70) + salt,
                "long ".repeat(12_000) + salt),
            Texts.next(random, 100).stream())
        .distinct()
        .toList();
  }

  String seed() {
    return "seed " + seed;
  }
}
