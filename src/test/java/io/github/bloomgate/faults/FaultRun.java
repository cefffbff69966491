package io.github.bloomgate.faults;

import io.github.bloomgate.support.TestExtent;
import java.time.Duration;

/** How thorough the tests are, see {@link TestExtent}. */
final class FaultRun {

  /** Longer than anything takes on a machine that stalls now and then. */
  static final Duration PATIENCE = Duration.ofMinutes(5);

  private FaultRun() {}

  /** A number of rounds. */
  static int rounds(int inShort, int inFull) {
    return TestExtent.isFull() ? inFull : inShort;
  }
}
