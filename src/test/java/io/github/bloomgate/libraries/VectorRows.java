package io.github.bloomgate.libraries;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.bloomgate.hash.LibraryVectors;
import io.github.bloomgate.http.Api;
import io.github.bloomgate.support.RawRedis;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.StreamSupport;

/** Single elements and parameters of the golden file of one library, held against the service. */
abstract class VectorRows {

  /** Up to here the bits of single elements are looked up; beyond, each takes long to count. */
  private static final long MOST_BITS_LOCATED = 1L << 26;

  private static final long REDIS_LIMIT = 1L << 32;

  final JsonNode root;
  final String scheme;
  final RawRedis redis;

  VectorRows(LibraryVectors vectors, RawRedis redis) {
    this.root = vectors.root();
    this.scheme = root.get("scheme").asText();
    this.redis = redis;
  }

  /**
   * One element sets and asks for exactly the bits of its row. All rows share one key: they come by
   * rising m, as a bitmap may not be longer than its filter, and each leaves it empty.
   */
  void checkLocations(UnaryOperator<List<JsonNode>> chosen) {
    var rows = rowsByBits(root);
    assertTrue(rows.size() > 100, scheme + " has " + rows.size() + " rows");
    var key = AdoptedFilter.of(redis).key();
    try {
      for (JsonNode row : chosen.apply(rows)) {
        checkLocation(row, AdoptedFilter.of(redis, key));
      }
      assertEquals(0, redis.run("BITCOUNT", key).toLong(), scheme);
    } finally {
      redis.run("DEL", key);
    }
  }

  /** The rows that are looked up, by rising m. */
  static List<JsonNode> rowsByBits(JsonNode root) {
    var rows = new ArrayList<JsonNode>();
    root.get("locations").forEach(rows::add);
    root.path("otherFunnels").forEach(rows::add);
    rows.removeIf(row -> row.get("m").asLong() > MOST_BITS_LOCATED);
    rows.sort(Comparator.comparingLong(row -> row.get("m").asLong()));
    return rows;
  }

  private void checkLocation(JsonNode row, AdoptedFilter adopted) {
    var offsets = Arrays.stream(longs(row.get("offsets"))).distinct().toArray();
    var element = elements(row.path("codec").asText(), List.of(row));
    configure(adopted, row);
    adopted.created(shape(row));
    assertEquals(List.of(true), adopted.add(element), text(row));
    assertEquals(offsets.length, redis.run("BITCOUNT", adopted.key()).toLong(), text(row));
    assertEquals(offsets.length, bitfield(adopted.key(), "GET", offsets), text(row));

    assertEquals(List.of(true), adopted.test(element), text(row));
    // Each of its bits is asked for; a row shows it of one, so all rows together of all places.
    var one = offsets[element.elements().get(0).length() % offsets.length];
    redis.run("SETBIT", adopted.key(), one, "0");
    assertEquals(List.of(false), adopted.test(element), text(row));
    bitfield(adopted.key(), "SET", offsets, "0");
    adopted.delete(false);
    redis.run("DEL", adopted.configKey());
  }

  /**
   * The service computes the same shapes as the library, or refuses unsupported ones. It cannot
   * know which version of the library created a bitmap, so it refuses where that matters.
   */
  void checkParameters(UnaryOperator<List<JsonNode>> chosen) {
    var rows = StreamSupport.stream(root.get("parameters").spliterator(), false).toList();
    for (JsonNode row : chosen.apply(rows)) {
      var parameters = expectations(row);
      if (!isOffered(row)) {
        assertRefused(parameters);
        continue;
      }
      var adopted = AdoptedFilter.of(redis);
      checkShape(row, adopted.created(parameters));
      adopted.delete(true);
    }
  }

  /** Whether the service takes the parameters of a row. */
  static boolean isOffered(JsonNode row) {
    var p = row.get("p").asDouble();
    int k = row.get("k").asInt();
    return p >= 1e-12
        && p < 1
        && row.get("m").asLong() <= REDIS_LIMIT
        && row.path("kBefore33_4").asInt(k) == k;
  }

  /** Parameters the library does not support are refused, and nothing is created. */
  void checkRejectedParameters() {
    for (JsonNode row : root.path("rejectedParameters")) {
      assertRefused(expectations(row));
    }
  }

  /** Redisson has no bitmap without a config. */
  void configure(AdoptedFilter adopted, JsonNode row) {
    if (scheme.equals("redisson")) {
      var m = row.get("m").asText();
      redis.run("HSET", adopted.configKey(), "size", m, "hashIterations", row.get("k").asText());
    }
  }

  /** Asserts that parameters are the client's fault, and that neither filter nor key is made. */
  void assertRefused(Map<String, Object> parameters) {
    var adopted = AdoptedFilter.of(redis);
    var path = Api.FILTERS + adopted.name();
    int status = JsonHttp.send("PUT", path, adopted.onKey(parameters)).status();
    assertTrue(status == 400 || status == 422, scheme + ": " + status + " for " + parameters);
    JsonHttp.call(404, "GET", path, null);
    assertFalse(adopted.keyExists() || adopted.configExists(), scheme + ": " + parameters);
  }

  void checkShape(JsonNode row, JsonNode description) {
    assertEquals(scheme, description.path("hashScheme").asText(), text(row));
    assertEquals(row.get("m").asLong(), description.path("bitSize").asLong(), text(row));
    assertEquals(row.get("k").asInt(), description.path("numHashFunctions").asInt(), text(row));
  }

  Map<String, Object> expectations(JsonNode row) {
    var parameters = scheme(row);
    parameters.put("expectedInsertions", row.get("n").asLong());
    parameters.put("falsePositiveProbability", row.get("p").asDouble());
    return parameters;
  }

  Map<String, Object> shape(JsonNode row) {
    var parameters = scheme(row);
    parameters.put("bitSize", row.get("m").asLong());
    parameters.put("numHashFunctions", row.get("k").asInt());
    return parameters;
  }

  Map<String, Object> scheme(JsonNode row) {
    var parameters = new LinkedHashMap<String, Object>();
    parameters.put("hashScheme", scheme);
    if (row.has("codec")) {
      parameters.put("elementCodec", isKryo(row.get("codec").asText()) ? "kryo5" : "string");
    }
    return parameters;
  }

  /** Bytes in hex, but text where a scheme is defined for text only. */
  Elements elements(String codec, List<JsonNode> rows) {
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

  static boolean isKryo(String codec) {
    return codec.equals("default");
  }

  /** Gets or sets many bits at once; answers how many of them are, or were, 1. */
  long bitfield(String key, String operation, long[] offsets, String... value) {
    var arguments = new ArrayList<Object>(List.of(key));
    for (long offset : offsets) {
      arguments.addAll(List.of(operation, "u1", offset));
      arguments.addAll(Arrays.asList(value));
    }
    return redis.run("BITFIELD", arguments.toArray()).stream().mapToLong(bit -> bit.toLong()).sum();
  }

  static long[] longs(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false).mapToLong(JsonNode::asLong).toArray();
  }

  String text(JsonNode row) {
    var name = row.has("name") ? row.get("name").asText() : row.toString();
    return scheme + ", " + name + ": ";
  }
}
