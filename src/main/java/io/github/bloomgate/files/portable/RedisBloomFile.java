package io.github.bloomgate.files.portable;

import io.github.bloomgate.model.error.RequestErrors;
import io.github.bloomgate.model.error.StreamErrors;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteOrder;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * The data of all replies of RedisBloom's {@code BF.SCANDUMP} for a filter of one layer: a header,
 * then the words of the bitmap. Refuses everything that the module refuses to load or the scheme
 * {@code redisbloom} does not support.
 *
 * <pre>
 * little-endian, without padding
 * chain, 20 bytes:  u64 items, u32 layers, u32 options, u32 expansion
 * layer, 53 bytes:  u64 bytes, u64 bits, u64 items, f64 error, f64 bits per entry,
 *                   u32 hash functions, u64 capacity, u8 log2 of the bits or 0
 * </pre>
 */
final class RedisBloomFile {

  private static final int HEADER_BYTES = 20 + 53;

  /** Each layer halves the rate, so further layers would have a rate of 0. */
  private static final int MAX_LAYERS = 1024;

  /** Any number of bits instead of a power of two, and a hash of 64 bits. */
  private static final int OPTIONS = 1 | 4;

  private static final int NOT_SCALING = 8;

  /** ln 2, as truncated in the module. */
  private static final double LN_2 = 0.693147180559945;

  /** Above any real value, with exact sums. */
  private static final long MAX_COUNT = 1L << 50;

  private RedisBloomFile() {}

  static FilterReader read(InputStream in) throws IOException {
    var header = new byte[HEADER_BYTES];
    var fields = ForeignHeader.read(in, header).order(ByteOrder.LITTLE_ENDIAN);
    var items = fields.getLong(0);
    requireCount(items, 0);
    requireOneLayer(fields.getInt(8), fields.getInt(12), items);
    var bytes = fields.getLong(20);
    requireCount(bytes, 20);
    require(
        bytes > 0 && bytes % Long.BYTES == 0,
        20,
        "its %d bytes are not whole words".formatted(bytes));
    require(
        fields.getLong(28) == bytes * Byte.SIZE,
        28,
        "its number of bits does not match its %d bytes".formatted(bytes));
    require(
        fields.getLong(36) == items,
        36,
        "its %d items do not match the number in its layer".formatted(items));
    var error = fields.getDouble(44);
    // Refuses NaN too.
    require(error > 0 && error < 1, 44, "its error rate is not between 0 and 1");
    var numHashFunctions = fields.getInt(60);
    require(
        numHashFunctions >= 1 && numHashFunctions == Math.ceil(LN_2 * fields.getDouble(52)),
        52,
        "its %s hash functions do not match its bits per entry"
            .formatted(Integer.toUnsignedString(numHashFunctions)));
    var capacity = fields.getLong(64);
    requireCount(capacity, 64);
    require(capacity > 0, 64, "it has no capacity");
    require(fields.get(72) == 0, 72, "its size is given as a power of two");
    var parameters =
        ForeignHeader.parameters(
            "redisbloom",
            bytes * Byte.SIZE,
            numHashFunctions,
            OptionalLong.of(capacity),
            OptionalDouble.of(error));
    return new BitmapReader(
        in,
        BitmapBody.ofWords(parameters, header, BitOrder.BYTES),
        bitsSet -> {
          // The module counts an element as added if it set a bit.
          require(
              bitsSet >= items && bitsSet <= items * numHashFunctions,
              0,
              "%d bits are set in it, which does not fit its %d items".formatted(bitsSet, items));
          return items;
        });
  }

  private static void requireOneLayer(int layers, int options, long items) {
    require(
        layers >= 1 && layers <= MAX_LAYERS,
        8,
        "it has %s layers; the limits are 1 and %d"
            .formatted(Integer.toUnsignedString(layers), MAX_LAYERS));
    require(
        (options & ~NOT_SCALING) == OPTIONS,
        12,
        "it has the options %s, but only filters with the options 5 or 13, as set by RedisBloom's commands, can be read"
            .formatted(Integer.toUnsignedString(options)));
    if (layers > 1) {
      throw RequestErrors.limitExceeded(
          "The dump holds a filter that grew to %d layers, but only filters of one layer can be imported. Create a new filter for at least %d expectedInsertions and add its elements again."
              .formatted(layers, items));
    }
  }

  private static void requireCount(long count, int at) {
    require(
        count >= 0 && count <= MAX_COUNT,
        at,
        "it has a count of %s, more than any filter can have"
            .formatted(Long.toUnsignedString(count)));
  }

  private static void require(boolean isValid, int at, String problem) {
    if (!isValid) {
      throw StreamErrors.corruptImport(problem, at);
    }
  }
}
