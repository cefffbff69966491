package io.github.bloomgate.promises;

import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * One call of a sequence.
 *
 * @param name index of its filter
 * @param other index of a second filter, if any
 * @param shape index of the parameters, if any
 * @param elements elements of adds, tests, removals, counts, loads and replacements
 * @param flag whether to replace, to allow an empty commit, or to set instead of remove
 * @param instance index of the instance
 */
record ModelCall(
    Kind kind, int name, int other, int shape, List<Integer> elements, boolean flag, int instance) {

  /** The same call of another kind with other elements. */
  ModelCall with(Kind kindOfCall, List<Integer> some) {
    return new ModelCall(kindOfCall, name, other, shape, some, flag, instance);
  }

  enum Kind {
    CREATE(4),
    ADD(8),
    TEST(6),
    REMOVE(5),
    COUNT(3),
    DESCRIBE(2),
    LIST(1),
    EXPIRE(1),
    CLEAR(1),
    RENAME(2),
    COPY(2),
    MERGE(2),
    OPEN(3),
    LOAD(4),
    COMMIT(2),
    ABORT(1),
    REPLACE(1),
    EXCHANGE(1),
    DELETE(2),

    /** An add that waits for replicas. Only for interleavings, because no replica confirms it. */
    REPLICATED_ADD(4),

    /** A batch of a stream of adds; {@link #END} ends the stream. Only for interleavings. */
    LINES(6),

    /** The acknowledgement of a stream, with all its elements. */
    END(0);

    /** The calls that can be made one by one. */
    static final Set<Kind> SINGLE = EnumSet.complementOf(EnumSet.of(REPLICATED_ADD, LINES, END));

    /** How often it occurs. */
    private final int weight;

    Kind(int weight) {
      this.weight = weight;
    }

    boolean adds() {
      return this == ADD || this == REPLICATED_ADD || this == LINES;
    }

    /** Some kinds, each as often as its weight. */
    static List<Kind> weighted(Set<Kind> kinds) {
      return kinds.stream()
          .flatMap(kind -> Collections.nCopies(kind.weight, kind).stream())
          .toList();
    }
  }
}
