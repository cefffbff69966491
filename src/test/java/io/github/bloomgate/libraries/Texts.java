package io.github.bloomgate.libraries;

import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Random texts. */
final class Texts {

  private static final int[] HIGHEST = {0x7f, 0x7ff, 0xffff, Character.MAX_CODE_POINT};

  private Texts() {}

  /** A text with characters of up to one, two, three or four bytes in UTF-8. */
  static String next(SplittableRandom random) {
    int highest = HIGHEST[random.nextInt(HIGHEST.length)];
    return random
        .ints(random.nextInt(5, 60), 1, highest + 1)
        .filter(c -> c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  static List<String> next(SplittableRandom random, int count) {
    return IntStream.range(0, count).mapToObj(i -> next(random)).toList();
  }
}
