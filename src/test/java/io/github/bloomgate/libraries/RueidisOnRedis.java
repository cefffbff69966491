package io.github.bloomgate.libraries;

import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.support.RawRedis;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The commands that rueidisprob sends, on a bitmap and its counter. */
final class RueidisOnRedis {

  private final RawRedis redis;
  private final String key;
  private final FilterShape shape;

  RueidisOnRedis(RawRedis redis, String key, long m, int k) {
    this.redis = redis;
    this.key = key;
    this.shape = new FilterShape(1, m, k);
  }

  String counterKey() {
    return key + ":c";
  }

  boolean add(String element) {
    return add(element.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Sets the bits of an element, and counts it if one was not set. Returns whether it was counted.
   */
  boolean add(byte[] element) {
    var ones = bitfield("SET", element, List.of("1"));
    var isNew = ones < shape.numHashFunctions();
    redis.run("INCRBY", counterKey(), isNew ? 1 : 0);
    return isNew;
  }

  boolean exists(String element) {
    var ones = bitfield("GET", element.getBytes(StandardCharsets.UTF_8), List.of());
    return ones == shape.numHashFunctions();
  }

  /** The value of the counter; 0 without one. */
  long count() {
    var counted = redis.run("GET", counterKey());
    return counted == null ? 0 : counted.toLong();
  }

  void reset() {
    redis.run("SET", key, "");
    redis.run("SET", counterKey(), "0");
  }

  void delete() {
    redis.run("DEL", key);
    redis.run("DEL", counterKey());
  }

  byte[] bits() {
    return redis.run("GET", key).toBytes();
  }

  private long bitfield(String operation, byte[] element, List<String> value) {
    var positions = new long[Math.max(2, shape.numHashFunctions())];
    HashSchemes.named("rueidisprob").orElseThrow().locate(element, shape, positions);
    var arguments = new ArrayList<Object>(List.of(key));
    for (var i = 0; i < shape.numHashFunctions(); i++) {
      arguments.addAll(List.of(operation, "u1", positions[i]));
      arguments.addAll(value);
    }
    return redis.run("BITFIELD", arguments.toArray()).stream().mapToLong(bit -> bit.toLong()).sum();
  }
}
