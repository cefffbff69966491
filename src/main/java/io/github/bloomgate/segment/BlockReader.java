package io.github.bloomgate.segment;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** Reads consecutive blocks of a journal. */
public final class BlockReader {

  private final byte[] bytes;
  private final int k;
  private int begin;
  private int end;

  /** Reads blocks of elements with k bits each. */
  public BlockReader(byte[] bytes, int k) {
    this(bytes, 0, k);
  }

  BlockReader(byte[] bytes, int from, int k) {
    this.bytes = bytes;
    this.k = k;
    this.end = from;
  }

  /**
   * Moves to the next block; false at the end.
   *
   * @throws IllegalArgumentException if the next bytes are not a block
   */
  public boolean next() {
    begin = end;
    if (begin == bytes.length) {
      return false;
    }
    if (bytes.length - begin < Block.bytes(0, k)
        || bytes.length - begin < Block.bytes(entries(), k)
        || (head() & ~(Block.MOST_ENTRIES | Block.REMOVAL)) != 0) {
      throw new IllegalArgumentException("the journal is not a sequence of blocks");
    }
    end = begin + Block.bytes(entries(), k);
    return true;
  }

  private int head() {
    return (bytes[begin] & 0xff) << 8 | (bytes[begin + 1] & 0xff);
  }

  int entries() {
    return head() & Block.MOST_ENTRIES;
  }

  boolean isRemoval() {
    return (head() & Block.REMOVAL) != 0;
  }

  /** The bit offsets of the entries from an index to before another. */
  int[] positions(int from, int to) {
    var positions = new int[(to - from) * k];
    var at = begin + Block.HEAD_BYTES + from * k * Block.OFFSET_BYTES;
    for (var i = 0; i < positions.length; i++, at += Block.OFFSET_BYTES) {
      positions[i] =
          (bytes[at] & 0xff) << 16 | (bytes[at + 1] & 0xff) << 8 | (bytes[at + 2] & 0xff);
    }
    return positions;
  }

  int length() {
    return end - begin;
  }

  /** The Redis time at which the block was appended, in milliseconds. */
  public long stamp() {
    return ByteBuffer.wrap(bytes).getLong(end - Block.MARK_BYTES - Long.BYTES) & (1L << 48) - 1;
  }

  public byte[] mark() {
    return Arrays.copyOfRange(bytes, end - Block.MARK_BYTES, end);
  }
}
