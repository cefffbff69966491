package io.github.bloomgate.files.portable;

import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.Layer;
import io.github.bloomgate.model.SegmentCounts;
import io.github.bloomgate.model.WhenFull;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** A filter for round trips through a file. */
final class SampleFile {

  private static final Instant MOMENT = Instant.parse("2026-11-21T14:00:00.123Z");

  final FileHeader header;
  final List<byte[]> bitmaps = new ArrayList<>();
  final List<Long> insertions = new ArrayList<>();
  final List<Boolean> snapshots = new ArrayList<>();

  /** Only of a filter with a window. */
  final List<byte[]> rings = new ArrayList<>();

  final List<Long> newest = new ArrayList<>();

  SampleFile(FileHeader header) {
    this.header = header;
  }

  static FileHeader header(long bitSize, int numHashFunctions) {
    var parameters =
        FilterParameters.forShape(
            HashSchemes.nativeScheme(), bitSize, numHashFunctions, WhenFull.ACCEPT);
    return new FileHeader(new FilterName("sample"), parameters, 3, MOMENT);
  }

  /** A filter of which each bit is set with the given probability. */
  static SampleFile random(Random random, FileHeader header, double fill) {
    var file = new SampleFile(header);
    for (var segment = 0; segment < header.plan().segments(); segment++) {
      var bitmap = file.empty(segment);
      if (fill == 1) {
        Arrays.fill(bitmap, (byte) 0xff);
      } else if (fill > 0) {
        random.nextBytes(bitmap);
      }
      file.bitmaps.add(bitmap);
      file.insertions.add((long) random.nextInt(1000));
      file.snapshots.add(random.nextBoolean());
    }
    return file;
  }

  /** Two segments of one MiB. */
  static SampleFile ofTwoSegments(Random random) {
    return random(random, header((1L << 24) + 64, 5), 0.5);
  }

  /** Four blocks, the last of which is not full. */
  static SampleFile ofFourBlocks(Random random) {
    return random(random, header(8 * 200_000, 7), 0.5);
  }

  /** A segment without a bit set. */
  byte[] empty(int segment) {
    return new byte[(int) header.plan().shapeOf(segment).segmentBytes()];
  }

  /** Sets the bits of an element in one layer. */
  void add(Layer layer, byte[] element) {
    var shape = layer.shape();
    var positions = new long[shape.numHashFunctions()];
    var segment = header.parameters().hashScheme().locate(element, shape, positions);
    for (var bit : positions) {
      bitmaps.get(layer.firstSegment() + segment)[(int) (bit >> 3)] |= (byte) (0x80 >> (bit & 7));
    }
  }

  byte[] write() {
    var out = new ByteArrayOutputStream();
    try {
      var file = new FilterFileWriter(out, header);
      for (var segment = 0; segment < header.plan().segments(); segment++) {
        file.write(bitmaps.get(segment));
        if (header.parameters().window().isPresent()) {
          file.rings(newest.get(segment), rings.get(segment));
        }
        file.endSegment(insertions.get(segment), snapshots.get(segment));
      }
      file.end();
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return out.toByteArray();
  }

  static SampleFile read(byte[] file) {
    try {
      var reader = new FilterFileReader(new ByteArrayInputStream(file));
      var read = new SampleFile(reader.header());
      reader.read(read.sink());
      return read;
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  private FilterFileSink sink() {
    return new FilterFileSink() {
      @Override
      public void block(int segment, long offset, byte[] buffer, int start, int length) {
        if (offset == 0) {
          bitmaps.add(empty(segment));
        }
        System.arraycopy(buffer, start, bitmaps.get(segment), (int) offset, length);
      }

      @Override
      public void rings(int segment, long newestElement, byte[] some) {
        newest.add(newestElement);
        rings.add(some);
      }

      @Override
      public void endSegment(int segment, SegmentCounts counts, boolean snapshot) {
        var bitmap = bitmaps.get(segment);
        var counted = 0;
        for (var value : bitmap) {
          counted += Integer.bitCount(value & 0xff);
        }
        if (counted != counts.bitsSet()) {
          throw new AssertionError("counted " + counted + ", reported " + counts.bitsSet());
        }
        insertions.add(counts.insertions());
        snapshots.add(snapshot);
      }
    };
  }

  /** The first byte of each record of a file, and the end of the file. */
  List<Integer> boundaries() {
    var found = new ArrayList<Integer>();
    var json = HeaderJson.write(header).length;
    found.add(0);
    var at = FileLayout.PREAMBLE_BYTES + json + FileLayout.CHECKSUM_BYTES;
    for (var bitmap : bitmaps) {
      for (var left = bitmap.length; left > 0; left -= FileLayout.BLOCK_BYTES) {
        found.add(at);
        at += FileLayout.BLOCK_HEAD_BYTES + FileLayout.CHECKSUM_BYTES;
        at += Math.min(left, FileLayout.BLOCK_BYTES);
      }
      found.add(at);
      at += FileLayout.SEGMENT_BYTES + FileLayout.CHECKSUM_BYTES;
    }
    found.add(at);
    found.add(at + FileLayout.TAG_BYTES + FileLayout.DIGEST_BYTES);
    return found;
  }
}
