package io.github.bloomgate.files.portable;

import io.github.bloomgate.hash.BitCount;
import io.github.bloomgate.hash.Sizing;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.FilterPlan;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.StreamErrors;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.LongUnaryOperator;

/** Reads the bitmap of a library's file, after its header. */
final class BitmapReader implements FilterReader {

  private final InputStream in;
  private final BitmapBody body;
  private final LongUnaryOperator insertions;
  private final byte[] buffer = new byte[FileLayout.BLOCK_BYTES];

  /**
   * @param insertions derives the number of adds that changed a bit from the bits set; fails with
   *     CORRUPT_IMPORT if the file contains an impossible number
   */
  BitmapReader(InputStream in, BitmapBody body, LongUnaryOperator insertions) {
    this.in = in;
    this.body = body;
    this.insertions = insertions;
  }

  /** A file without the number of elements. */
  BitmapReader(InputStream in, BitmapBody body) {
    this(in, body, bitsSet -> estimate(body.parameters(), bitsSet));
  }

  /**
   * The estimate from the bits, limited to their number, because each counted add set at least one.
   */
  static long estimate(FilterParameters parameters, long bitsSet) {
    var shape = parameters.shape();
    var estimate =
        Sizing.approximateElementCount(bitsSet, shape.bitSize(), shape.numHashFunctions())
            .orElse(bitsSet);
    return Math.max(Math.min(1, bitsSet), Math.min(bitsSet, estimate));
  }

  @Override
  public FilterPlan plan() {
    return FilterPlan.of(body.parameters());
  }

  @Override
  public void read(FilterFileSink sink) throws IOException {
    var shape = body.parameters().shape();
    var bitmapBytes = shape.segmentBytes();
    var bitsSet = 0L;
    var offset = 0L;
    for (var length = buffer.length; length == buffer.length && offset < body.bytes(); ) {
      length = readBlock(offset);
      bitsSet += BitCount.of(buffer, 0, length);
      var rest = (int) Math.min(length, bitmapBytes - offset);
      if (rest > 0) {
        sink.block(0, offset, buffer, 0, rest);
      }
      offset += length;
    }
    if (offset == 0) {
      throw corrupt("it is empty", 0);
    }
    if (in.read() != -1) {
      throw corrupt(
          "there are bytes after the %d bytes of a bitmap of %d bits"
              .formatted(body.bytes(), shape.bitSize()),
          offset);
    }
    sink.endSegment(0, insertions.applyAsLong(bitsSet));
  }

  private int readBlock(long offset) throws IOException {
    var wanted = (int) Math.min(buffer.length, body.bytes() - offset);
    var length = in.readNBytes(buffer, 0, wanted);
    if (length < wanted && !body.mayBeShorter()) {
      throw corrupt(
          "it is cut off after %d of the %d bytes that its header claims"
              .formatted(body.header().length + offset + length, body.fileBytes()),
          offset);
    }
    body.order().turn(buffer, length);
    var bitSize = body.parameters().shape().bitSize();
    for (var bit = bitSize; bit < (offset + length) * Byte.SIZE; bit++) {
      if ((buffer[(int) (bit / Byte.SIZE - offset)] & 0x80 >> bit % Byte.SIZE) != 0) {
        throw corrupt(
            "it has a bit set after its last, which is bit %d".formatted(bitSize - 1), offset);
      }
    }
    return length;
  }

  private BloomException corrupt(String problem, long offset) {
    return StreamErrors.corruptImport(problem, body.header().length + offset);
  }
}
