package io.github.bloomgate.hash;

/**
 * The scheme {@code guava-mitz-64}: Guava's strategy {@code MURMUR128_MITZ_64}, the one its {@code
 * BloomFilter.create} chooses.
 */
final class GuavaMitz64 extends GuavaScheme {

  GuavaMitz64() {
    super("guava-mitz-64");
  }

  @Override
  void place(long[] words, int at, long m, int k, long[] positions) {
    long combined = words[at];
    long step = words[at + 1];
    for (int i = 0; i < k; i++) {
      positions[i] = (combined & Long.MAX_VALUE) % m;
      combined += step;
    }
  }

  @Override
  double expectedRate(long insertions, FilterShape shape) {
    return RateWarning.ideal(insertions, shape)
        + RateWarning.ofLongProgressions(7, insertions, shape);
  }

  @Override
  String weakness(FilterShape shape) {
    return RateWarning.doubleHashing("Guava");
  }
}
