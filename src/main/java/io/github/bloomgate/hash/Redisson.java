package io.github.bloomgate.hash;

import java.util.Locale;
import java.util.Optional;

/**
 * The scheme {@code redisson}: the bits of Redisson's {@code RBloomFilter}. With the codec {@code
 * kryo5} an element is encoded first, which allocates one array.
 */
final class Redisson extends LibraryScheme {

  /** Redisson's own limit, two bits below the longest Redis string. */
  private static final long MAX_BITS = 4_294_967_294L;

  /* Measured rate divided by the ideal one, from k = FROM[i]: FEW[i] if m has no small divisor, MANY[i] if it has many. docs/hash-schemes.md has a table and the reason. */
  private static final int[] FROM = {1, 5, 7, 8, 10, 12, 15, 17, 20};
  private static final double[] FEW = {1, 1.05, 1.12, 1.37, 1.42, 1.85, 1.99, 2.67, 4.1};
  private static final double[] MANY = {1, 1.16, 1.22, 1.99, 2.2, 3.5, 3.8, 12, 27};

  /** The key in the library's source, so it is not secret. */
  private static final long KEY_0 = 0x9e3779b97f4a7c15L;

  private static final long KEY_1 = 0xf39cc0605cedc834L;
  private static final long KEY_2 = 0x1082276bf3a27251L;
  private static final long KEY_3 = 0xf86c6a11d0c18e95L;

  private final boolean kryo;

  private Redisson(boolean kryo) {
    super("redisson", MAX_BITS);
    this.kryo = kryo;
  }

  /** Hashes an element's bytes unchanged: UTF-8 text or any bytes. */
  static Redisson ofStrings() {
    return new Redisson(false);
  }

  /** Hashes a {@code String} as encoded by Redisson's default codec. */
  static Redisson ofKryo5() {
    return new Redisson(true);
  }

  @Override
  public Optional<String> elementCodec() {
    return Optional.of(kryo ? "kryo5" : "string");
  }

  /**
   * {@inheritDoc}
   *
   * <p>Guava's formula for bits, not rounded. A p of 0 counts as the smallest positive double.
   */
  @Override
  public FilterShape shapeFor(long expectedInsertions, double falsePositiveProbability) {
    long bits = LibrarySizing.bits(expectedInsertions, falsePositiveProbability);
    return shapeOf(bits, LibrarySizing.numHashFunctions(expectedInsertions, bits));
  }

  /** The name in braces, so that both keys share a slot; unchanged if it has braces already. */
  @Override
  public Optional<String> configKey(String redisKey) {
    var tagged = redisKey.contains("{") ? redisKey : "{" + redisKey + "}";
    return Optional.of(tagged + ":config");
  }

  @Override
  void hash(byte[] element, long[] words) {
    byte[] encoded = kryo ? Kryo5String.encode(element) : element;
    HighwayHash.hash(encoded, 0, encoded.length, KEY_0, KEY_1, KEY_2, KEY_3, words);
  }

  @Override
  void place(long[] words, int at, long m, int k, long[] positions) {
    long even = words[at];
    long odd = words[at + 1];
    long sum = even;
    for (int i = 0; i < k; i++) {
      positions[i] = (sum & Long.MAX_VALUE) % m;
      sum += (i & 1) == 0 ? odd : even;
    }
  }

  @Override
  double expectedRate(long insertions, FilterShape shape) {
    return RateWarning.ideal(insertions, shape) * at(FEW, shape.numHashFunctions())
        + RateWarning.ofProgressions(2, insertions, shape);
  }

  @Override
  String weakness(FilterShape shape) {
    return String.format(
        Locale.ROOT,
        "Redisson derives all positions of an element from sums of two numbers, so positions of"
            + " different elements often coincide. If bitSize has many small divisors, the rate is"
            + " %.1f times as high as with none.",
        at(MANY, shape.numHashFunctions()) / at(FEW, shape.numHashFunctions()));
  }

  private static double at(double[] factors, int k) {
    int row = FROM.length - 1;
    while (k < FROM[row]) {
      row--;
    }
    return factors[row];
  }
}
