package io.github.bloomgate.files.portable;

import io.github.bloomgate.files.portable.RedisBloomHeader.Layer;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.StreamErrors;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;

/**
 * Reads the header of a RedisBloom dump and trusts nothing in it. Fails with CORRUPT_IMPORT on
 * everything that the module refuses to load or the scheme {@code redisbloom} does not support.
 * Holds one layer at a time, and leaves the stream open, at the end of the header.
 *
 * <pre>
 * little-endian, without padding
 * chain, 20 bytes:  u64 items, u32 layers, u32 options, u32 expansion
 * layer, 53 bytes:  u64 bytes, u64 bits, u64 items, f64 error, f64 bits per entry,
 *                   u32 hash functions, u64 capacity, u8 log2 of the bits or 0
 * </pre>
 */
final class RedisBloomHeaderReader {

  static final int CHAIN_BYTES = 20;
  static final int LAYER_BYTES = 53;

  /** Each layer halves the rate, so further layers would have a rate of 0. */
  static final int MAX_LAYERS = 1024;

  /** The option for any number of bits instead of a power of two. */
  private static final int NO_ROUNDING = 1;

  private static final int HASH_OF_64_BITS = 4;
  private static final int NOT_SCALING = 8;

  /** ln 2, as truncated in the module. */
  private static final double LN_2 = 0.693147180559945;

  /** Above any real value, with exact sums. */
  private static final long MAX_COUNT = 1L << 50;

  private final InputStream in;

  /** The start of the current part. */
  private int start;

  /** The start of the next part. */
  private int end;

  private RedisBloomHeaderReader(InputStream in) {
    this.in = in;
  }

  /**
   * Reads and checks a header.
   *
   * @throws BloomException CORRUPT_IMPORT, with the fault and its position
   * @throws IOException from the stream
   */
  static RedisBloomHeader read(InputStream in) throws IOException {
    return new RedisBloomHeaderReader(in).readChain();
  }

  private RedisBloomHeader readChain() throws IOException {
    var chain = next(CHAIN_BYTES);
    var items = count(chain, "items");
    var layers = chain.getInt();
    if (layers < 1 || layers > MAX_LAYERS) {
      throw corrupt(
          "it has %s layers; the limits are 1 and %d"
              .formatted(Integer.toUnsignedString(layers), MAX_LAYERS));
    }
    var options = chain.getInt();
    if ((options & ~NOT_SCALING) != (NO_ROUNDING | HASH_OF_64_BITS)) {
      throw corrupt(
          "it has the options %s, but only filters with the options 5 or 13, as set by RedisBloom's commands, can be read"
              .formatted(Integer.toUnsignedString(options)));
    }
    var expansion = Integer.toUnsignedLong(chain.getInt());
    var read = new ArrayList<Layer>();
    for (var layer = 0; layer < layers; layer++) {
      read.add(readLayer(layer));
    }
    start = 0;
    if (read.stream().mapToLong(Layer::items).sum() != items) {
      throw corrupt("its %d items are not the sum of its layers".formatted(items));
    }
    return new RedisBloomHeader(items, (options & NOT_SCALING) == 0, expansion, read);
  }

  private Layer readLayer(int index) throws IOException {
    var layer = next(LAYER_BYTES);
    var bytes = count(layer, "bytes");
    if (bytes == 0 || bytes % Long.BYTES != 0) {
      throw corrupt("layer %d has %d bytes, which are not whole words".formatted(index, bytes));
    }
    if (layer.getLong() != bytes * Byte.SIZE) {
      throw corrupt(
          "the number of bits of layer %d does not match its %d bytes".formatted(index, bytes));
    }
    var items = count(layer, "items");
    var error = layer.getDouble();
    // Refuses NaN too.
    if (!(error > 0 && error < 1)) {
      throw corrupt("the error rate of layer %d is not between 0 and 1".formatted(index));
    }
    var bitsPerEntry = layer.getDouble();
    var numHashFunctions = layer.getInt();
    if (numHashFunctions < 1 || numHashFunctions != Math.ceil(LN_2 * bitsPerEntry)) {
      throw corrupt(
          "the %s hash functions of layer %d do not match its bits per entry"
              .formatted(Integer.toUnsignedString(numHashFunctions), index));
    }
    var capacity = count(layer, "capacity");
    if (capacity == 0) {
      throw corrupt("layer %d has no capacity".formatted(index));
    }
    if (layer.get() != 0) {
      throw corrupt("the size of layer %d is given as a power of two".formatted(index));
    }
    return new Layer(bytes, items, error, bitsPerEntry, numHashFunctions, capacity);
  }

  private ByteBuffer next(int length) throws IOException {
    start = end;
    var part = in.readNBytes(length);
    end = start + part.length;
    if (part.length < length) {
      throw corrupt("it is cut off after %d bytes".formatted(end));
    }
    return ByteBuffer.wrap(part).order(ByteOrder.LITTLE_ENDIAN);
  }

  private long count(ByteBuffer part, String name) {
    var count = part.getLong();
    if (count < 0 || count > MAX_COUNT) {
      throw corrupt(
          "%s is %s, more than any filter can have".formatted(name, Long.toUnsignedString(count)));
    }
    return count;
  }

  private BloomException corrupt(String problem) {
    return StreamErrors.corruptImport(problem, start);
  }
}
