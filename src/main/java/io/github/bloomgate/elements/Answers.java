package io.github.bloomgate.elements;

import java.util.OptionalInt;

/**
 * One yes or no for each element of a request, in order.
 *
 * @param trueCount the number of true flags
 * @param replicas the number of replicas that confirmed the changes, if requested
 */
public record Answers(boolean[] flags, int trueCount, OptionalInt replicas) {

  public static Answers of(boolean[] flags) {
    return of(flags, OptionalInt.empty());
  }

  public static Answers of(boolean[] flags, OptionalInt replicas) {
    var count = 0;
    for (var flag : flags) {
      if (flag) {
        count++;
      }
    }
    return new Answers(flags, count, replicas);
  }
}
