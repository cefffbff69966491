package io.github.bloomgate.support;

/**
 * How much the tests do that can be made longer: little with every build, all that is worth waiting
 * for with {@code -Dtest.faults=full}.
 */
public final class TestExtent {

  private TestExtent() {}

  /** Whether there is time for everything. */
  public static boolean isFull() {
    return System.getProperty("test.faults", "short").equals("full");
  }

  /** A number that a property of its own sets, or else the extent. */
  public static long of(String property, long inShort, long inFull) {
    return Long.getLong(property, isFull() ? inFull : inShort);
  }

  /** As {@link #of(String, long, long)}, of what is counted in an int. */
  public static int of(String property, int inShort, int inFull) {
    return Integer.getInteger(property, isFull() ? inFull : inShort);
  }
}
