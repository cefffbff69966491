package io.github.bloomgate.files.portable;

import io.github.bloomgate.hash.BitCount;
import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.model.Window;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.zip.CRC32C;

/** Writes Bloomgate's own format. Readers refuse a file without its end. */
public final class FilterFileWriter implements FilterWriter {

  private final OutputStream out;
  private final MessageDigest digest = FileLayout.newDigest();
  private final CRC32C checksum = new CRC32C();
  private final ByteBuffer record = ByteBuffer.allocate(FileLayout.MAX_RECORD_BYTES);

  private int segment;
  private long offset;
  private long bitsSet;

  /** Writes the header. */
  public FilterFileWriter(OutputStream out, FileHeader header) throws IOException {
    this.out = out;
    var json = header.json();
    record.putLong(FileLayout.MAGIC).putInt(FileLayout.VERSION).putInt(json.length).put(json);
    writeChecked();
  }

  public static long length(FileHeader header) {
    return FileLayout.PREAMBLE_BYTES
        + header.json().length
        + FileLayout.CHECKSUM_BYTES
        + header.plan().layers().stream().mapToLong(layer -> length(layer.shape())).sum()
        + (header.parameters().kind() instanceof Window ? lengthOfRings(header) : 0)
        + FileLayout.TAG_BYTES
        + FileLayout.DIGEST_BYTES;
  }

  /** The length of the segments of one layer. */
  private static long length(FilterShape shape) {
    var blocks = (shape.segmentBytes() - 1) / FileLayout.BLOCK_BYTES + 1;
    var perBlock = FileLayout.BLOCK_HEAD_BYTES + FileLayout.CHECKSUM_BYTES;
    var perSegment = FileLayout.SEGMENT_BYTES + FileLayout.CHECKSUM_BYTES;
    return shape.segments() * (blocks * perBlock + shape.segmentBytes() + perSegment);
  }

  private static long lengthOfRings(FileHeader header) {
    var rings = FileLayout.ringsBytes(header.parameters());
    var perSegment = FileLayout.RINGS_HEAD_BYTES + rings + FileLayout.CHECKSUM_BYTES;
    return (long) header.plan().segments() * perSegment;
  }

  @Override
  public void write(byte[] bytes) throws IOException {
    for (var start = 0; start < bytes.length; start += FileLayout.BLOCK_BYTES) {
      var length = Math.min(FileLayout.BLOCK_BYTES, bytes.length - start);
      record.putInt(FileLayout.BLOCK).putInt(segment).putLong(offset).put(bytes, start, length);
      bitsSet += BitCount.of(bytes, start, length);
      offset += length;
      writeChecked();
    }
  }

  @Override
  public void rings(long newest, byte[] rings) throws IOException {
    record.putInt(FileLayout.RINGS).putInt(segment).putLong(newest).put(rings);
    writeChecked();
  }

  @Override
  public long bitsSet() {
    return bitsSet;
  }

  @Override
  public void endSegment(long insertions, boolean snapshot) throws IOException {
    record.putInt(FileLayout.SEGMENT).putInt(segment).putLong(bitsSet).putLong(insertions);
    record.putInt(snapshot ? 1 : 0);
    writeChecked();
    segment++;
    offset = 0;
    bitsSet = 0;
  }

  @Override
  public void end() throws IOException {
    record.putInt(FileLayout.DONE);
    digest.update(record.array(), 0, record.position());
    record.put(digest.digest());
    out.write(record.array(), 0, record.position());
    record.clear();
  }

  private void writeChecked() throws IOException {
    checksum.reset();
    checksum.update(record.array(), 0, record.position());
    record.putInt((int) checksum.getValue());
    digest.update(record.array(), 0, record.position());
    out.write(record.array(), 0, record.position());
    record.clear();
  }
}
