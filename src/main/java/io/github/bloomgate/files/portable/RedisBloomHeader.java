package io.github.bloomgate.files.portable;

import java.util.List;

/**
 * What the first reply of RedisBloom's {@code BF.SCANDUMP} says of a filter, a chain of layers. The
 * bits of the layers follow in the other replies, one layer after the other.
 *
 * @param items elements counted as added, in all layers
 * @param scaling whether the filter grows by layers once it is full
 * @param expansion by how much each layer has more capacity than the one before it; says nothing if
 *     the filter does not grow
 * @param layers at least one, the oldest first
 */
record RedisBloomHeader(long items, boolean scaling, long expansion, List<Layer> layers) {

  RedisBloomHeader {
    layers = List.copyOf(layers);
  }

  /** Bytes of the header. */
  int length() {
    return RedisBloomHeaderReader.CHAIN_BYTES + layers.size() * RedisBloomHeaderReader.LAYER_BYTES;
  }

  /**
   * One layer: a bitmap of its own.
   *
   * @param bytes of the bitmap, a multiple of 8
   * @param items elements counted as added to this layer
   * @param error the false-positive rate it was made for, after any halving
   * @param bitsPerEntry what the module computed from the rate
   * @param numHashFunctions k
   * @param capacity the elements it was made for
   */
  record Layer(
      long bytes,
      long items,
      double error,
      double bitsPerEntry,
      int numHashFunctions,
      long capacity) {

    /** Bits of the bitmap (m). */
    long bits() {
      return bytes * Byte.SIZE;
    }
  }
}
