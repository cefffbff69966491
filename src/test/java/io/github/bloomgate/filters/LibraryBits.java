package io.github.bloomgate.filters;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.hash.HashScheme;
import io.github.bloomgate.redis.TestRedis;
import java.util.ArrayList;
import java.util.List;

/** Sets and reads the bits of a filter as its library does. */
record LibraryBits(TestRedis redis, HashScheme scheme, FilterShape shape) {

  void add(String key, List<byte[]> elements) {
    elements.forEach(element -> positions(element, bit -> bit("SETBIT", key, bit, "1")));
  }

  void assertFinds(String key, List<byte[]> elements) {
    for (var element : elements) {
      positions(element, bit -> assertEquals(1, bit("GETBIT", key, bit)));
    }
  }

  private interface OnBit {
    void at(long bit);
  }

  private void positions(byte[] element, OnBit action) {
    var positions = new long[Math.max(2, shape.numHashFunctions())];
    scheme.locate(element, shape, positions);
    for (var i = 0; i < shape.numHashFunctions(); i++) {
      action.at(positions[i]);
    }
  }

  private int bit(String command, String key, long bit, String... value) {
    var arguments = new ArrayList<>(List.of(key, Long.toString(bit)));
    arguments.addAll(List.of(value));
    return redis.command(command, arguments.toArray(String[]::new)).toInteger();
  }
}
