package io.github.bloomgate.segment;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The content of a segment as of a position of its journal, in memory. Not thread-safe.
 *
 * <p>A position counts the bytes of the journal since the segment was made; with the mark in front
 * of it, it names one content.
 */
public final class SegmentCopy {

  /** The most numbers that a patch writes; Redis needs about a microsecond for each. */
  public static final int MOST_FIELDS = 1_900;

  /** How far joined content is put behind the position: farther than any journal is long. */
  private static final long JOIN_GAP = 1L << 30;

  private final SegmentFormat format;
  private final Bitmap bits;
  private final SegmentContent content;
  private final int[] positions;
  private long position;
  private byte[] mark;
  private long base;
  private long folded;
  private long newest;
  private boolean isBare;

  SegmentCopy(SegmentFormat format, Bitmap bits, SegmentHeader header, boolean isBare) {
    this.format = format;
    this.bits = bits;
    this.content = format.content(bits, header);
    this.positions = new int[format.numHashFunctions()];
    this.base = header.base();
    this.folded = header.folded();
    this.position = header.base();
    this.mark = header.mark();
    this.newest = header.newest();
    this.isBare = isBare;
  }

  /** A copy of a segment to which nothing was added, or of which nothing is known. */
  public static SegmentCopy empty(SegmentFormat format) {
    return new SegmentCopy(
        format, new Bitmap(format.bitmapBytes()), format.emptyHeader(), format.isBornBare());
  }

  /**
   * A copy of a segment, from its whole string. A segment without a bitmap is shorter than bitmap
   * and header together.
   *
   * @throws IllegalArgumentException if it is no such segment
   */
  public static SegmentCopy read(SegmentFormat format, byte[] segment) {
    var isBare = segment.length < format.bitmapBytes() + format.headerBytes();
    var at = isBare ? 0 : format.bitmapBytes();
    var header = format.header(segment, at);
    var bits =
        isBare ? new Bitmap(format.bitmapBytes()) : new Bitmap(segment, format.bitmapBytes());
    if (bits.bitsSet() != header.bitsSet()) {
      throw new IllegalArgumentException("the bits are not those of the header");
    }
    if (isBare && !header.isEmpty()) {
      throw new IllegalArgumentException("the segment has content and no bitmap");
    }
    var copy = new SegmentCopy(format, bits, header, isBare);
    copy.readJournal(segment, at + format.headerBytes());
    return copy;
  }

  /** The blocks up to {@code folded} are in the bitmap already. */
  private void readJournal(byte[] segment, int from) {
    for (var reader = new BlockReader(segment, from, positions.length); reader.next(); ) {
      if (position < folded && position + reader.length() <= folded) {
        reach(reader.length(), reader.mark(), reader.stamp());
      } else if (position < folded) {
        throw new IllegalArgumentException("the bitmap ends within a block");
      } else {
        apply(reader);
      }
    }
    if (position < folded) {
      throw new IllegalArgumentException("the journal is shorter than the header says");
    }
  }

  /** Gives the memory of the copy back; its content is of no use then. */
  public void free() {
    bits.free();
  }

  /** What the segment holds. */
  public SegmentContent content() {
    return content;
  }

  /** What the segment is like. */
  public SegmentFormat format() {
    return format;
  }

  /** What the segment counts as of the position. */
  public SegmentFigures figures() {
    return format.figures(header(base, position, mark));
  }

  /** How far the copy has come. */
  public long position() {
    return position;
  }

  /** The mark in front of the position, 8 bytes. */
  public byte[] mark() {
    return mark.clone();
  }

  /** Up to where the bitmap in Redis contains every block, as far as is known. */
  public long folded() {
    return folded;
  }

  /**
   * Applies what other instances have appended behind the position.
   *
   * @throws IllegalArgumentException if it is not a row of blocks of this segment
   */
  public void apply(byte[] blocks) {
    for (var reader = new BlockReader(blocks, positions.length); reader.next(); ) {
      apply(reader);
    }
  }

  /** Applies the block that a reader is at. */
  public void apply(BlockReader block) {
    for (var entry = 0; entry < block.entries(); entry++) {
      block.positions(entry, positions);
      for (var one : positions) {
        if (one >= content.positions()) {
          throw new IllegalArgumentException("the journal has a bit beyond the segment");
        }
      }
      if (block.isRemoval()) {
        content.remove(positions, 0);
      } else {
        content.add(positions, 0, block.stamp());
      }
    }
    reach(block.length(), block.mark(), block.stamp());
  }

  /** Notes that a block was appended whose entries are in the content already. */
  public void reach(int appended, byte[] itsMark, long stamp) {
    position += appended;
    mark = itsMark;
    newest = Math.max(newest, stamp);
  }

  /** How many bytes of the journal the bitmap in Redis lacks. */
  public long unfolded() {
    return position - folded;
  }

  /** Whether the segment should be folded before much more is appended. */
  public boolean isLong() {
    return position - base >= format.journalLimit() / (isBare ? 4 : 2);
  }

  /**
   * Compares the header that Redis has now with the one that the copy knows, and learns from it
   * what another instance has folded.
   *
   * @param header empty if the segment has no bitmap
   * @return whether they are the same
   * @throws IllegalArgumentException if it is no header, or a known bitmap is missing
   */
  public boolean confirm(byte[] header) {
    if (header.length == 0 && isBare) {
      return true;
    }
    var current = format.header(header, 0);
    var isSame = !isBare && current.base() == base && current.folded() == folded;
    if (current.folded() < folded) {
      // A crash or a failover took a fold back: the bitmap there may lack any byte.
      bits.forgetClean();
    }
    base = current.base();
    folded = current.folded();
    isBare = false;
    return isSame;
  }

  /**
   * Adds the content of another segment, which is in no block. The copy is then at a position of
   * its own, with a fresh mark, so that no other copy can take the new content for what it knows.
   * Only {@link #fold} may be written now; if that is refused the copy is of no use.
   */
  public void join(SegmentCopy other) {
    content.addAll(other.content);
    newest = Math.max(newest, other.newest);
    position += JOIN_GAP;
    mark = BlockWriter.freshMark();
  }

  /** Whether the segment refuses no element of a journal, however long that is. */
  public boolean takesJournal() {
    return format.takesJournal(content.insertions());
  }

  /** Whether nothing was ever added. */
  public boolean isEmpty() {
    return content.insertions() == 0 && content.bitsSet() == 0;
  }

  /** Whether the journal takes more than an eighth of the bitmap, and should be dropped. */
  public boolean isTrailing() {
    return position - base > format.journalLimit() / 8;
  }

  /** A copy of the bitmap. */
  public byte[] bitmap() {
    var bytes = new byte[bits.capacity()];
    bits.copyTo(bytes);
    return bytes;
  }

  /** The bitmap and the header that bring the segment to the position and drop its journal. */
  public byte[] fold() {
    var header = header(position, position, mark).toBytes();
    var bytes = new byte[bits.capacity() + header.length];
    bits.copyTo(bytes);
    System.arraycopy(header, 0, bytes, bits.capacity(), header.length);
    return bytes;
  }

  private SegmentHeader header(long newBase, long newFolded, byte[] markAtBase) {
    return new SegmentHeader(
        newBase,
        newFolded,
        bits.bitsSet(),
        content.insertions(),
        newest,
        content.kindHeader(),
        markAtBase);
  }

  /**
   * The bytes that bring bitmap and header to the position in place; the journal stays.
   *
   * @return empty if there are too many, or the segment has no bitmap: then fold it
   */
  public Optional<List<SegmentField>> patch() {
    var dirty = bits.dirty();
    if (isBare || dirty.isEmpty()) {
      return Optional.empty();
    }
    var fields = new ArrayList<SegmentField>();
    for (var index : dirty.get()) {
      fields.add(new SegmentField((long) Byte.SIZE * index, Byte.SIZE, bits.octet(index)));
    }
    // The mark at the base stays, and so do magic and base.
    var header = ByteBuffer.wrap(header(base, position, mark).toBytes());
    for (var at = 2 * Long.BYTES; at < header.capacity() - Long.BYTES; at += Long.BYTES) {
      var bit = (long) Byte.SIZE * (bits.capacity() + at);
      fields.add(new SegmentField(bit, Long.SIZE, header.getLong(at)));
    }
    return fields.size() > MOST_FIELDS ? Optional.empty() : Optional.of(fields);
  }

  /** Notes that {@link #patch} was written. */
  public void patched() {
    folded = position;
    bits.clean();
  }

  /** Notes that {@link #fold} has replaced the segment. */
  public void replaced() {
    patched();
    base = position;
    isBare = false;
  }
}
