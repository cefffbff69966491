package io.github.bloomgate.support;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.pollinterval.IterativePollInterval;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Configures Awaitility to check at once, then less and less often, down to ten times a second, and
 * to wait as long as the slowest machine needs. By default, it first checks after 100 ms, which
 * adds up over thousands of waits, and gives up after ten seconds.
 */
public final class EagerWaits implements BeforeAllCallback {

  private static final Duration LONGEST = Duration.ofMillis(100);
  private static final Duration MAX_WAIT = Duration.ofMinutes(5);

  /** Tests of the application have their own Awaitility, from the class loader of their class. */
  @Override
  public void beforeAll(ExtensionContext context) throws ReflectiveOperationException {
    var loader = context.getRequiredTestClass().getClassLoader();
    Class.forName(EagerWaits.class.getName(), true, loader).getMethod("begin").invoke(null);
  }

  /** Configures the Awaitility that this class uses. */
  public static void begin() {
    Awaitility.setDefaultTimeout(MAX_WAIT);
    Awaitility.setDefaultPollDelay(Duration.ZERO);
    Awaitility.setDefaultPollInterval(
        IterativePollInterval.iterative(EagerWaits::longer, Duration.ofMillis(1)));
  }

  private static Duration longer(Duration before) {
    var longer = before.multipliedBy(2);
    return longer.compareTo(LONGEST) < 0 ? longer : LONGEST;
  }
}
