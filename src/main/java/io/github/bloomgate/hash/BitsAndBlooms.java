package io.github.bloomgate.hash;

import java.util.Arrays;

/** The scheme {@code bits-and-blooms}: the bits of the Go library bits-and-blooms/bloom v3. */
final class BitsAndBlooms extends LibraryScheme {

  private static final double LN_2 = StrictMath.log(2);

  BitsAndBlooms() {
    super("bits-and-blooms", REDIS_LIMIT);
  }

  /**
   * {@inheritDoc}
   *
   * <p>{@code m = ceil(-n ln p / (ln 2)^2)}, {@code k = ceil(ln 2 * m / n)}.
   */
  @Override
  public FilterShape shapeFor(long expectedInsertions, double falsePositiveProbability) {
    long bits = Sizing.bitSize(expectedInsertions, falsePositiveProbability);
    return shapeOf(bits, (int) Math.ceil(LN_2 * bits / expectedInsertions));
  }

  @Override
  public int numWords(int numHashFunctions) {
    return 4;
  }

  @Override
  void hash(byte[] element, long[] words) {
    byte[] followed = Arrays.copyOf(element, element.length + 1);
    followed[element.length] = 1;
    Murmur3.hash(followed, words);
    words[2] = words[0];
    words[3] = words[1];
    Murmur3.hash(element, words);
  }

  @Override
  void place(long[] words, int at, long m, int k, long[] positions) {
    long a = words[at];
    long b = words[at + 1];
    long c = words[at + 2];
    long d = words[at + 3];
    for (int i = 0; i < k; i++) {
      long base = (i & 1) == 0 ? a : b;
      // The first and the last of four steps are c.
      long step = ((i + 1) & 2) == 0 ? c : d;
      positions[i] = Long.remainderUnsigned(base + i * step, m);
    }
  }

  /* Positions come from two pairs of numbers. If a probe and a member share one pair, or one step is 0, half of the exponent is lost; both happen in one of m^2 cases. */

  @Override
  double expectedRate(long insertions, FilterShape shape) {
    double ideal = RateWarning.ideal(insertions, shape);
    double m = shape.bitSize();
    return ideal + 3 * Math.sqrt(ideal) / m + 2 / m / m;
  }

  @Override
  String weakness(FilterShape shape) {
    return "The library derives all positions of an element from four numbers, so positions of"
        + " different elements often coincide in a very small filter.";
  }
}
