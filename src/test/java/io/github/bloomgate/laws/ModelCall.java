package io.github.bloomgate.laws;

import java.util.List;

/**
 * One call of a sequence.
 *
 * @param name index of the filter it is made for
 * @param other index of a second filter, where there is one
 * @param shape index of the parameters, where there are any
 * @param elements of adds, tests, removals, counts, loads and replacements
 * @param flag whether to replace, to allow nothing, or to set and not to remove
 * @param instance which instance is asked
 */
record ModelCall(
    Kind kind, int name, int other, int shape, List<Integer> elements, boolean flag, int instance) {

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
    DELETE(2);

    /** How often it comes. */
    final int weight;

    Kind(int weight) {
      this.weight = weight;
    }
  }
}
