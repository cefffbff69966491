package io.github.bloomgate.support;

/** Answers to a batch of elements. */
public final class Flags {

  private Flags() {}

  /** The number of true flags. */
  public static int count(boolean[] flags) {
    var count = 0;
    for (var flag : flags) {
      count += flag ? 1 : 0;
    }
    return count;
  }
}
