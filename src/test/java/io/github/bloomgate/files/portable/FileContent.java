package io.github.bloomgate.files.portable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.FilterPlan;
import io.github.bloomgate.model.Layer;
import io.github.bloomgate.model.WhenFull;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** The content of a file: read from one, random, or to be written. */
public final class FileContent implements FilterFileSink {

  private static final Instant MOMENT = Instant.parse("2026-11-21T14:00:00.123Z");

  private final FileHeader header;
  private final List<byte[]> bitmaps = new ArrayList<>();
  private final List<Long> insertions = new ArrayList<>();

  /** Only for a window filter. */
  private final List<byte[]> rings = new ArrayList<>();

  private final List<Long> newest = new ArrayList<>();
  private long filled;

  FileContent(FileHeader header) {
    this.header = header;
  }

  static FileHeader header(long bitSize, int numHashFunctions) {
    return header(
        FilterPlan.of(
            FilterParameters.forShape(
                HashSchemes.nativeScheme(), bitSize, numHashFunctions, WhenFull.ACCEPT)));
  }

  static FileHeader header(FilterPlan plan) {
    return new FileHeader(new FilterName("sample"), plan, 3, MOMENT);
  }

  /** Random content, with each bit set with the given probability: 0, a half or 1. */
  static FileContent random(Random random, FileHeader header, double fill) {
    var content = new FileContent(header);
    for (var segment = 0; segment < header.plan().segments(); segment++) {
      var bitmap = content.empty(segment);
      if (fill == 1) {
        Arrays.fill(bitmap, (byte) 0xff);
      } else if (fill > 0) {
        random.nextBytes(bitmap);
      }
      content.bitmaps.add(bitmap);
      content.insertions.add((long) random.nextInt(1000));
      if (header.parameters().window().isPresent()) {
        content.rings.add(new byte[FileLayout.ringsBytes(header.parameters())]);
        content.newest.add((long) segment);
      }
    }
    return content;
  }

  /** Four blocks, the last of them not full. */
  static FileContent ofFourBlocks(Random random) {
    return random(random, header(8 * 200_000, 7), 0.5);
  }

  /** Reads and verifies a file of the service. */
  public static FileContent read(byte[] file) {
    return read(new ByteArrayInputStream(file));
  }

  public static FileContent read(InputStream file) {
    try {
      var reader = new FilterFileReader(file);
      var content = new FileContent(reader.header());
      reader.read(content);
      return content;
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private byte[] empty(int segment) {
    return new byte[(int) header.plan().layerOf(segment).shape().segmentBytes()];
  }

  @Override
  public void block(int segment, long offset, byte[] buffer, int start, int length) {
    assertEquals(filled, offset);
    assertTrue(length > 0);
    if (offset == 0) {
      assertEquals(segment, bitmaps.size());
      bitmaps.add(empty(segment));
    }
    System.arraycopy(buffer, start, bitmaps.get(segment), (int) offset, length);
    filled += length;
  }

  @Override
  public void rings(int segment, long newestElement, byte[] some) {
    newest.add(newestElement);
    rings.add(some);
  }

  @Override
  public void endSegment(int segment, long counted) {
    insertions.add(counted);
    filled = 0;
  }

  public FileHeader header() {
    return header;
  }

  public List<byte[]> bitmaps() {
    return bitmaps;
  }

  public List<Long> insertions() {
    return insertions;
  }

  /** The rings of each segment, as in its header. */
  public List<byte[]> rings() {
    return rings;
  }

  List<Long> newest() {
    return newest;
  }

  /** Whether the file may contain the element according to its bits, ignoring any window. */
  public boolean mightContain(byte[] element) {
    return header.plan().layers().stream().anyMatch(layer -> mightContain(layer, element));
  }

  private boolean mightContain(Layer layer, byte[] element) {
    var shape = layer.shape();
    var positions = new long[Math.max(2, shape.numHashFunctions())];
    var segment =
        layer.firstSegment() + header.parameters().hashScheme().locate(element, shape, positions);
    return Arrays.stream(positions, 0, shape.numHashFunctions())
        .allMatch(bit -> (bitmaps.get(segment)[(int) (bit >> 3)] & 0x80 >> (bit & 7)) != 0);
  }

  byte[] write() {
    var out = new ByteArrayOutputStream();
    try {
      var file = new FilterFileWriter(out, header);
      for (var segment = 0; segment < bitmaps.size(); segment++) {
        file.write(bitmaps.get(segment));
        if (!rings.isEmpty()) {
          file.rings(newest.get(segment), rings.get(segment));
        }
        file.endSegment(insertions.get(segment), true);
      }
      file.end();
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return out.toByteArray();
  }

  /** The offset of each record in a file, and the end of the file. */
  List<Integer> boundaries() {
    var found = new ArrayList<Integer>();
    found.add(0);
    var at =
        FileLayout.PREAMBLE_BYTES + HeaderJson.write(header).length + FileLayout.CHECKSUM_BYTES;
    for (var bitmap : bitmaps) {
      for (var left = bitmap.length; left > 0; left -= FileLayout.BLOCK_BYTES) {
        found.add(at);
        at += FileLayout.BLOCK_HEAD_BYTES + FileLayout.CHECKSUM_BYTES;
        at += Math.min(left, FileLayout.BLOCK_BYTES);
      }
      if (!rings.isEmpty()) {
        found.add(at);
        at += FileLayout.RINGS_HEAD_BYTES + rings.get(0).length + FileLayout.CHECKSUM_BYTES;
      }
      found.add(at);
      at += FileLayout.SEGMENT_BYTES + FileLayout.CHECKSUM_BYTES;
    }
    found.add(at);
    found.add(at + FileLayout.TAG_BYTES + FileLayout.DIGEST_BYTES);
    return found;
  }
}
