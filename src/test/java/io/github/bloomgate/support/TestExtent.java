package io.github.bloomgate.support;

/**
 * How much the tests do that can be made longer: little with every build, all that is worth waiting
 * for with {@code -Dtest.extent=long}, which {@code -Plong} sets.
 */
public final class TestExtent {

  private TestExtent() {}

  /** Whether there is time for everything. */
  public static boolean isLong() {
    return System.getProperty("test.extent", "short").equals("long");
  }

  /** A number that a property of its own sets, or else the extent. */
  public static long of(String property, long inShort, long inLong) {
    return Long.getLong(property, isLong() ? inLong : inShort);
  }

  /** As {@link #of(String, long, long)}, of what is counted in an int. */
  public static int of(String property, int inShort, int inLong) {
    return Integer.getInteger(property, isLong() ? inLong : inShort);
  }
}
