package io.github.bloomgate.support;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * How much the tests do that can be made longer: little with every build, all that is worth waiting
 * for with {@code -Dtest.extent=long}, which {@code -Plong} sets.
 */
public final class TestExtent {

  private static final int THIRD = Integer.getInteger("test.third", new Random().nextInt(3));

  static {
    System.out.println("Of long lists, every third from " + THIRD + " on");
  }

  private TestExtent() {}

  /** Whether there is time for everything. */
  public static boolean isLong() {
    return System.getProperty("test.extent", "short").equals("long");
  }

  /** A number that a property of its own sets, or else the extent. */
  public static long of(String property, long inShort, long inLong) {
    return Long.getLong(property, isLong() ? inLong : inShort);
  }

  /**
   * All of something in the long form, else every third; {@code -Dtest.third} says from which of
   * the first three on.
   */
  public static <T> List<T> some(List<T> all) {
    var step = isLong() ? 1 : 3;
    var first = isLong() ? 0 : THIRD;
    return IntStream.range(0, all.size())
        .filter(i -> i % step == first)
        .mapToObj(all::get)
        .toList();
  }

  /** As {@link #of(String, long, long)}, for an int. */
  public static int of(String property, int inShort, int inLong) {
    return Integer.getInteger(property, isLong() ? inLong : inShort);
  }
}
