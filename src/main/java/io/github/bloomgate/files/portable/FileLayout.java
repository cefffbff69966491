package io.github.bloomgate.files.portable;

import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.Window;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** The constants of the file. All numbers in it are big-endian. */
final class FileLayout {

  /**
   * The first eight bytes. As in PNG files, the first has its high bit set and a line end follows,
   * which detects a transfer as text: 0x89 {@code BLOOM} CR LF.
   */
  static final long MAGIC = 0x89424c4f4f4d0d0aL;

  static final int VERSION = 1;

  /** Magic, version, length of the JSON. */
  static final int PREAMBLE_BYTES = 16;

  /** The limit of JSON in a header. It usually has about 500 bytes; each layer adds 150. */
  static final int MAX_JSON_BYTES = 8192;

  /** Bitmap bytes of a block; the last block of a segment may have fewer. */
  static final int BLOCK_BYTES = 65_536;

  /** {@code BLCK}: a block. */
  static final int BLOCK = 0x424c434b;

  /** {@code RING}: the rings of a segment with a window. */
  static final int RINGS = 0x52494e47;

  /** {@code SEGM}: the end of a segment. */
  static final int SEGMENT = 0x5345474d;

  /** {@code DONE}: the end of the file. */
  static final int DONE = 0x444f4e45;

  /** Tag, segment, offset. */
  static final int BLOCK_HEAD_BYTES = 16;

  /** Tag, segment, latest time of an element; the rings follow. */
  static final int RINGS_HEAD_BYTES = 16;

  /** Tag, segment, bits set, insertions, snapshot. */
  static final int SEGMENT_BYTES = 28;

  static final int TAG_BYTES = 4;

  static final int CHECKSUM_BYTES = 4;

  static final int DIGEST_BYTES = 32;

  /** The length of the longest record, which writer and reader buffer. */
  static final int MAX_RECORD_BYTES = BLOCK_HEAD_BYTES + BLOCK_BYTES + CHECKSUM_BYTES;

  /** Redis could not sum larger numbers exactly. */
  static final long MAX_INSERTIONS = 1L << 50;

  /** The latest time, in Unix milliseconds, for the same reason. */
  static final long LATEST = 1L << 50;

  private FileLayout() {}

  /** The bytes of a segment's rings. */
  static int ringsBytes(FilterParameters parameters) {
    return ((Window) parameters.kind())
        .layout(parameters.expectedInsertions(), parameters.shape().segments())
        .headerBytes();
  }

  static MessageDigest newDigest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java platform has SHA-256", e);
    }
  }
}
