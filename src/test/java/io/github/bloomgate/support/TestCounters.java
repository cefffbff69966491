package io.github.bloomgate.support;

import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.model.Counters;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.WhenFull;

/** Filters that count. */
public final class TestCounters {

  /** So low that a wrong answer is a mistake. */
  private static final double NEVER = 1e-10;

  private TestCounters() {}

  public static FilterParameters counting(long n) {
    return counting(n, NEVER, WhenFull.ACCEPT);
  }

  public static FilterParameters counting(long n, double p, WhenFull whenFull) {
    return Counters.parameters(HashSchemes.nativeScheme(), n, p, whenFull);
  }
}
