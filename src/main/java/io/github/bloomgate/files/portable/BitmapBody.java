package io.github.bloomgate.files.portable;

import io.github.bloomgate.model.FilterParameters;

/**
 * How the file of a library holds the one bitmap of a filter: behind a header, to the end of the
 * file, without checksums.
 *
 * @param parameters of the filter
 * @param header the bytes before the bitmap
 * @param bytes of the bitmap in the file, which may have bits behind the last one; these are 0
 * @param order of the bits
 */
record BitmapBody(FilterParameters parameters, byte[] header, long bytes, BitOrder order) {

  /** A whole number of words of 64 bits. */
  static BitmapBody ofWords(FilterParameters parameters, byte[] header, BitOrder order) {
    var words = (parameters.shape().bitSize() + Long.SIZE - 1) / Long.SIZE;
    return new BitmapBody(parameters, header, words * Long.BYTES, order);
  }

  /** What Redis has under the key of a bitmap. */
  static BitmapBody redis(FilterParameters parameters) {
    return new BitmapBody(
        parameters, new byte[0], parameters.shape().segmentBytes(), BitOrder.REDIS);
  }

  /** Bytes of the whole file. */
  long fileBytes() {
    return header.length + bytes;
  }

  /** A string of Redis ends with the last byte that somebody wrote to. */
  boolean mayBeShorter() {
    return order == BitOrder.REDIS;
  }
}
