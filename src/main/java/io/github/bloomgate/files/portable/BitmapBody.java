package io.github.bloomgate.files.portable;

import io.github.bloomgate.model.FilterParameters;

/**
 * The layout of a library's file with one bitmap: a header, then the bitmap up to the end of the
 * file, without checksums.
 *
 * @param header the bytes before the bitmap
 * @param bytes the length of the bitmap in the file; unused bits at its end are 0
 */
record BitmapBody(FilterParameters parameters, byte[] header, long bytes, BitOrder order) {

  /** A bitmap of 64-bit words. */
  static BitmapBody ofWords(FilterParameters parameters, byte[] header, BitOrder order) {
    var words = (parameters.shape().bitSize() + Long.SIZE - 1) / Long.SIZE;
    return new BitmapBody(parameters, header, words * Long.BYTES, order);
  }

  /** The value of a bitmap's key in Redis. */
  static BitmapBody redis(FilterParameters parameters) {
    return new BitmapBody(
        parameters, new byte[0], parameters.shape().segmentBytes(), BitOrder.REDIS);
  }

  long fileBytes() {
    return header.length + bytes;
  }

  /** A Redis string ends with the last byte written. */
  boolean mayBeShorter() {
    return order == BitOrder.REDIS;
  }
}
