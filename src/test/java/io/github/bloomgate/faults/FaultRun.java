package io.github.bloomgate.faults;

import java.time.Duration;

/** Shared by the tests of faults. */
final class FaultRun {

  /** Longer than anything takes on a machine that stalls now and then. */
  static final Duration MAX_WAIT = Duration.ofMinutes(5);

  private FaultRun() {}
}
