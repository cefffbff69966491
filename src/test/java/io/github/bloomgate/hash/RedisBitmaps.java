package io.github.bloomgate.hash;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.LongStream;

/**
 * A filter in memory, with one byte array for each segment. It contains exactly the bytes that
 * Redis stores: bit x is {@code 0x80 >> x % 8} of byte {@code x / 8}.
 */
final class RedisBitmaps {

  private final HashScheme scheme;
  private final FilterShape shape;
  private final byte[][] bitmaps;
  private final long[] positions;

  RedisBitmaps(HashScheme scheme, FilterShape shape) {
    this.scheme = scheme;
    this.shape = shape;
    this.bitmaps = new byte[shape.segments()][Math.toIntExact(shape.segmentBytes())];
    this.positions = new long[Math.max(2, shape.numHashFunctions())];
  }

  void clear() {
    for (byte[] bitmap : bitmaps) {
      Arrays.fill(bitmap, (byte) 0);
    }
  }

  void add(byte[] element) {
    byte[] bitmap = bitmaps[scheme.locate(element, shape, positions)];
    for (int i = 0; i < shape.numHashFunctions(); i++) {
      bitmap[(int) (positions[i] >>> 3)] |= (byte) (0x80 >> (positions[i] & 7));
    }
  }

  boolean mightContain(byte[] element) {
    byte[] bitmap = bitmaps[scheme.locate(element, shape, positions)];
    for (int i = 0; i < shape.numHashFunctions(); i++) {
      if ((bitmap[(int) (positions[i] >>> 3)] & 0x80 >> (positions[i] & 7)) == 0) {
        return false;
      }
    }
    return true;
  }

  long bitsSet() {
    return LongStream.of(bitsSetBySegment()).sum();
  }

  long[] bitsSetBySegment() {
    long[] counts = new long[bitmaps.length];
    for (int segment = 0; segment < bitmaps.length; segment++) {
      for (byte octet : bitmaps[segment]) {
        counts[segment] += Integer.bitCount(octet & 0xff);
      }
    }
    return counts;
  }

  byte[] bitmap(int segment) {
    return bitmaps[segment];
  }

  List<String> toHex() {
    return Arrays.stream(bitmaps).map(HexFormat.of()::formatHex).toList();
  }
}
