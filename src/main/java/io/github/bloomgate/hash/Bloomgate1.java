package io.github.bloomgate.hash;

/** The native scheme {@code bloomgate-1}, with MurmurHash3 x64 128. Stateless and thread-safe. */
final class Bloomgate1 extends NativeScheme {

  @Override
  public String id() {
    return "bloomgate-1";
  }

  @Override
  public void hash(byte[] bytes, int start, int end, long[] words) {
    Murmur3.hash(bytes, start, end, words);
  }
}
