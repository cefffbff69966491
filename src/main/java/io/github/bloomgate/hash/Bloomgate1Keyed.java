package io.github.bloomgate.hash;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;
import java.util.Optional;

/**
 * The native scheme {@code bloomgate-1-keyed}, with HighwayHash-128 under the filter's secret key,
 * so that the bits of an element cannot be predicted without the key. Thread-safe.
 *
 * <p>Two are equal if their {@link KeyOrigin} is, even without a key.
 */
final class Bloomgate1Keyed extends NativeScheme {

  /** The scheme before a filter exists; computes shapes only. */
  static final Bloomgate1Keyed OF_NO_FILTER = new Bloomgate1Keyed(Optional.empty());

  private static final int KEY_BYTES = 32;

  private final Optional<KeyOrigin> origin;

  /** Four words; none if the key is unknown. */
  private final long[] key;

  private Bloomgate1Keyed(Optional<KeyOrigin> origin, long... key) {
    this.origin = origin;
    this.key = key;
  }

  /**
   * The scheme of a filter.
   *
   * @param key empty if its secret is unknown: {@link #locate} then always fails
   */
  Bloomgate1Keyed(KeyOrigin origin, Optional<byte[]> key) {
    this(Optional.of(origin), key.map(Bloomgate1Keyed::words).orElse(new long[0]));
  }

  private static long[] words(byte[] key) {
    if (key.length != KEY_BYTES) {
      throw new IllegalArgumentException("A key has %d bytes".formatted(KEY_BYTES));
    }
    var words = new long[KEY_BYTES / Long.BYTES];
    ByteBuffer.wrap(key).order(ByteOrder.LITTLE_ENDIAN).asLongBuffer().get(words);
    return words;
  }

  @Override
  public String id() {
    return "bloomgate-1-keyed";
  }

  @Override
  public Optional<KeyOrigin> keyOrigin() {
    return origin;
  }

  @Override
  public boolean canLocate() {
    return key.length > 0;
  }

  @Override
  public void hash(byte[] bytes, int start, int end, long[] words) {
    if (!canLocate()) {
      throw new IllegalStateException("The key of the scheme is not known");
    }
    HighwayHash.hash(bytes, start, end, key, words);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Bloomgate1Keyed scheme && origin.equals(scheme.origin);
  }

  @Override
  public int hashCode() {
    return Objects.hash(id(), origin);
  }

  /** Omits the key. */
  @Override
  public String toString() {
    return id() + origin.map(KeyOrigin::toString).orElse("");
  }
}
