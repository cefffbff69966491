package io.github.bloomgate.files.portable;

import io.github.bloomgate.model.error.RequestErrors;
import io.github.bloomgate.model.error.StreamErrors;
import java.io.IOException;
import java.io.InputStream;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** The data of all replies of RedisBloom's {@code BF.SCANDUMP} for a filter of one layer. */
final class RedisBloomFile {

  private RedisBloomFile() {}

  static FilterReader read(InputStream in) throws IOException {
    var header = RedisBloomHeaderReader.read(in);
    if (header.layers().size() > 1) {
      throw RequestErrors.limitExceeded(
          "The dump holds a filter that grew to %d layers, but only filters of one layer can be imported. Create a new filter for at least %d expectedInsertions and add its elements again."
              .formatted(header.layers().size(), header.items()));
    }
    var layer = header.layers().get(0);
    var parameters =
        ForeignHeader.parameters(
            "redisbloom",
            layer.bits(),
            layer.numHashFunctions(),
            OptionalLong.of(layer.capacity()),
            OptionalDouble.of(layer.error()));
    var body = BitmapBody.ofWords(parameters, new byte[header.length()], BitOrder.BYTES);
    return new BitmapReader(
        in, body, bitsSet -> items(layer.items(), bitsSet, layer.numHashFunctions()));
  }

  /** The module counts an element as added if it set a bit. */
  private static long items(long items, long bitsSet, int numHashFunctions) {
    if (bitsSet < items || bitsSet > items * numHashFunctions) {
      throw StreamErrors.corruptImport(
          "%d bits are set in it, which does not fit its %d items".formatted(bitsSet, items), 0);
    }
    return items;
  }
}
