package io.github.bloomgate.segment;

/**
 * The layout of a block of the journal: count and flags, entries, stamp, mark. An entry is the bit
 * offsets of one element. The script that appends a block stamps it with the time of Redis; the
 * writer draws the mark.
 */
final class Block {

  /** Bytes of the number of entries and the flags. */
  static final int HEAD_BYTES = 2;

  /** Bytes of a bit offset: enough for a segment of 2^24 bits. */
  static final int OFFSET_BYTES = 3;

  /** Bytes of the time, in milliseconds. */
  static final int STAMP_BYTES = 6;

  /** Bytes of the mark. */
  static final int MARK_BYTES = 8;

  /** The flag of entries that are removed. */
  static final int REMOVAL = 0x4000;

  /** The most entries of a block. */
  static final int MOST_ENTRIES = 0x3fff;

  private Block() {}

  /** How long a block is in the journal. */
  static int bytes(int entries, int k) {
    return HEAD_BYTES + entries * k * OFFSET_BYTES + STAMP_BYTES + MARK_BYTES;
  }
}
