package io.github.bloomgate.support;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.pollinterval.IterativePollInterval;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Lets Awaitility look at once and then ever less often, down to ten times a second, for as long as
 * the slowest machine needs. By itself it waits for 100 ms before it looks for the first time,
 * which thousands of waits add up, and gives up after ten seconds.
 */
public final class EagerWaits implements BeforeAllCallback {

  private static final Duration LONGEST = Duration.ofMillis(100);
  private static final Duration MAX_WAIT = Duration.ofMinutes(5);

  /** The tests of an application have an Awaitility of their own, by the loader of their class. */
  @Override
  public void beforeAll(ExtensionContext context) throws ReflectiveOperationException {
    var loader = context.getRequiredTestClass().getClassLoader();
    Class.forName(EagerWaits.class.getName(), true, loader).getMethod("begin").invoke(null);
  }

  /** Sets it for the Awaitility that this class sees. */
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
