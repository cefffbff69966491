package io.github.bloomgate.files.portable;

import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.error.StreamErrors;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * The output of Guava's {@code BloomFilter.writeTo}, with both strategies.
 *
 * <pre>
 * big-endian:  u8 strategy, u8 hash functions, i32 words, then the words of 64 bits
 * </pre>
 */
final class GuavaFile {

  private static final int HEADER_BYTES = 6;

  /** The schemes by the ordinal of Guava's strategy. */
  private static final List<String> STRATEGIES = List.of("guava-mitz-32", "guava-mitz-64");

  private GuavaFile() {}

  static FilterReader read(FileDescription file, InputStream in) throws IOException {
    var header = new byte[HEADER_BYTES];
    var fields = ForeignHeader.read(in, header);
    var strategy = Byte.toUnsignedInt(fields.get());
    if (strategy >= STRATEGIES.size()) {
      throw StreamErrors.corruptImport(
          "its strategy is %d, but Guava has only 0 and 1".formatted(strategy), 0);
    }
    var numHashFunctions = Byte.toUnsignedInt(fields.get());
    if (numHashFunctions == 0) {
      throw StreamErrors.corruptImport("it has no hash functions", 1);
    }
    var words = fields.getInt();
    if (words < 1) {
      throw StreamErrors.corruptImport("it has %d words; the minimum is 1".formatted(words), 2);
    }
    var parameters =
        ForeignHeader.parameters(
            STRATEGIES.get(strategy),
            (long) words * Long.SIZE,
            numHashFunctions,
            file.expectedInsertions(),
            file.falsePositiveProbability());
    return new BitmapReader(in, BitmapBody.ofWords(parameters, header, BitOrder.WORDS));
  }

  static BitmapBody body(FilterParameters parameters) {
    var shape = parameters.shape();
    var header =
        ByteBuffer.allocate(HEADER_BYTES)
            .put((byte) STRATEGIES.indexOf(parameters.hashScheme().id()))
            .put((byte) shape.numHashFunctions())
            .putInt(Math.toIntExact(shape.bitSize() / Long.SIZE));
    return BitmapBody.ofWords(parameters, header.array(), BitOrder.WORDS);
  }
}
