package io.github.bloomgate.journal;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.nio.ByteBuffer;
import java.util.function.Consumer;

/** Reads blocks of a journal as {@link Blocks} writes them. */
final class BlockReader {

  private final SegmentContent content;
  private final int k;

  /** Does with a segment what is read, of elements with so many bits each. */
  BlockReader(SegmentContent content, int k) {
    this.content = content;
    this.k = k;
  }

  /**
   * Reads all blocks from an index on.
   *
   * @param position of the first of them
   * @param reached is given the end of each
   * @throws IllegalArgumentException if they are none
   */
  void read(byte[] blocks, int from, long position, Consumer<JournalPlace> reached) {
    var at = from;
    while (at < blocks.length) {
      var end = end(blocks, at);
      if (count(blocks, at) == Blocks.TURN) {
        turn(ByteBuffer.wrap(blocks).getLong(at + Blocks.HEADER_BYTES));
      } else {
        change(blocks, at, end - Blocks.MARK_BYTES);
      }
      at = end;
      var mark = new String(blocks, end - Blocks.MARK_BYTES, Blocks.MARK_BYTES, US_ASCII);
      reached.accept(new JournalPlace(position + at - from, mark));
    }
  }

  private int end(byte[] blocks, int at) {
    var count = at + Blocks.HEADER_BYTES > blocks.length ? 0 : count(blocks, at);
    var entries = count & ~Blocks.REMOVAL;
    var bytes = count == Blocks.TURN ? Blocks.SLICE_BYTES : entries * Blocks.entryBytes(k);
    var end = at + Blocks.HEADER_BYTES + bytes + Blocks.MARK_BYTES;
    if (entries == 0 || end > blocks.length) {
      throw new IllegalArgumentException("the journal is not a row of blocks");
    }
    return end;
  }

  private static int count(byte[] blocks, int at) {
    return (blocks[at] & 0xff) << 8 | (blocks[at + 1] & 0xff);
  }

  private void turn(long slice) {
    if (!(content instanceof WindowContent window) || !window.isByTime() || slice < 0) {
      throw new IllegalArgumentException("the journal has a slice that cannot begin");
    }
    window.turn(slice);
  }

  private void change(byte[] blocks, int from, int end) {
    var isRemoval = (count(blocks, from) & Blocks.REMOVAL) != 0;
    if (isRemoval && !(content instanceof CountingContent)) {
      throw new IllegalArgumentException("the journal removes what cannot be removed");
    }
    var positions = new int[k];
    for (var at = from + Blocks.HEADER_BYTES; at < end; ) {
      for (var i = 0; i < k; i++, at += Blocks.OFFSET_BYTES) {
        positions[i] =
            (blocks[at] & 0xff) << 16 | (blocks[at + 1] & 0xff) << 8 | (blocks[at + 2] & 0xff);
        if (positions[i] >= content.positions()) {
          throw new IllegalArgumentException("the journal has a bit beyond the segment");
        }
      }
      if (isRemoval) {
        content.remove(positions, 0);
      } else {
        content.add(positions, 0);
      }
    }
  }
}
