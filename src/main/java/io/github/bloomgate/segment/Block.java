package io.github.bloomgate.segment;

/**
 * The layout of a block of the journal: count and flags, entries, stamp, mark. An entry is the bit
 * offsets of one element. The script that appends a block stamps it with the Redis time; the writer
 * chooses a random mark.
 */
final class Block {

  /** Bytes of the entry count and the flags. */
  static final int HEAD_BYTES = 2;

  /** Bytes of a bit offset: enough for a segment of 2^24 bits. */
  static final int OFFSET_BYTES = 3;

  /** Bytes of the time, in milliseconds. */
  static final int STAMP_BYTES = 6;

  static final int MARK_BYTES = 8;

  /** The flag of a block of removals. */
  static final int REMOVAL = 0x4000;

  static final int MOST_ENTRIES = 0x3fff;

  private Block() {}

  /** The length of a block in the journal. */
  static int bytes(int entries, int k) {
    return HEAD_BYTES + entries * k * OFFSET_BYTES + STAMP_BYTES + MARK_BYTES;
  }
}
