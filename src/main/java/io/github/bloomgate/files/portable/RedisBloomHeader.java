package io.github.bloomgate.files.portable;

import java.util.List;

/**
 * The first reply of RedisBloom's {@code BF.SCANDUMP}, which describes the layers of a filter.
 * Their bits are in the other replies, layer after layer.
 *
 * @param items the number of items in all layers
 * @param scaling whether the filter grows by layers at capacity
 * @param expansion how many times the capacity of the layer before it a layer has; meaningless if
 *     the filter does not grow
 * @param layers at least one, oldest first
 */
record RedisBloomHeader(long items, boolean scaling, long expansion, List<Layer> layers) {

  RedisBloomHeader {
    layers = List.copyOf(layers);
  }

  /** The length of the header, in bytes. */
  int length() {
    return RedisBloomHeaderReader.CHAIN_BYTES + layers.size() * RedisBloomHeaderReader.LAYER_BYTES;
  }

  /**
   * One layer, with its own bitmap.
   *
   * @param bytes of the bitmap, a multiple of 8
   * @param items the number of items in this layer
   * @param error its false-positive rate, after any halving
   * @param bitsPerEntry computed from the rate by the module
   * @param numHashFunctions k
   * @param capacity n
   */
  record Layer(
      long bytes,
      long items,
      double error,
      double bitsPerEntry,
      int numHashFunctions,
      long capacity) {

    /** The bits of the bitmap (m). */
    long bits() {
      return bytes * Byte.SIZE;
    }
  }
}
