package io.github.bloomgate.files;

import io.github.bloomgate.files.portable.FileHeader;
import io.github.bloomgate.files.portable.FilterFileReader;
import io.github.bloomgate.files.portable.FilterFileSink;
import io.github.bloomgate.model.Layer;
import io.github.bloomgate.model.SegmentCounts;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** The verified content of a file, held in memory and tested like a filter. */
public final class ExportedFilter implements FilterFileSink {

  private final FileHeader header;
  private final List<byte[]> bitmaps = new ArrayList<>();
  private final List<SegmentCounts> counts = new ArrayList<>();
  private final List<byte[]> rings = new ArrayList<>();

  private ExportedFilter(FileHeader header) {
    this.header = header;
  }

  /** Reads and verifies a file. */
  public static ExportedFilter read(byte[] file) {
    return read(new ByteArrayInputStream(file));
  }

  public static ExportedFilter read(InputStream file) {
    try {
      var reader = new FilterFileReader(file);
      var filter = new ExportedFilter(reader.header());
      reader.read(filter);
      return filter;
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  @Override
  public void block(int segment, long offset, byte[] buffer, int start, int length) {
    if (offset == 0) {
      bitmaps.add(new byte[(int) header.plan().shapeOf(segment).segmentBytes()]);
    }
    System.arraycopy(buffer, start, bitmaps.get(segment), (int) offset, length);
  }

  @Override
  public void rings(int segment, long newest, byte[] some) {
    rings.add(some);
  }

  @Override
  public void endSegment(int segment, SegmentCounts counted, boolean snapshot) {
    counts.add(counted);
  }

  public FileHeader header() {
    return header;
  }

  public List<byte[]> bitmaps() {
    return bitmaps;
  }

  public List<SegmentCounts> counts() {
    return counts;
  }

  /** The rings of each segment, as its header has them. */
  public List<byte[]> rings() {
    return rings;
  }

  /** Whether the file might contain the element, by the bits alone. */
  public boolean mightContain(byte[] element) {
    return header.plan().layers().stream().anyMatch(layer -> mightContain(layer, element));
  }

  private boolean mightContain(Layer layer, byte[] element) {
    var shape = layer.shape();
    var positions = new long[Math.max(2, shape.numHashFunctions())];
    var segment =
        layer.firstSegment() + header.parameters().hashScheme().locate(element, shape, positions);
    for (var i = 0; i < shape.numHashFunctions(); i++) {
      var bit = positions[i];
      if ((bitmaps.get(segment)[(int) (bit >> 3)] & 0x80 >> (bit & 7)) == 0) {
        return false;
      }
    }
    return true;
  }
}
