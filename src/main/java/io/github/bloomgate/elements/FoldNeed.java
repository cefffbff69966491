package io.github.bloomgate.elements;

import java.time.Duration;

/** Whether and when the journal of a held segment must be folded. */
final class FoldNeed {

  /** The pause after a failed fold, unless the journal is full. */
  private static final long PAUSE = Duration.ofSeconds(1).toNanos();

  private boolean isUrgent;
  private RuntimeException failure;
  private long sinceNanos = System.nanoTime();
  private long notBeforeNanos = sinceNanos;

  /** Records that the journal takes no more blocks, so that requests wait for a fold. */
  void require() {
    isUrgent = true;
  }

  boolean isUrgent() {
    return isUrgent;
  }

  /** Whether no fold has just failed, or it is urgent. */
  boolean isPossible() {
    return isUrgent || System.nanoTime() - notBeforeNanos >= 0;
  }

  /** Since when the journal has lacked a fold or another attempt. */
  long sinceNanos() {
    return sinceNanos;
  }

  /** Records that there was nothing to fold at this time. */
  void nothingYet(long nanos) {
    sinceNanos = nanos;
  }

  void done() {
    isUrgent = false;
    failure = null;
    sinceNanos = System.nanoTime();
  }

  /** Records a failure, which the next requests with a full journal get. */
  void fail(RuntimeException some) {
    failure = isUrgent ? some : null;
    sinceNanos = System.nanoTime();
    notBeforeNanos = sinceNanos + PAUSE;
  }

  /** Returns and clears the reason why the journal is still full, or null. */
  RuntimeException takeFailure() {
    var some = failure;
    failure = null;
    isUrgent = isUrgent && some == null;
    return some;
  }
}
