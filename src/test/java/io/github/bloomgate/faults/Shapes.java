package io.github.bloomgate.faults;

import java.util.List;

/** Bodies that create filters. */
final class Shapes {

  /** One segment of 8 KiB. */
  static final String ONE = "{\"bitSize\": 65536, \"numHashFunctions\": 7}";

  /** One segment with room for many elements. */
  static final String ONE_LARGE = "{\"bitSize\": 16777216, \"numHashFunctions\": 7}";

  /** Two segments of 1 MiB. */
  static final String SEVERAL = "{\"bitSize\": 16777280, \"numHashFunctions\": 3}";

  private static final String ONE_COUNTING = "{\"expectedInsertions\": 1000, \"counting\": true}";

  private static final String SEVERAL_COUNTING =
      "{\"expectedInsertions\": 500000, \"counting\": true}";

  /** A filter that opens many layers under load. */
  static final String GROWING = "{\"expectedInsertions\": 200, \"whenFull\": \"grow\"}";

  static final List<String> ALL = List.of(ONE, SEVERAL);

  private Shapes() {}

  /** A counting filter of one or several segments. */
  static String counting(String shape) {
    return shape.equals(ONE) ? ONE_COUNTING : SEVERAL_COUNTING;
  }
}
