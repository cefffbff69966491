package io.github.bloomgate.files.portable;

import io.github.bloomgate.hash.BitCount;
import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.model.FilterPlan;
import io.github.bloomgate.model.Window;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.StreamErrors;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.zip.CRC32C;

/** Reads Bloomgate's own format. Only the header has a variable length, which is limited. */
public final class FilterFileReader implements FilterReader {

  private final InputStream in;
  private final MessageDigest digest = FileLayout.newDigest();
  private final CRC32C checksum = new CRC32C();
  private final byte[] buffer = new byte[FileLayout.MAX_RECORD_BYTES];
  private final ByteBuffer record = ByteBuffer.wrap(buffer);
  private final FileHeader header;

  private long recordStart;

  private int filled;

  /** Reads and checks the header. */
  public FilterFileReader(InputStream in) throws IOException {
    this.in = in;
    this.header = readHeader();
  }

  /** The header, which is verified only by {@link #read}. */
  public FileHeader header() {
    return header;
  }

  @Override
  public FilterPlan plan() {
    return header.plan();
  }

  @Override
  public void read(FilterFileSink sink) throws IOException {
    for (var layer : header.plan().layers()) {
      for (var segment = layer.firstSegment(); segment < layer.endSegment(); segment++) {
        readSegment(segment, layer.shape(), sink);
      }
    }
    readEnd();
  }

  private void readSegment(int segment, FilterShape shape, FilterFileSink sink) throws IOException {
    var bitsSet = 0L;
    for (var offset = 0L; offset < shape.segmentBytes(); ) {
      var length = (int) Math.min(FileLayout.BLOCK_BYTES, shape.segmentBytes() - offset);
      readBlock(segment, shape, offset, length);
      bitsSet += BitCount.of(buffer, FileLayout.BLOCK_HEAD_BYTES, length);
      sink.block(segment, offset, buffer, FileLayout.BLOCK_HEAD_BYTES, length);
      offset += length;
    }
    if (header.parameters().kind() instanceof Window) {
      readRings(segment, sink);
    }
    readSegmentEnd(segment, bitsSet, sink);
  }

  private FileHeader readHeader() throws IOException {
    beginRecord();
    fill(Long.BYTES);
    if (record.getLong(0) != FileLayout.MAGIC) {
      throw corrupt("it does not begin like a Bloomgate file; for other files, send their format");
    }
    fill(FileLayout.PREAMBLE_BYTES);
    var version = record.getInt(8);
    if (version != FileLayout.VERSION) {
      throw StreamErrors.otherVersion(Integer.toUnsignedString(version), FileLayout.VERSION);
    }
    var length = record.getInt(12);
    if (length < 0 || length > FileLayout.MAX_JSON_BYTES) {
      throw corrupt(
          "its header claims to be longer than %d bytes".formatted(FileLayout.MAX_JSON_BYTES));
    }
    fillChecked(FileLayout.PREAMBLE_BYTES + length);
    return FileHeader.read(buffer, FileLayout.PREAMBLE_BYTES, length);
  }

  private void readBlock(int segment, FilterShape shape, long offset, int length)
      throws IOException {
    beginRecord();
    fill(FileLayout.BLOCK_HEAD_BYTES);
    if (record.getInt(0) != FileLayout.BLOCK
        || record.getInt(4) != segment
        || record.getLong(8) != offset) {
      throw corrupt("expected the block of segment %d at its byte %d".formatted(segment, offset));
    }
    fillChecked(FileLayout.BLOCK_HEAD_BYTES + length);
    var padding = (int) ((offset + length) * Byte.SIZE - shape.segmentBits());
    if (padding > 0) {
      var last = buffer[FileLayout.BLOCK_HEAD_BYTES + length - 1] & 0xff;
      if ((last & (1 << padding) - 1) != 0) {
        throw corrupt("segment %d has bits set after its last".formatted(segment));
      }
    }
  }

  private void readRings(int segment, FilterFileSink sink) throws IOException {
    begin(FileLayout.RINGS, segment, "rings");
    var end = FileLayout.RINGS_HEAD_BYTES + FileLayout.ringsBytes(header.parameters());
    fillChecked(end);
    for (var at = FileLayout.RINGS_HEAD_BYTES - Long.BYTES; at < end; at += Long.BYTES) {
      if (record.getLong(at) < 0 || record.getLong(at) > FileLayout.LATEST) {
        throw corrupt("the rings of segment %d have impossible values".formatted(segment));
      }
    }
    sink.rings(
        segment,
        record.getLong(FileLayout.RINGS_HEAD_BYTES - Long.BYTES),
        Arrays.copyOfRange(buffer, FileLayout.RINGS_HEAD_BYTES, end));
  }

  private void readSegmentEnd(int segment, long bitsSet, FilterFileSink sink) throws IOException {
    begin(FileLayout.SEGMENT, segment, "end");
    fillChecked(FileLayout.SEGMENT_BYTES);
    if (record.getLong(8) != bitsSet) {
      throw corrupt(
          "segment %d claims %d bits set, but has %d"
              .formatted(segment, record.getLong(8), bitsSet));
    }
    var insertions = record.getLong(16);
    var snapshot = record.getInt(24);
    if (insertions < 0 || insertions > FileLayout.MAX_INSERTIONS || snapshot < 0 || snapshot > 1) {
      throw corrupt("segment %d ends with impossible values".formatted(segment));
    }
    sink.endSegment(segment, insertions);
  }

  private void readEnd() throws IOException {
    beginRecord();
    fill(FileLayout.TAG_BYTES);
    if (record.getInt(0) != FileLayout.DONE) {
      throw corrupt("expected the end of the file");
    }
    digest.update(buffer, 0, FileLayout.TAG_BYTES);
    var expected = digest.digest();
    fill(FileLayout.TAG_BYTES + FileLayout.DIGEST_BYTES);
    if (!ByteBuffer.wrap(buffer, FileLayout.TAG_BYTES, FileLayout.DIGEST_BYTES)
        .equals(ByteBuffer.wrap(expected))) {
      throw corrupt("the digest does not match");
    }
    beginRecord();
    if (in.read() != -1) {
      throw corrupt("there are bytes after the end");
    }
  }

  private void begin(int tag, int segment, String what) throws IOException {
    beginRecord();
    fill(FileLayout.TAG_BYTES + Integer.BYTES);
    if (record.getInt(0) != tag || record.getInt(4) != segment) {
      throw corrupt("expected the %s of segment %d".formatted(what, segment));
    }
  }

  private void beginRecord() {
    recordStart += filled;
    filled = 0;
  }

  /** Fills the buffer with the first {@code length} bytes of the record. */
  private void fill(int length) throws IOException {
    filled += in.readNBytes(buffer, filled, length - filled);
    if (filled < length) {
      throw corrupt("it is cut off after %d bytes".formatted(recordStart + filled));
    }
  }

  /** Fills the buffer and verifies the checksum that follows. */
  private void fillChecked(int length) throws IOException {
    fill(length + FileLayout.CHECKSUM_BYTES);
    checksum.reset();
    checksum.update(buffer, 0, length);
    if (record.getInt(length) != (int) checksum.getValue()) {
      throw corrupt("the checksum is wrong");
    }
    digest.update(buffer, 0, filled);
  }

  private BloomException corrupt(String problem) {
    return StreamErrors.corruptImport(problem, recordStart);
  }
}
