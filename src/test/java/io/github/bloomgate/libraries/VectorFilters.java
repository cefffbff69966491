package io.github.bloomgate.libraries;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.bloomgate.hash.LibraryVectors;
import io.github.bloomgate.http.Api;
import io.github.bloomgate.support.PlainHttp;
import io.github.bloomgate.support.RawRedis;
import io.restassured.RestAssured;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;

/**
 * Compares the service with the golden file of a library: its responses over HTTP, and the bytes in
 * Redis. Each check creates its own filters and keys, and deletes them.
 */
final class VectorFilters {

  /** More than enough for a filter that is not shared to get a copy. */
  private static final int OFTEN = 30;

  private final JsonNode root;
  private final String scheme;
  private final RawRedis redis;

  VectorFilters(LibraryVectors vectors, RawRedis redis) {
    this.root = vectors.root();
    this.scheme = root.get("scheme").asText();
    this.redis = redis;
  }

  /** The service refuses parameters that the library does not support, and creates nothing. */
  private void checkRejectedParameters() {
    for (JsonNode row : root.path("rejectedParameters")) {
      assertRefused(expectations(row));
    }
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

  private void checkShape(JsonNode row, JsonNode description) {
    assertEquals(scheme, description.path("hashScheme").asText(), text(row));
    assertEquals(row.get("m").asLong(), description.path("bitSize").asLong(), text(row));
    assertEquals(row.get("k").asInt(), description.path("numHashFunctions").asInt(), text(row));
  }

  private Map<String, Object> expectations(JsonNode row) {
    var parameters = scheme(row);
    parameters.put("expectedInsertions", row.get("n").asLong());
    parameters.put("falsePositiveProbability", row.get("p").asDouble());
    return parameters;
  }

  private Map<String, Object> shape(JsonNode row) {
    var parameters = scheme(row);
    parameters.put("bitSize", row.get("m").asLong());
    parameters.put("numHashFunctions", row.get("k").asInt());
    return parameters;
  }

  private Map<String, Object> scheme(JsonNode row) {
    var parameters = new LinkedHashMap<String, Object>();
    parameters.put("hashScheme", scheme);
    if (row.has("codec")) {
      parameters.put("elementCodec", isKryo(row.get("codec").asText()) ? "kryo5" : "string");
    }
    return parameters;
  }

  /** Elements in hex, or as text if the scheme only supports text. */
  private Elements elements(String codec, List<JsonNode> rows) {
    var elements =
        Elements.ofBytes(
            rows.stream()
                .map(row -> row.get(row.has("inputHex") ? "inputHex" : "elementHex").asText())
                .map(HexFormat.of()::parseHex)
                .toList());
    return scheme.equals("scrapy-redis-bloomfilter") || isKryo(codec)
        ? elements.asTexts()
        : elements;
  }

  private static boolean isKryo(String codec) {
    return codec.equals("default");
  }

  /** Gets or sets many bits at once. Returns how many of them are, or were, 1. */
  private long bitfield(String key, String operation, long[] offsets, String... value) {
    var arguments = new ArrayList<Object>(List.of(key));
    for (long offset : offsets) {
      arguments.addAll(List.of(operation, "u1", offset));
      arguments.addAll(Arrays.asList(value));
    }
    return redis.run("BITFIELD", arguments.toArray()).stream().mapToLong(bit -> bit.toLong()).sum();
  }

  private static long[] longs(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false).mapToLong(JsonNode::asLong).toArray();
  }

  private String text(JsonNode row) {
    var name = row.has("name") ? row.get("name").asText() : row.toString();
    return scheme + ", " + name + ": ";
  }

  void checkAll() {
    checkFilled();
    checkAdopted();
    checkSeenAtOnce();
    checkOwn();
    checkRejectedParameters();
  }

  /** Elements added over HTTP set exactly the bits that the library set. */
  private void checkFilled() {
    for (JsonNode filter : filters(false)) {
      var adopted = AdoptedFilter.of(redis);
      var row = text(filter);
      checkShape(filter, adopted.created(sizing(filter)));
      var added = adopted.add(elements(filter, "elements"));
      if (filter.has("addReturned")) {
        assertEquals(booleans(filter.get("addReturned")), added, row);
      }
      var bits = adopted.bits();
      assertEquals(filter.get("redisStringLength").asInt(), bits.length, row);
      assertEquals(filter.get("bitmapHex").asText(), HexFormat.of().formatHex(bits), row);
      assertEquals(filter.get("bitmapSha256").asText(), GoldenFilter.sha256(bits), row);
      var padded = Arrays.copyOf(bits, filter.get("paddedLength").asInt());
      assertEquals(filter.get("paddedSha256").asText(), GoldenFilter.sha256(padded), row);
      checkCounts(filter, adopted);
      checkConfig(filter, adopted);
      checkAnswers(filter, adopted);
      adopted.delete(true);
      assertFalse(adopted.keyExists() || adopted.configExists(), row);
    }
  }

  /** The service gives the same answers for the library's bitmap as the library. */
  private void checkAdopted() {
    for (JsonNode filter : filters(false)) {
      var adopted = AdoptedFilter.of(redis);
      var bits = HexFormat.of().parseHex(filter.get("bitmapHex").asText());
      adopted.setBits(bits);
      checkShape(filter, adopted.created(found(filter, adopted)));
      checkCounts(filter, adopted);
      checkAnswers(filter, adopted);
      assertEquals(Arrays.toString(bits), Arrays.toString(adopted.bits()), text(filter));
      adopted.delete(false);
      assertEquals(Arrays.toString(bits), Arrays.toString(adopted.bits()), text(filter));
      redis.run("DEL", adopted.key(), adopted.configKey());
    }
  }

  /**
   * Changes that the library makes to its bits are visible at once, however often they were tested.
   */
  private void checkSeenAtOnce() {
    var filter = filters(false).get(0);
    var elements = elements(filter, "present");
    var adopted = AdoptedFilter.of(redis);
    adopted.created(shape(filter));
    for (int i = 0; i < OFTEN; i++) {
      assertFalse(adopted.test(elements).contains(true), text(filter));
    }
    adopted.setBits(HexFormat.of().parseHex(filter.get("bitmapHex").asText()));
    checkAnswers(filter, adopted);
    adopted.setBits(new byte[1]);
    assertFalse(adopted.test(elements).contains(true), text(filter));
    adopted.delete(true);
  }

  /** A filter with the service's own keys has the same bits, and zeros up to its end. */
  private void checkOwn() {
    for (JsonNode filter : filters(false)) {
      var name = Api.newName();
      var path = Api.FILTERS + name;
      PlainHttp.call(201, "PUT", path, sizing(filter));
      PlainHttp.call(200, "POST", path + "/add", elements(filter, "elements"));
      var description = PlainHttp.call(200, "GET", path, null).json();
      var bits = RestAssured.get(path + "/export?format=redis-bitmap").asByteArray();
      assertEquals(filter.get("paddedLength").asInt(), bits.length, text(filter));
      assertEquals(filter.get("paddedSha256").asText(), GoldenFilter.sha256(bits), text(filter));
      assertEquals(
          filter.get("bitCount").asLong(), description.path("bitsSet").asLong(), text(filter));
      PlainHttp.call(204, "DELETE", path, null);
    }
  }

  /** Filters of up to 512 MiB, described by their set bits. */
  void checkHuge() {
    for (JsonNode filter : filters(true)) {
      var adopted = AdoptedFilter.of(redis);
      try {
        checkShape(filter, adopted.created(sizing(filter)));
        adopted.add(elements(filter, "elements"));
        checkHugeBits(filter, adopted);
        checkAnswers(filter, adopted);
        adopted.delete(true);
        assertFalse(adopted.keyExists(), text(filter));

        bitfield(adopted.key(), "SET", longs(filter.get("setBits")), "1");
        adopted.created(found(filter, adopted));
        checkAnswers(filter, adopted);
        checkHugeBits(filter, adopted);
        adopted.delete(true);
      } finally {
        redis.run("UNLINK", adopted.key(), adopted.configKey());
      }
    }
  }

  private void checkHugeBits(JsonNode filter, AdoptedFilter adopted) {
    var setBits = longs(filter.get("setBits"));
    assertEquals(
        filter.get("redisStringLength").asLong(),
        redis.run("STRLEN", adopted.key()).toLong(),
        text(filter));
    checkCounts(filter, adopted);
    assertEquals(setBits.length, bitfield(adopted.key(), "GET", setBits), text(filter));
  }

  private List<JsonNode> filters(boolean huge) {
    var filters =
        StreamSupport.stream(root.get("endToEnd").spliterator(), false)
            .filter(filter -> filter.has("bitmapHex") != huge)
            .toList();
    assertTrue(filters.size() >= (huge ? 1 : 3), scheme + " has " + filters.size());
    return filters;
  }

  private void checkCounts(JsonNode filter, AdoptedFilter adopted) {
    var description = adopted.describe();
    assertEquals(
        filter.get("bitCount").asLong(), description.path("bitsSet").asLong(), text(filter));
    if (filter.has("count")) {
      assertEquals(
          filter.get("count").asLong(),
          description.path("approximateElementCount").asLong(),
          text(filter));
    }
  }

  /**
   * Only Redisson has a config hash. If a filter was not created from n and p, the config has
   * guesses.
   */
  private static void checkConfig(JsonNode filter, AdoptedFilter adopted) {
    if (!filter.has("configHash")) {
      assertFalse(adopted.configExists());
      return;
    }
    var fields = adopted.config();
    filter
        .get("configHash")
        .properties()
        .forEach(
            field -> {
              if (filter.has("n")
                  || field.getKey().equals("size")
                  || field.getKey().equals("hashIterations")) {
                assertEquals(field.getValue().asText(), fields.get(field.getKey()), field.getKey());
              }
            });
    assertEquals(filter.get("configHash").size(), fields.size(), fields::toString);
  }

  private void checkAnswers(JsonNode filter, AdoptedFilter adopted) {
    for (String section : List.of("present", "absent")) {
      var expected = new ArrayList<Boolean>();
      filter.get(section).forEach(row -> expected.add(row.get("contains").asBoolean()));
      assertEquals(expected, adopted.test(elements(filter, section)), text(filter) + section);
    }
  }

  /** The parameters to create the filter as the library would. */
  private Map<String, Object> sizing(JsonNode filter) {
    return filter.has("n") ? expectations(filter) : shape(filter);
  }

  /**
   * The parameters to adopt the library's bitmap. For Redisson, the service reads the shape from
   * Redis.
   */
  private Map<String, Object> found(JsonNode filter, AdoptedFilter adopted) {
    if (!filter.has("configHash")) {
      return shape(filter);
    }
    filter
        .get("configHash")
        .properties()
        .forEach(
            field ->
                redis.run("HSET", adopted.configKey(), field.getKey(), field.getValue().asText()));
    return scheme(filter);
  }

  private Elements elements(JsonNode filter, String section) {
    var rows = StreamSupport.stream(filter.get(section).spliterator(), false).toList();
    return elements(filter.path("codec").asText(), rows);
  }

  static List<Boolean> booleans(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false).map(JsonNode::asBoolean).toList();
  }
}
