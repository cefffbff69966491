package io.github.bloomgate.fuzz;

import java.util.List;
import java.util.stream.IntStream;

/**
 * The names and keys that the requests of one worker use.
 *
 * @param prefix what all of them begin with, in this run
 * @param worker its number; what is not shared is named after it
 */
record Names(String prefix, int worker) {

  private static final int VICTIMS = 4;
  private static final int SHARED = 3;

  /** A filter that requests which must be refused are aimed at. */
  String kept(int which) {
    return prefix + worker + "-kept" + which;
  }

  List<String> allKept() {
    return IntStream.range(0, Kept.FILTERS).mapToObj(this::kept).toList();
  }

  /** A filter that anything may happen to; some of them at the hands of other workers too. */
  String victim(Dice dice) {
    return dice.percent(20)
        ? prefix + "shared" + dice.below(SHARED)
        : prefix + worker + "-victim" + dice.below(VICTIMS);
  }

  /** The key of another library's bitmap. */
  String key(Dice dice) {
    return prefix + worker + "-key" + dice.below(3);
  }

  /** A Redis set. */
  String set() {
    return prefix + "set";
  }
}
