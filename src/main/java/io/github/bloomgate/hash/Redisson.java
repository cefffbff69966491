package io.github.bloomgate.hash;

import java.util.Optional;

/**
 * The scheme {@code redisson}: the bits of Redisson's {@code RBloomFilter}. With the codec {@code
 * kryo5} an element is encoded first, which allocates one array.
 */
final class Redisson extends LibraryScheme {

  /** Redisson's own limit, two bits below that of a Redis string. */
  private static final long MAX_BITS = 4_294_967_294L;

  private final boolean kryo;

  private Redisson(boolean kryo) {
    super("redisson", MAX_BITS);
    this.kryo = kryo;
  }

  /** Hashes an element's bytes as they are: the text in UTF-8, or any bytes. */
  static Redisson ofStrings() {
    return new Redisson(false);
  }

  /** Hashes what Redisson's own default codec makes of a {@code String}. */
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
   * <p>Guava's formula for bits, exactly as computed. A p of 0 stands for the smallest positive
   * double.
   */
  @Override
  public FilterShape shapeFor(long expectedInsertions, double falsePositiveProbability) {
    long bits = LibrarySizing.bits(expectedInsertions, falsePositiveProbability);
    return shapeOf(bits, LibrarySizing.numHashFunctions(expectedInsertions, bits));
  }

  @Override
  void locate(byte[] element, long m, int k, long[] positions) {
    HighwayHash.hash(kryo ? Kryo5String.encode(element) : element, positions);
    long even = positions[0];
    long odd = positions[1];
    long sum = even;
    for (int i = 0; i < k; i++) {
      positions[i] = (sum & Long.MAX_VALUE) % m;
      sum += (i & 1) == 0 ? odd : even;
    }
  }
}
