package io.github.bloomgate.support;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * How long tests with a long form run. They are short by default, and long with {@code
 * -Dtest.extent=long}, which {@code -Plong} sets.
 */
public final class TestExtent {

  private static final int THIRD = Integer.getInteger("test.third", new Random().nextInt(3));

  static {
    System.out.println("Long lists: every third item from index " + THIRD);
  }

  private TestExtent() {}

  public static boolean isLong() {
    return System.getProperty("test.extent", "short").equals("long");
  }

  /** The number from a property of its own, or else from the extent. */
  public static long of(String property, long inShort, long inLong) {
    return Long.getLong(property, isLong() ? inLong : inShort);
  }

  /**
   * All items in the long form, otherwise every third. {@code -Dtest.third} sets the first one,
   * from 0 to 2.
   */
  public static <T> List<T> some(List<T> all) {
    var step = isLong() ? 1 : 3;
    var first = isLong() ? 0 : THIRD;
    return IntStream.range(0, all.size())
        .filter(i -> i % step == first)
        .mapToObj(all::get)
        .toList();
  }

  public static int of(String property, int inShort, int inLong) {
    return Integer.getInteger(property, isLong() ? inLong : inShort);
  }
}
