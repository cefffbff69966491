package io.github.bloomgate.files.portable;

import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.error.StreamErrors;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;

/**
 * The output of {@code WriteTo} of the Go library bits-and-blooms/bloom v3.
 *
 * <pre>
 * big-endian:  u64 bits, u64 hash functions, u64 bits again, then the words of 64 bits
 * </pre>
 */
final class BitsAndBloomsFile {

  private static final String SCHEME = "bits-and-blooms";
  private static final int HEADER_BYTES = 24;

  private BitsAndBloomsFile() {}

  static FilterReader read(FileDescription file, InputStream in) throws IOException {
    var header = new byte[HEADER_BYTES];
    var fields = ForeignHeader.read(in, header);
    var bits = fields.getLong();
    var numHashFunctions = fields.getLong();
    var length = fields.getLong();
    if (bits < 1) {
      throw StreamErrors.corruptImport(
          "it cannot have %s bits".formatted(Long.toUnsignedString(bits)), 0);
    }
    if (numHashFunctions < 1) {
      throw StreamErrors.corruptImport(
          "it cannot have %s hash functions".formatted(Long.toUnsignedString(numHashFunctions)), 8);
    }
    if (length != bits) {
      throw StreamErrors.corruptImport(
          "its bit set has %s bits and its filter %d"
              .formatted(Long.toUnsignedString(length), bits),
          16);
    }
    var parameters =
        ForeignHeader.parameters(
            SCHEME,
            bits,
            numHashFunctions,
            file.expectedInsertions(),
            file.falsePositiveProbability());
    return new BitmapReader(in, BitmapBody.ofWords(parameters, header, BitOrder.WORDS));
  }

  static BitmapBody body(FilterParameters parameters) {
    var shape = parameters.shape();
    var header =
        ByteBuffer.allocate(HEADER_BYTES)
            .putLong(shape.bitSize())
            .putLong(shape.numHashFunctions())
            .putLong(shape.bitSize());
    return BitmapBody.ofWords(parameters, header.array(), BitOrder.WORDS);
  }
}
