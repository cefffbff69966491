package io.github.bloomgate.support;

import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.Window;

/** Filters with windows, and a clock for them. */
public final class TestWindows {

  /** With slices of a second, so that some begin during a test but none expires. */
  public static final Window MINUTE = Window.ofSeconds(64, 64, true);

  /** So low that a wrong answer is a mistake. */
  private static final double NEVER = 1e-10;

  private TestWindows() {}

  /** A window so long that the clock of Redis begins no slice of it during a test. */
  public static Window years(int slices, boolean refresh) {
    return Window.ofSeconds(Window.MAX_SECONDS, slices, refresh);
  }

  public static FilterParameters sized(long n, Window window) {
    return window.parameters(HashSchemes.nativeScheme(), n, NEVER);
  }

  /** The second that it is by the clock of Redis, with which a slice of {@link #MINUTE} begins. */
  public static long now(TestInstance service) {
    return service.redis("TIME").get(0).toLong();
  }
}
