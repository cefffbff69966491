package io.github.bloomgate.lines;

/** How lines arrive. */
public enum Sender {

  /** Without long pauses, so lines are gathered to large batches. */
  SOURCE,

  /** The sender may pause, so lines are returned when no more arrive. */
  CLIENT,

  /** The sender may wait for the results of its lines before it sends more. */
  WAITING_CLIENT
}
