package io.github.bloomgate.support;

import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.Window;

/** Window filters, and a clock for them. */
public final class TestWindows {

  /** Has slices of a second, so that some begin during a test but none expires. */
  public static final Window MINUTE = Window.ofSeconds(64, 64, true);

  /** So low that any wrong answer is a bug. */
  private static final double NEVER = 1e-10;

  private TestWindows() {}

  /** A window so long that no slice begins during a test. */
  public static Window years(int slices, boolean refresh) {
    return Window.ofSeconds(Window.MAX_SECONDS, slices, refresh);
  }

  public static FilterParameters sized(long n, Window window) {
    return window.parameters(HashSchemes.nativeScheme(), n, NEVER);
  }

  /** The current second of Redis's clock, in which a slice of {@link #MINUTE} begins. */
  public static long now(TestInstance service) {
    return service.redis("TIME").get(0).toLong();
  }
}
