package io.github.bloomgate.files.portable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.HexFormat;

/** The filters that RedisBloom itself made, of its golden file, and their headers. */
final class RedisBloomVectors {

  private RedisBloomVectors() {}

  static byte[] header(String name) throws IOException {
    return HexFormat.of().parseHex(filter(name).get("headerHex").asText());
  }

  static JsonNode filter(String name) throws IOException {
    for (var filter : vectors()) {
      if (filter.get("name").asText().equals(name)) {
        return filter;
      }
    }
    throw new IllegalArgumentException(name);
  }

  static JsonNode vectors() throws IOException {
    try (var json =
        RedisBloomVectors.class.getResourceAsStream("/hash/libraries/redisbloom.json")) {
      return new ObjectMapper().readTree(json).get("endToEnd");
    }
  }
}
