package io.github.bloomgate.support;

import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.model.Counters;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.WhenFull;

/** Counting filters. */
public final class TestCounters {

  /** So low that any wrong answer is a bug. */
  private static final double NEVER = 1e-10;

  private TestCounters() {}

  public static FilterParameters counting(long n) {
    return counting(n, NEVER, WhenFull.ACCEPT);
  }

  public static FilterParameters counting(long n, double p, WhenFull whenFull) {
    return Counters.parameters(HashSchemes.nativeScheme(), n, p, whenFull);
  }
}
