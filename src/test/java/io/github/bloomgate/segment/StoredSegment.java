package io.github.bloomgate.segment;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/** A segment as stored in Redis. Does the same to its bytes as the scripts in {@code lua}. */
final class StoredSegment {

  private final SegmentFormat format;
  private byte[] bytes;

  StoredSegment(SegmentFormat format, boolean isBare) {
    this.format = format;
    var header = format.emptyHeader().toBytes();
    bytes = new byte[(isBare ? 0 : format.bitmapBytes()) + header.length];
    System.arraycopy(header, 0, bytes, bytes.length - header.length, header.length);
  }

  byte[] bytes() {
    return bytes.clone();
  }

  private int headerAt() {
    return bytes.length < format.bitmapBytes() + format.headerBytes() ? 0 : format.bitmapBytes();
  }

  private int journalAt() {
    return headerAt() + format.headerBytes();
  }

  private long base() {
    return ByteBuffer.wrap(bytes).getLong(headerAt() + Long.BYTES);
  }

  void append(byte[] sent, long stamp) {
    var length = bytes.length;
    bytes = Arrays.copyOf(bytes, length + sent.length + Block.STAMP_BYTES);
    ByteBuffer.wrap(bytes)
        .position(length)
        .put(sent, Block.MARK_BYTES, sent.length - Block.MARK_BYTES)
        .putShort((short) (stamp >>> 32))
        .putInt((int) stamp)
        .put(sent, 0, Block.MARK_BYTES);
  }

  byte[] behind(long position) {
    return Arrays.copyOfRange(
        bytes, journalAt() + Math.toIntExact(position - base()), bytes.length);
  }

  /** Replaces the segment by the string of a fold. Blocks after the position stay. */
  void fold(byte[] folded, long position) {
    var out = new ByteArrayOutputStream();
    out.writeBytes(folded);
    out.writeBytes(behind(position));
    bytes = out.toByteArray();
  }

  void patch(List<SegmentField> fields) {
    for (var field : fields) {
      for (var bit = 0; bit < field.bits(); bit++) {
        var at = field.bit() + bit;
        var mask = 0x80 >>> (at & 7);
        var isSet = (field.value() >>> (field.bits() - 1 - bit) & 1) == 1;
        var index = Math.toIntExact(at >>> 3);
        bytes[index] = (byte) (isSet ? bytes[index] | mask : bytes[index] & ~mask);
      }
    }
  }
}
