package io.github.bloomgate.rebuild;

import java.util.function.BooleanSupplier;

/** A client that stays connected, and runs something at the n-th check of its connection. */
final class Disturbance implements BooleanSupplier {

  private final int moment;
  private final Runnable what;
  private int looks;

  /**
   * @param moment 0 runs it when the rebuild has just been opened, larger numbers before each
   *     further segment, and the last one after all are joined
   */
  Disturbance(int moment, Runnable what) {
    this.moment = moment;
    this.what = what;
  }

  @Override
  public boolean getAsBoolean() {
    if (looks++ == moment) {
      what.run();
    }
    return false;
  }

  /** Whether that moment occurred. */
  boolean hasBeen() {
    return looks > moment;
  }
}
