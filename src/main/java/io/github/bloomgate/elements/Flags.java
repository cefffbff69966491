package io.github.bloomgate.elements;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * One yes or no for each element of a request, in order.
 *
 * @param trueCount the number of true flags
 * @param replicas the number of replicas that confirmed the changes, if requested
 * @param age the age of the answers of a test, if it may have one
 */
public record Flags(boolean[] flags, int trueCount, OptionalInt replicas, Optional<Duration> age) {

  public static Flags of(boolean[] flags) {
    return of(flags, OptionalInt.empty());
  }

  public static Flags of(boolean[] flags, OptionalInt replicas) {
    var count = 0;
    for (var flag : flags) {
      if (flag) {
        count++;
      }
    }
    return new Flags(flags, count, replicas, Optional.empty());
  }

  /** The same answers of a test with an age. */
  Flags withAge(Duration some) {
    return new Flags(flags, trueCount, replicas, Optional.of(some));
  }
}
