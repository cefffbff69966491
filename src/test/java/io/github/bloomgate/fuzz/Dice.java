package io.github.bloomgate.fuzz;

import java.util.List;
import java.util.SplittableRandom;

/** Random choices, which the same seed and number repeat. */
final class Dice {

  private final SplittableRandom random;

  Dice(long seed, long number) {
    random = new SplittableRandom(seed * 0x9E3779B97F4A7C15L ^ number * 0xC2B2AE3D27D4EB4FL);
    // The first numbers of neighbouring seeds resemble each other.
    random.nextLong();
  }

  int below(int bound) {
    return random.nextInt(bound);
  }

  boolean percent(int chance) {
    return random.nextInt(100) < chance;
  }

  long any() {
    return random.nextLong();
  }

  double share() {
    return random.nextDouble();
  }

  byte[] bytes(int length) {
    var bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  /** A length up to the bound, and usually short. */
  int length(int bound) {
    return below(1 + below(1 + below(bound)));
  }

  @SafeVarargs
  final <T> T of(T... choices) {
    return choices[random.nextInt(choices.length)];
  }

  <T> T of(List<T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }
}
