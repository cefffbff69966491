package io.github.bloomgate.hash;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
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
  static final Bloomgate1Keyed OF_NO_FILTER = new Bloomgate1Keyed(Optional.empty(), null);

  private static final int KEY_BYTES = 32;

  private static final VarHandle LITTLE_ENDIAN_LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final Optional<KeyOrigin> origin;
  private final boolean hasKey;
  private final long key0;
  private final long key1;
  private final long key2;
  private final long key3;

  private Bloomgate1Keyed(Optional<KeyOrigin> origin, byte[] key) {
    this.origin = origin;
    hasKey = key != null;
    key0 = hasKey ? word(key, 0) : 0;
    key1 = hasKey ? word(key, 1) : 0;
    key2 = hasKey ? word(key, 2) : 0;
    key3 = hasKey ? word(key, 3) : 0;
  }

  static Bloomgate1Keyed withKey(KeyOrigin origin, byte[] key) {
    if (key.length != KEY_BYTES) {
      throw new IllegalArgumentException("A key has %d bytes".formatted(KEY_BYTES));
    }
    return new Bloomgate1Keyed(Optional.of(origin), key);
  }

  /** The scheme of a filter whose secret is unknown: {@link #locate} always fails. */
  static Bloomgate1Keyed withoutKey(KeyOrigin origin) {
    return new Bloomgate1Keyed(Optional.of(origin), null);
  }

  private static long word(byte[] key, int index) {
    return (long) LITTLE_ENDIAN_LONG.get(key, index * Long.BYTES);
  }

  @Override
  public String id() {
    return "bloomgate-1-keyed";
  }

  @Override
  public boolean isKeyed() {
    return true;
  }

  @Override
  public Optional<KeyOrigin> keyOrigin() {
    return origin;
  }

  @Override
  public boolean canLocate() {
    return hasKey;
  }

  @Override
  public void hash(byte[] bytes, int start, int end, long[] words) {
    if (!hasKey) {
      throw new MissingKeyException(origin);
    }
    HighwayHash.hash(bytes, start, end, key0, key1, key2, key3, words);
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
