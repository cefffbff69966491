package io.github.bloomgate.api;

/** Answers of one bit per element. */
final class Flags {

  private Flags() {}

  static int countTrue(boolean[] flags) {
    var count = 0;
    for (var flag : flags) {
      if (flag) {
        count++;
      }
    }
    return count;
  }
}
