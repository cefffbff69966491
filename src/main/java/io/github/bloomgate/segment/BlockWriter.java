package io.github.bloomgate.segment;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;

/** Writes one block as a caller sends it: its mark, its count and flags, its entries. */
public final class BlockWriter {

  private final int k;
  private byte[] bytes = new byte[64];
  private int length;
  private int entries;
  private int flags;

  /** An empty block for elements with k bits each. */
  public BlockWriter(int k) {
    this.k = k;
  }

  /**
   * Adds an entry.
   *
   * @param positions of which {@code k} from {@code from} on are the element's
   * @return false if the block has no room for it, or entries that are removed
   */
  public boolean add(int[] positions, int from) {
    return put(0, positions, from);
  }

  /** Adds an entry that removes an element; false if there is no room, or the block has others. */
  public boolean remove(int[] positions, int from) {
    return put(Block.REMOVAL, positions, from);
  }

  private boolean put(int wanted, int[] positions, int from) {
    if (entries == Block.MOST_ENTRIES || (entries > 0 && flags != wanted)) {
      return false;
    }
    if (entries == 0) {
      begin(wanted);
    }
    var entryBytes = k * Block.OFFSET_BYTES;
    if (length + entryBytes > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + entryBytes));
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

  /** Draws a mark. */
  public static byte[] freshMark() {
    return ByteBuffer.allocate(Block.MARK_BYTES)
        .putLong(ThreadLocalRandom.current().nextLong())
        .array();
  }

  /** Whether it has no entry. */
  public boolean isEmpty() {
    return entries == 0;
  }

  /** How long it is by now. */
  public int length() {
    return length;
  }

  /** How many bytes it has in the journal. */
  public int appendedBytes() {
    return Block.bytes(entries, k);
  }

  /** Its random mark. */
  public byte[] mark() {
    return Arrays.copyOf(bytes, Block.MARK_BYTES);
  }

  /** The block as it is sent; empty if it has no entry. */
  public byte[] bytes() {
    if (entries > 0) {
      ByteBuffer.wrap(bytes).putShort(Block.MARK_BYTES, (short) (entries | flags));
    }
    return Arrays.copyOf(bytes, length);
  }
}
