package io.github.bloomgate.service;

/**
 * One yes or no for each element of a request, in order.
 *
 * @param flags the answers
 * @param trueCount how many of them are true
 */
public record Answers(boolean[] flags, int trueCount) {

  static Answers of(boolean[] flags) {
    var count = 0;
    for (var flag : flags) {
      if (flag) {
        count++;
      }
    }
    return new Answers(flags, count);
  }
}
