package io.github.bloomgate.faults;

import io.github.bloomgate.support.TestExtent;
import java.time.Duration;

/** How thorough the tests are, see {@link TestExtent}. */
final class FaultRun {

  static final Duration PATIENCE = Duration.ofSeconds(90);

  private FaultRun() {}

  /** A number of rounds. */
  static int rounds(int inShort, int inFull) {
    return TestExtent.isFull() ? inFull : inShort;
  }
}
