package io.github.bloomgate.libraries;

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
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;

/** Compares the service with single elements and parameters of a library's golden file. */
abstract class VectorRows {

  final JsonNode root;
  final String scheme;
  final RawRedis redis;

  VectorRows(LibraryVectors vectors, RawRedis redis) {
    this.root = vectors.root();
    this.scheme = root.get("scheme").asText();
    this.redis = redis;
  }

  /** The service refuses parameters that the library does not support, and creates nothing. */
  final void checkRejectedParameters() {
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

  /** Elements in hex, or as text if the scheme only supports text. */
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

  /** Gets or sets many bits at once. Returns how many of them are, or were, 1. */
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
