package io.github.bloomgate.store;

import io.github.bloomgate.model.FilterName;
import io.vertx.redis.client.impl.ZModem;
import java.util.stream.IntStream;

/** Finds filter names in the same cluster slot as a library's key. */
final class SlotNames {

  private static final int LONGEST_NUMBER = 8;

  private SlotNames() {}

  /**
   * The key or its hash tag if that is a valid filter name; otherwise the wanted name with a number
   * appended.
   */
  static String fitting(FilterName wanted, String key) {
    var tag = hashTag(key);
    if (tag.matches(FilterName.PATTERN)) {
      return tag;
    }
    var slot = ZModem.generate(key);
    var length = Math.min(wanted.value().length(), FilterName.MAX_LENGTH - LONGEST_NUMBER);
    var begin = wanted.value().substring(0, length) + "-";
    // On average one of 16,384 fits.
    return IntStream.iterate(1, number -> number + 1)
        .mapToObj(number -> begin + number)
        .filter(name -> ZModem.generate(name) == slot)
        .findFirst()
        .orElseThrow();
  }

  private static String hashTag(String key) {
    var open = key.indexOf('{');
    var close = key.indexOf('}', open + 1);
    return open < 0 || close <= open + 1 ? key : key.substring(open + 1, close);
  }
}
