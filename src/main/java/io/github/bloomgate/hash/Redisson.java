package io.github.bloomgate.hash;

import java.util.Optional;

/**
 * The scheme {@code redisson}: the bits of Redisson's {@code RBloomFilter}. With the codec {@code
 * kryo5} an element is encoded first.
 */
final class Redisson extends LibraryScheme {

  /** Redisson's own limit, two bits below the longest Redis string. */
  private static final long MAX_BITS = 4_294_967_294L;

  /* How many times the ideal rate was measured with an odd m, from k = FROM[i]. */
  private static final int[] FROM = {1, 4, 6, 8, 10, 12, 16, 18, 20};
  private static final double[] ODD = {1, 1.08, 1.15, 1.34, 1.42, 1.85, 2.55, 3.3, 4.6};

  /** The key in the library's source, so it is not secret. */
  private static final long[] KEY = {
    0x9e3779b97f4a7c15L, 0xf39cc0605cedc834L, 0x1082276bf3a27251L, 0xf86c6a11d0c18e95L
  };

  static final String KRYO5 = "kryo5";

  private final String codec;

  /**
   * @param codec {@code string} hashes an element's bytes unchanged, {@code kryo5} a {@code String}
   *     as encoded by Redisson's default codec
   */
  Redisson(String codec) {
    super("redisson", MAX_BITS);
    this.codec = codec;
  }

  @Override
  public Optional<String> elementCodec() {
    return Optional.of(codec);
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
    byte[] encoded = codec.equals(KRYO5) ? Kryo5String.encode(element) : element;
    HighwayHash.hash(encoded, 0, encoded.length, KEY, words);
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
    return RateWarning.ideal(insertions, shape) * (ofOddBits(shape.numHashFunctions()) - 1)
        + ofMultiples(insertions, shape)
        + RateWarning.ofProgressions(2, insertions, shape);
  }

  private static double ofOddBits(int k) {
    int row = FROM.length - 1;
    while (k < FROM[row]) {
      row--;
    }
    return ODD[row];
  }

  /**
   * The rate because of powers of two, ideal if m is odd. Every other position is a multiple of x +
   * y, and every second of these an even one. Modulo 2^64 and an even m it stays even, so even bits
   * are set more often. The same holds for multiples of 4, 8, ... if m is one.
   */
  private static double ofMultiples(long insertions, FilterShape shape) {
    int k = shape.numHashFunctions();
    int most = Integer.highestOneBit(Math.max(1, k / 2));
    int power = (int) Math.min(most, Long.lowestOneBit(shape.bitSize()));
    double[] fill = new double[power];
    for (int rest = 0; rest < power; rest++) {
      int positions = (k + 1) / 2;
      for (int multiple = 1; multiple <= k / 2; multiple++) {
        int divisor = Math.min(power, Integer.lowestOneBit(multiple));
        positions += rest % divisor == 0 ? divisor : 0;
      }
      fill[rest] = -Math.expm1(-(double) positions * insertions / shape.bitSize());
    }
    double rates = 0;
    for (int x = 0; x < power; x++) {
      for (int sum = 0; sum < power; sum++) {
        double rate = 1;
        for (int i = 0; i < k; i++) {
          rate *= fill[((i + 1) / 2 * sum + (i % 2 == 0 ? x : 0)) % power];
        }
        rates += rate;
      }
    }
    return rates / power / power;
  }

  @Override
  String weakness(FilterShape shape) {
    return "Redisson derives all positions of an element from sums of two numbers, so positions of"
        + " different elements often coincide, least often if bitSize is odd.";
  }
}
