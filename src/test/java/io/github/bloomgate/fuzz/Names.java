package io.github.bloomgate.fuzz;

import java.util.List;
import java.util.stream.IntStream;

/**
 * The names and keys that the requests of one worker use.
 *
 * @param prefix the prefix of all names in this run
 * @param worker the number of the worker, which is in the names that only it uses
 */
record Names(String prefix, int worker) {

  private static final int VICTIMS = 4;
  private static final int SHARED = 3;

  /** A filter for requests that must be refused. */
  String kept(int which) {
    return prefix + worker + "-kept" + which;
  }

  List<String> allKept() {
    return IntStream.range(0, Kept.FILTERS).mapToObj(this::kept).toList();
  }

  /** A filter that any request may change. Other workers use some of them too. */
  String victim(Dice dice) {
    return dice.percent(20)
        ? prefix + "shared" + dice.below(SHARED)
        : prefix + worker + "-victim" + dice.below(VICTIMS);
  }

  /** The key of another library's bitmap. */
  String key(Dice dice) {
    return prefix + worker + "-key" + dice.below(3);
  }

  String set() {
    return prefix + "set";
  }
}
