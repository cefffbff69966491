package io.github.bloomgate.journal;

import io.github.bloomgate.model.Slice;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Writes blocks of a journal: 2 bytes with the number of entries, the entries, and the mark of the
 * block, 16 hexadecimal digits. An entry is the k bit offsets of one element, 3 bytes each. Of a
 * segment that forgets a block may also tell that a slice begins: then its number is there, in 8
 * bytes, in place of entries. Of a segment with counters a block may tell that its entries are
 * removed. {@code lua/journal.lua} reads the same.
 */
public final class Blocks {

  /** Bytes of a bit offset: enough for {@link SegmentCopies#MAX_SEGMENT_BYTES}. */
  static final int OFFSET_BYTES = 3;

  /** Bytes of the number of entries. */
  static final int HEADER_BYTES = 2;

  /** Bytes of a mark. */
  static final int MARK_BYTES = 16;

  /** In the place of the number of entries: a slice begins. */
  static final int TURN = 0x8000;

  /** Added to the number of entries: they are removed. */
  static final int REMOVAL = 0x4000;

  /** Bytes of the number of a slice. */
  static final int SLICE_BYTES = Long.BYTES;

  /** Few enough bits that a script can set those of a block at once. */
  private static final int MAX_BITS = 1024;

  private static final long NO_SLICE = -1;

  private final Marks marks;
  private final int k;

  /** How many bits a script looks at or sets for an entry. */
  private final int work;

  /** The slice that begins with the first entry. */
  private final long first;

  private byte[] bytes = new byte[64];
  private int length;

  /** Where the open block begins; -1 if none is open. */
  private int open = -1;

  private int entries;

  /** What is added to the number of entries of the open block. */
  private int kind;

  private String mark = "";

  /** Blocks of elements with so many bits each. */
  public Blocks(Marks marks, int k) {
    this(marks, k, k, NO_SLICE);
  }

  private Blocks(Marks marks, int k, int work, long first) {
    this.marks = marks;
    this.k = k;
    this.work = work;
    this.first = first;
  }

  /** Blocks of what is added to a segment; the first has it begin a slice if that is due. */
  public static Blocks of(SegmentCopy copy, Marks marks) {
    var isDue = copy.content().slice().filter(slice -> slice.number() < slice.now());
    var k = copy.numHashFunctions();
    return new Blocks(marks, k, k + copy.content().looks(), isDue.map(Slice::now).orElse(NO_SLICE));
  }

  /** Bytes of one entry. */
  static int entryBytes(int k) {
    return OFFSET_BYTES * k;
  }

  /**
   * Adds an entry.
   *
   * @param positions bit offsets; k from {@code from} on are those of the element
   */
  public void add(int[] positions, int from) {
    if (isEmpty() && first != NO_SLICE) {
      turn();
    }
    entry(0, positions, from);
  }

  /** Adds an entry that removes an element; likewise. */
  public void remove(int[] positions, int from) {
    entry(REMOVAL, positions, from);
  }

  private void entry(int wanted, int[] positions, int from) {
    if (kind != wanted) {
      close();
      kind = wanted;
    }
    if (open < 0) {
      open = length;
      ensure(HEADER_BYTES);
      length += HEADER_BYTES;
    }
    ensure(entryBytes(k));
    for (var i = from; i < from + k; i++) {
      bytes[length++] = (byte) (positions[i] >>> 16);
      bytes[length++] = (byte) (positions[i] >>> 8);
      bytes[length++] = (byte) positions[i];
    }
    entries++;
    if ((entries + 1) * work > MAX_BITS) {
      close();
    }
  }

  private void turn() {
    open = length;
    ensure(HEADER_BYTES + SLICE_BYTES);
    ByteBuffer.wrap(bytes).putLong(length + HEADER_BYTES, first);
    length += HEADER_BYTES + SLICE_BYTES;
    entries = TURN;
    close();
  }

  private void close() {
    if (open < 0) {
      return;
    }
    var header = entries | kind;
    bytes[open] = (byte) (header >>> 8);
    bytes[open + 1] = (byte) header;
    mark = marks.next();
    ensure(MARK_BYTES);
    System.arraycopy(mark.getBytes(StandardCharsets.US_ASCII), 0, bytes, length, MARK_BYTES);
    length += MARK_BYTES;
    open = -1;
    entries = 0;
  }

  private void ensure(int more) {
    if (length + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + more));
    }
  }

  /** Whether there is no entry. */
  public boolean isEmpty() {
    return length == 0;
  }

  /** About how long they are. */
  public int length() {
    return length;
  }

  /** All blocks; none can be added to afterwards. */
  public byte[] bytes() {
    close();
    return Arrays.copyOf(bytes, length);
  }

  /** The mark of the last block; empty if there is none. */
  public String mark() {
    close();
    return mark;
  }
}
