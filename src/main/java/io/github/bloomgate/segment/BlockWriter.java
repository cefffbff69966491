package io.github.bloomgate.segment;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;

/** Writes one block in the form sent to Redis: mark, count and flags, entries. */
public final class BlockWriter {

  private final int k;
  private final int most;
  private final byte[] bytes;
  private int length;
  private int entries;
  private int flags;

  /**
   * An empty block for elements with k bits each.
   *
   * @param most the number of entries to make room for; a block has at most {@link
   *     Block#MOST_ENTRIES}
   */
  public BlockWriter(int k, int most) {
    this.k = k;
    this.most = Math.min(most, Block.MOST_ENTRIES);
    this.bytes = new byte[Block.MARK_BYTES + Block.HEAD_BYTES + this.most * entryBytes(k)];
  }

  /**
   * Appends an entry that adds or removes an element.
   *
   * @param positions the element's are the {@code k} from index {@code from}
   * @return false if the block is full, or holds removals and this is none, or the reverse
   */
  public boolean append(boolean isRemoval, int[] positions, int from) {
    var wanted = isRemoval ? Block.REMOVAL : 0;
    if (entries == most || (entries > 0 && flags != wanted)) {
      return false;
    }
    if (entries == 0) {
      begin(wanted);
    }
    for (var i = from; i < from + k; i++) {
      bytes[length++] = (byte) (positions[i] >>> 16);
      bytes[length++] = (byte) (positions[i] >>> 8);
      bytes[length++] = (byte) positions[i];
    }
    entries++;
    return true;
  }

  private void begin(int wanted) {
    flags = wanted;
    System.arraycopy(freshMark(), 0, bytes, 0, Block.MARK_BYTES);
    length = Block.MARK_BYTES + Block.HEAD_BYTES;
  }

  public static byte[] freshMark() {
    return ByteBuffer.allocate(Block.MARK_BYTES)
        .putLong(ThreadLocalRandom.current().nextLong())
        .array();
  }

  /** The length of an entry for an element with k bits. */
  public static int entryBytes(int k) {
    return k * Block.OFFSET_BYTES;
  }

  public boolean isEmpty() {
    return entries == 0;
  }

  /** Its length in the journal, in bytes. */
  public int appendedBytes() {
    return Block.bytes(entries, k);
  }

  public byte[] mark() {
    return Arrays.copyOf(bytes, Block.MARK_BYTES);
  }

  /** The block as sent; no bytes if it has no entries. */
  public byte[] bytes() {
    ByteBuffer.wrap(bytes).putShort(Block.MARK_BYTES, (short) (entries | flags));
    return Arrays.copyOf(bytes, length);
  }
}
