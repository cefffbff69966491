package io.github.bloomgate.rebuild;

/** A client that waits for the end, and does something when it is looked for some time. */
final class Disturbance implements Client {

  private final int moment;
  private final Runnable what;
  private int looks;

  /**
   * A disturbance at a moment.
   *
   * @param moment 0 when the rebuild was just opened, then before each further segment, and at last
   *     when all are joined
   */
  Disturbance(int moment, Runnable what) {
    this.moment = moment;
    this.what = what;
  }

  @Override
  public boolean isGone() {
    if (looks++ == moment) {
      what.run();
    }
    return false;
  }

  /** Whether there was such a moment. */
  boolean hasBeen() {
    return looks > moment;
  }
}
