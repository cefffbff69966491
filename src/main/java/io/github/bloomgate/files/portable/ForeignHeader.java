package io.github.bloomgate.files.portable;

import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RequestErrors;
import io.github.bloomgate.model.error.StreamErrors;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** Common parts of the headers of libraries' files. */
final class ForeignHeader {

  /** A Redis string has at most 512 MiB. */
  private static final long MAX_BITS = 1L << 32;

  private ForeignHeader() {}

  /**
   * Reads a header.
   *
   * @return its fields, big-endian
   * @throws BloomException CORRUPT_IMPORT if it is cut off
   */
  static ByteBuffer read(InputStream in, byte[] header) throws IOException {
    var length = in.readNBytes(header, 0, header.length);
    if (length < header.length) {
      throw StreamErrors.corruptImport("it is cut off after %d bytes".formatted(length), 0);
    }
    return ByteBuffer.wrap(header);
  }

  /**
   * The parameters of a header.
   *
   * @throws BloomException LIMIT_EXCEEDED if the library supports the filter but the service does
   *     not
   */
  static FilterParameters parameters(
      String hashScheme,
      long bits,
      long numHashFunctions,
      OptionalLong expectedInsertions,
      OptionalDouble falsePositiveProbability) {
    if (bits > MAX_BITS) {
      throw RequestErrors.limitExceeded(
          "The file holds a filter of %d bits; the limit of the hashScheme %s is %d. Create a filter of the native scheme and add its elements again."
              .formatted(bits, hashScheme, MAX_BITS));
    }
    return FilterParameters.asStored(
        HashSchemes.named(hashScheme).orElseThrow(),
        bits,
        numHashFunctions,
        expectedInsertions,
        falsePositiveProbability);
  }
}
