package io.github.bloomgate.libraries;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.bloomgate.hash.LibraryVectors;
import io.github.bloomgate.http.Api;
import io.github.bloomgate.support.PlainHttp;
import io.github.bloomgate.support.RawRedis;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Compares the service with the golden file of a library: its responses over HTTP, and the bytes in
 * Redis. Each check creates its own filters and keys, and deletes them.
 */
final class VectorFilters {

  /** More than enough for a filter that is not shared to get a copy. */
  private static final int OFTEN = 30;

  private final String scheme;
  private final RawRedis redis;

  VectorFilters(String scheme, RawRedis redis) {
    this.scheme = scheme;
    this.redis = redis;
  }

  void checkAll() {
    var filters = GoldenFilter.of(scheme);
    filters.forEach(this::checkFilled);
    filters.forEach(this::checkAdopted);
    checkSeenAtOnce(filters.get(0));
    filters.forEach(this::checkOwn);
    for (var row : LibraryVectors.of(scheme).root().path("rejectedParameters")) {
      assertRefused(new GoldenFilter(scheme, row).sizing());
    }
  }

  /** Elements added over HTTP set exactly the bits that the library set. */
  private void checkFilled(GoldenFilter golden) {
    var adopted = AdoptedFilter.of(redis);
    golden.assertShape(adopted.created(golden.sizing()));
    var added = golden.elements("elements").addTo(adopted.name());
    if (golden.node().has("addReturned")) {
      assertEquals(Elements.flags(golden.node().get("addReturned")), added, golden::toString);
    }
    golden.assertBits(adopted.bits());
    golden.assertCounts(adopted.describe());
    checkConfig(golden, adopted);
    golden.assertAnswers(adopted.name());
    adopted.delete(true);
    assertFalse(adopted.keyExists() || adopted.configExists(), golden::toString);
  }

  /** The service gives the same answers for the library's bitmap as the library. */
  private void checkAdopted(GoldenFilter golden) {
    var adopted = AdoptedFilter.of(redis);
    var bits = golden.bytes("bitmapHex");
    adopted.setBits(bits);
    golden.assertShape(adopted.created(found(golden, adopted)));
    golden.assertCounts(adopted.describe());
    golden.assertAnswers(adopted.name());
    assertArrayEquals(bits, adopted.bits(), golden::toString);
    adopted.delete(false);
    assertArrayEquals(bits, adopted.bits(), golden::toString);
    redis.run("DEL", adopted.key(), adopted.configKey());
  }

  /**
   * Changes that the library makes to its bits are visible at once, however often they were tested.
   */
  private void checkSeenAtOnce(GoldenFilter golden) {
    var elements = golden.elements("present");
    var adopted = AdoptedFilter.of(redis);
    adopted.created(golden.shape());
    for (int i = 0; i < OFTEN; i++) {
      assertFalse(elements.testIn(adopted.name()).contains(true), golden::toString);
    }
    adopted.setBits(golden.bytes("bitmapHex"));
    golden.assertAnswers(adopted.name());
    adopted.setBits(new byte[1]);
    assertFalse(elements.testIn(adopted.name()).contains(true), golden::toString);
    adopted.delete(true);
  }

  /** A filter with the service's own keys has the same bits, and zeros up to its end. */
  private void checkOwn(GoldenFilter golden) {
    var name = Api.newFilter(golden.sizing());
    golden.elements("elements").addTo(name);
    golden.assertPadded(FilterFiles.exported(name, "redis-bitmap"));
    assertEquals(golden.number("bitCount"), Api.fields(name).getLong("bitsSet"), golden::toString);
    Api.delete(name).statusCode(204);
  }

  /** Asserts that parameters are refused, and that neither filter nor key is created. */
  void assertRefused(Map<String, Object> parameters) {
    var adopted = AdoptedFilter.of(redis);
    var path = Api.FILTERS + adopted.name();
    int status = PlainHttp.send("PUT", path, adopted.onKey(parameters)).status();
    assertTrue(status == 400 || status == 422, scheme + ": " + status + " for " + parameters);
    PlainHttp.call(404, "GET", path, null);
    assertFalse(adopted.keyExists() || adopted.configExists(), scheme + ": " + parameters);
  }

  /** Filters of up to 512 MiB, described by their set bits. */
  void checkHuge() {
    var filters = GoldenFilter.all(scheme).stream().filter(GoldenFilter::isHuge).toList();
    assertFalse(filters.isEmpty(), scheme);
    for (var golden : filters) {
      var adopted = AdoptedFilter.of(redis);
      try {
        golden.assertShape(adopted.created(golden.sizing()));
        golden.elements("elements").addTo(adopted.name());
        checkHugeBits(golden, adopted);
        golden.assertAnswers(adopted.name());
        adopted.delete(true);
        assertFalse(adopted.keyExists(), golden::toString);
        bitfield(adopted.key(), "SET", golden.node().get("setBits"), "1");
        adopted.created(found(golden, adopted));
        golden.assertAnswers(adopted.name());
        checkHugeBits(golden, adopted);
        adopted.delete(true);
      } finally {
        redis.run("UNLINK", adopted.key(), adopted.configKey());
      }
    }
  }

  private void checkHugeBits(GoldenFilter golden, AdoptedFilter adopted) {
    var setBits = golden.node().get("setBits");
    var length = redis.run("STRLEN", adopted.key()).toLong();
    assertEquals(golden.number("redisStringLength"), length, golden::toString);
    golden.assertCounts(adopted.describe());
    assertEquals(setBits.size(), bitfield(adopted.key(), "GET", setBits), golden::toString);
  }

  /** Gets or sets many bits at once. Returns how many of them are, or were, 1. */
  private long bitfield(String key, String operation, JsonNode offsets, String... value) {
    var arguments = new ArrayList<Object>(List.of(key));
    for (var offset : offsets) {
      arguments.addAll(List.of(operation, "u1", offset.asLong()));
      arguments.addAll(Arrays.asList(value));
    }
    return redis.run("BITFIELD", arguments.toArray()).stream().mapToLong(bit -> bit.toLong()).sum();
  }

  /**
   * Only Redisson has a config hash. If a filter was not created from n and p, the config has
   * guesses.
   */
  private static void checkConfig(GoldenFilter golden, AdoptedFilter adopted) {
    var config = golden.node().path("configHash");
    assertEquals(config.isObject(), adopted.configExists(), golden::toString);
    if (config.isObject()) {
      var fields = adopted.config();
      for (var field : config.properties()) {
        var name = field.getKey();
        if (golden.node().has("n") || List.of("size", "hashIterations").contains(name)) {
          assertEquals(field.getValue().asText(), fields.get(name), name);
        }
      }
      assertEquals(config.size(), fields.size(), fields::toString);
    }
  }

  /**
   * The parameters to adopt the library's bitmap. For Redisson, the service reads the shape from
   * Redis.
   */
  private Map<String, Object> found(GoldenFilter golden, AdoptedFilter adopted) {
    var config = golden.node().path("configHash");
    for (var field : config.properties()) {
      redis.run("HSET", adopted.configKey(), field.getKey(), field.getValue().asText());
    }
    return config.isObject() ? golden.schemeAndCodec() : golden.shape();
  }
}
