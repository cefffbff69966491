package io.github.bloomgate.files.portable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.FilterPlan;
import io.github.bloomgate.model.Layer;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.Window;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
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
    return new FileHeader(new FilterName("sample"), plan, 3, Optional.of(MOMENT));
  }

  /** Random content, with each bit set with the given probability: 0, a half or 1. */
  static FileContent random(Random random, FileHeader header, double fill) {
    var content = new FileContent(header);
    for (var segment = 0; segment < header.plan().segments(); segment++) {
      var bitmap = new byte[content.bitmapBytes(segment)];
      if (fill == 1) {
        Arrays.fill(bitmap, (byte) 0xff);
      } else if (fill > 0) {
        random.nextBytes(bitmap);
      }
      content.bitmaps.add(bitmap);
      content.insertions.add((long) random.nextInt(1000));
      if (header.parameters().kind() instanceof Window) {
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
      return read(reader, reader.header());
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** Reads and verifies a file in any format. */
  public static FileContent read(FileDescription description, byte[] file) throws IOException {
    var reader = description.read(new ByteArrayInputStream(file));
    return read(reader, header(reader.plan()));
  }

  private static FileContent read(FilterReader reader, FileHeader header) throws IOException {
    var content = new FileContent(header);
    reader.read(content);
    assertEquals(header.plan().segments(), content.insertions.size());
    return content;
  }

  private int bitmapBytes(int segment) {
    return (int) header.plan().layerOf(segment).shape().segmentBytes();
  }

  /** Allocates only as much as the file has, whatever size it claims. */
  @Override
  public void block(int segment, long offset, byte[] buffer, int start, int length) {
    assertTrue(length > 0);
    if (offset == 0) {
      assertEquals(segment, bitmaps.size());
      bitmaps.add(new byte[0]);
    }
    var before = bitmaps.get(segment);
    assertEquals(before.length, offset);
    var bitmap = Arrays.copyOf(before, before.length + length);
    System.arraycopy(buffer, start, bitmap, before.length, length);
    bitmaps.set(segment, bitmap);
  }

  @Override
  public void rings(int segment, long newestElement, byte[] some) {
    newest.add(newestElement);
    rings.add(some);
  }

  @Override
  public void endSegment(int segment, long counted) {
    assertEquals(segment, insertions.size());
    insertions.add(counted);
    // The file of a bitmap may end early.
    bitmaps.set(segment, Arrays.copyOf(bitmaps.get(segment), bitmapBytes(segment)));
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

  public List<Long> newest() {
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
    return write(FileFormat.BLOOMGATE);
  }

  public byte[] write(FileFormat format) {
    var out = new ByteArrayOutputStream();
    try {
      var file = format.write(header, out);
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
    assertEquals(format.length(header), out.size());
    return out.toByteArray();
  }

  /** The offset of each record in a file, and the end of the file. */
  List<Integer> boundaries() {
    var found = new ArrayList<Integer>();
    found.add(0);
    var at = FileLayout.PREAMBLE_BYTES + header.json().length + FileLayout.CHECKSUM_BYTES;
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
