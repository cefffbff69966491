package io.github.bloomgate.store;

import io.github.bloomgate.model.FilterName;
import io.vertx.redis.client.impl.ZModem;
import java.util.stream.IntStream;

/** Names of filters whose keys are in the slot of a library's key, where Redis is a cluster. */
final class SlotNames {

  private static final int LONGEST_NUMBER = 8;

  private SlotNames() {}

  /**
   * The key's own name or hash tag if that may be the name of a filter, else the wanted name with a
   * number behind it.
   */
  static String fitting(FilterName wanted, String key) {
    var tag = hashTag(key);
    if (tag.matches(FilterName.PATTERN)) {
      return tag;
    }
    var slot = ZModem.generate(key);
    var length = Math.min(wanted.value().length(), FilterName.MAX_LENGTH - LONGEST_NUMBER);
    var begin = wanted.value().substring(0, length) + "-";
    // One of 16,384 fits.
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
