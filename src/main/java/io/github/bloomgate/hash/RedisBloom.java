package io.github.bloomgate.hash;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The scheme {@code redisbloom}: one layer of a filter of RedisBloom, the module behind the {@code
 * BF.*} commands. The module numbers the bits of a byte from the other end.
 */
final class RedisBloom extends LibraryScheme {

  private static final VarHandle LITTLE_ENDIAN_LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** The multiplier of MurmurHash2, which the module also uses as the first seed. */
  private static final long MULTIPLIER = 0xc6a4a7935bd1e995L;

  /** The module's default limit. */
  private static final long MAX_CAPACITY = 1L << 30;

  /** Higher rates are reduced to this. */
  private static final double MAX_ERROR = 0.25;

  /* Truncated as in the module. With full precision, a rate that is a power of 1/2 would get one hash function less. */
  private static final double LN_2 = 0.693147180559945;
  private static final double LN_2_SQUARED = 0.480453013918201;

  RedisBloom() {
    super("redisbloom", REDIS_LIMIT);
  }

  /**
   * {@inheritDoc}
   *
   * <p>The shape of a filter reserved with {@code NONSCALING}: {@code b = -ln p / (ln 2)^2} bits an
   * element with p at most 0.25, {@code m = trunc(n b)} rounded up to a multiple of 64, {@code k =
   * ceil(b ln 2)}. The first layer of a scaling filter reserved with p has the shape for half of p,
   * or of 0.25, and each further layer the shape for half of the previous rate.
   *
   * @param expectedInsertions n, from 1 to 2^30
   */
  @Override
  public FilterShape shapeFor(long expectedInsertions, double falsePositiveProbability) {
    if (expectedInsertions > MAX_CAPACITY) {
      throw new ShapeLimitException(
          "A filter of the scheme redisbloom cannot have expectedInsertions %d; the limit is %d: ask for fewer"
              .formatted(expectedInsertions, MAX_CAPACITY));
    }
    double error = Math.min(falsePositiveProbability, MAX_ERROR);
    double bitsPerElement = -StrictMath.log(error) / LN_2_SQUARED;
    long bits = Math.max(1, (long) (expectedInsertions * bitsPerElement));
    return shapeOf(bits, (int) Math.ceil(LN_2 * bitsPerElement));
  }

  /**
   * {@inheritDoc}
   *
   * <p>Up to a multiple of 64.
   */
  @Override
  public FilterShape shapeOf(long bitSize, int numHashFunctions) {
    return super.shapeOf(LibrarySizing.wholeWords(bitSize), numHashFunctions);
  }

  /** The module uses a data type of its own. */
  @Override
  public boolean isAdoptable() {
    return false;
  }

  @Override
  void hash(byte[] element, long[] words) {
    words[0] = murmur2(element, MULTIPLIER);
    words[1] = murmur2(element, words[0]);
  }

  /**
   * MurmurHash2 in its 64-bit variant for 64-bit machines, by Austin Appleby (public domain, {@code
   * MurmurHash64A} of SMHasher).
   */
  private static long murmur2(byte[] data, long seed) {
    long h = seed ^ data.length * MULTIPLIER;
    int wordsEnd = data.length & ~7;
    for (int i = 0; i < wordsEnd; i += 8) {
      long word = (long) LITTLE_ENDIAN_LONG.get(data, i);
      h = (h ^ shiftMix(word * MULTIPLIER) * MULTIPLIER) * MULTIPLIER;
    }
    if (wordsEnd < data.length) {
      long tail = 0;
      for (int i = data.length - 1; i >= wordsEnd; i--) {
        tail = tail << 8 | (data[i] & 0xff);
      }
      h = (h ^ tail) * MULTIPLIER;
    }
    return shiftMix(shiftMix(h) * MULTIPLIER);
  }

  private static long shiftMix(long word) {
    return word ^ word >>> 47;
  }

  @Override
  double expectedRate(long insertions, FilterShape shape) {
    return RateWarning.ideal(insertions, shape)
        + RateWarning.ofLongProgressions(7, insertions, shape);
  }

  @Override
  String weakness(FilterShape shape) {
    return RateWarning.doubleHashing("RedisBloom");
  }
}
