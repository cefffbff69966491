package io.github.bloomgate.segment;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * An in-memory copy of a segment at a position of its journal. Not thread-safe.
 *
 * <p>A position is the number of journal bytes since the segment was created. Together with the
 * mark before it, it identifies one content.
 */
public final class SegmentCopy implements AutoCloseable {

  /** The most fields in a patch; Redis needs about a microsecond for each. */
  public static final int MOST_FIELDS = 1_900;

  /** The length of the mark that ends a segment and identifies its content. */
  public static final int MARK_BYTES = Block.MARK_BYTES;

  /** Added to the position when content is joined; longer than any journal. */
  private static final long JOIN_GAP = 1L << 30;

  private final SegmentFormat format;
  private final Bitmap bits;
  private final SegmentContent content;
  private final int k;
  private long position;
  private byte[] mark;
  private long base;
  private long folded;

  /** The position and the base of the string being written to Redis. */
  private long sent;

  private long sentBase;
  private long newest;
  private boolean isBare;

  SegmentCopy(SegmentFormat format, Bitmap bits, SegmentHeader header, boolean isBare) {
    this.format = format;
    this.bits = bits;
    this.content = format.content(bits, header);
    this.k = format.numHashFunctions();
    this.base = header.base();
    this.folded = header.folded();
    this.position = header.base();
    this.mark = header.mark();
    this.newest = header.newest();
    this.isBare = isBare;
  }

  /** A copy of an empty or unknown segment. */
  public static SegmentCopy empty(SegmentFormat format) {
    return new SegmentCopy(
        format, new Bitmap(format.bitmapBytes()), format.emptyHeader(), format.startsBare());
  }

  /**
   * A copy of bits or counters from elsewhere, to be joined.
   *
   * @throws IllegalArgumentException if the length differs
   */
  public static SegmentCopy of(SegmentFormat format, byte[] bitmap, long insertions) {
    return of(format, bitmap, insertions, 0, format.emptyHeader().kind(), 0);
  }

  /**
   * A copy of rings from elsewhere, to be joined. Times after {@code latest}, from a Redis whose
   * clock is ahead, are limited to it; otherwise the elements they are joined with would expire too
   * early.
   *
   * @param newest the latest stamp of an element, in milliseconds; 0 for none
   * @param rings from {@link SegmentContent#kindHeader}
   * @param latest the time of the destination Redis
   * @throws IllegalArgumentException if they do not fit the bitmap
   */
  public static SegmentCopy of(
      SegmentFormat format,
      byte[] bitmap,
      long insertions,
      long newest,
      byte[] rings,
      long latest) {
    var empty = format.emptyHeader();
    if (bitmap.length != format.bitmapBytes() || rings.length != empty.kind().length) {
      throw new IllegalArgumentException("the content does not fit the segment");
    }
    var bits = new Bitmap(bitmap, bitmap.length);
    try {
      var itsKind = format.kind().header(bits, rings, latest);
      var header =
          new SegmentHeader(
              0, 0, bits.bitsSet(), insertions, Math.min(newest, latest), itsKind, empty.mark());
      return new SegmentCopy(format, bits, header, false);
    } catch (IllegalArgumentException malformed) {
      bits.free();
      throw malformed;
    }
  }

  /**
   * A copy of a segment, from its whole string. A segment without a bitmap is shorter than bitmap
   * and header together.
   *
   * @throws IllegalArgumentException if the string is not such a segment
   */
  public static SegmentCopy read(SegmentFormat format, byte[] segment) {
    var isBare = segment.length < format.bitmapBytes() + format.headerBytes();
    var at = isBare ? 0 : format.bitmapBytes();
    var header = format.header(segment, at);
    var bits =
        isBare ? new Bitmap(format.bitmapBytes()) : new Bitmap(segment, format.bitmapBytes());
    try {
      if (isBare ? !header.isEmpty() : bits.bitsSet() != header.bitsSet()) {
        throw new IllegalArgumentException("the bits do not match the header");
      }
      var copy = new SegmentCopy(format, bits, header, isBare);
      copy.readJournal(segment, at + format.headerBytes());
      if (Arrays.equals(copy.mark, format.emptyHeader().mark())) {
        // It was created with its first block.
        throw new IllegalArgumentException("the segment is cut");
      }
      return copy;
    } catch (IllegalArgumentException malformed) {
      bits.free();
      throw malformed;
    }
  }

  /** Skips the blocks up to {@code folded}, which the bitmap already contains. */
  private void readJournal(byte[] segment, int from) {
    for (var reader = new BlockReader(segment, from, k); reader.next(); ) {
      if (position + reader.length() <= folded) {
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

  /** Releases the memory. The copy must not be used afterwards. */
  @Override
  public void close() {
    bits.free();
  }

  public SegmentContent content() {
    return content;
  }

  public SegmentFormat format() {
    return format;
  }

  /**
   * The counts as of the position.
   *
   * @param millis the time that decides which rings of a window have expired
   */
  public SegmentCounts counts(long millis) {
    return format.counts(header(base, position, mark), millis);
  }

  /** The Redis time of the latest add, in Unix milliseconds; 0 for none. */
  public long newest() {
    return newest;
  }

  public long position() {
    return position;
  }

  /** The 8-byte mark before the position. */
  public byte[] mark() {
    return mark.clone();
  }

  /** The position up to which the bitmap in Redis is known to contain every block. */
  public long folded() {
    return folded;
  }

  /**
   * Applies blocks that other instances appended after the position.
   *
   * @throws IllegalArgumentException if they are not blocks of this segment
   */
  public void apply(byte[] blocks) {
    for (var reader = new BlockReader(blocks, k); reader.next(); ) {
      apply(reader);
    }
  }

  /** Applies the reader's current block. */
  public void apply(BlockReader block) {
    for (var entry = 0; entry < block.entries(); entry += SegmentContent.FETCHED) {
      var end = Math.min(block.entries(), entry + SegmentContent.FETCHED);
      apply(block.positions(entry, end), block);
    }
    reach(block.length(), block.mark(), block.stamp());
  }

  private void apply(int[] positions, BlockReader block) {
    for (var one : positions) {
      if (one >= content.positions()) {
        throw new IllegalArgumentException("the journal has a bit beyond the segment");
      }
    }
    content.fetch(positions, 0, positions.length);
    for (var from = 0; from < positions.length; from += k) {
      if (block.isRemoval()) {
        content.remove(positions, from);
      } else {
        content.add(positions, from, block.stamp());
      }
    }
  }

  /** Records that a block was appended whose entries the content already has. */
  public void reach(int appended, byte[] itsMark, long stamp) {
    position += appended;
    mark = itsMark;
    newest = Math.max(newest, stamp);
  }

  /** The length of the segment in Redis, if nothing was appended after the position. */
  public long storedBytes() {
    return (isBare ? 0 : format.bitmapBytes()) + format.headerBytes() + position - base;
  }

  /** Journal bytes that are not in the bitmap in Redis. */
  public long unfolded() {
    return position - folded;
  }

  /** Whether the segment should be folded before much more is appended. */
  public boolean isLong() {
    return position - base >= format.journalLimit() / (isBare ? 4 : 2);
  }

  /**
   * Compares the current header in Redis with the known one, and notes folds by other instances.
   *
   * @param header empty if the segment has no bitmap
   * @return whether they are the same
   * @throws IllegalArgumentException if the header is invalid, or a known bitmap is missing
   */
  public boolean confirm(byte[] header) {
    if (header.length == 0 && isBare) {
      return true;
    }
    var current = format.header(header, 0);
    var isSame = !isBare && current.base() == base && current.folded() == folded;
    if (current.folded() < folded) {
      // A crash or a failover undid a fold, so the bitmap in Redis may lack any byte.
      bits.forgetClean();
    }
    base = current.base();
    folded = current.folded();
    isBare = false;
    return isSame;
  }

  /**
   * Adds the content of another segment, without a block. The copy moves to a new position with a
   * new mark, so that no other copy mistakes the new content for its own. Only {@link #fold} may be
   * written next; if that is refused, the copy must be dropped.
   */
  public void join(SegmentCopy other) {
    content.addAll(other.content);
    newest = Math.max(newest, other.newest);
    position += JOIN_GAP;
    mark = BlockWriter.freshMark();
  }

  /** Notes the changes of the planes from now on. */
  public PlaneChanges follow() {
    content.changes =
        new PlaneChanges(content.planes(), content.planeBytes(), content.usedPlanes());
    return content.changes;
  }

  /** Whether these are the changes of this copy. */
  public boolean isFollowedBy(PlaneChanges changes) {
    return content.changes == changes && changes != null;
  }

  /** Takes the changes of the planes since the last call. */
  public List<PlaneChanges.Change> changes() {
    return content.changes.take(content.usedPlanes());
  }

  /** No longer notes changes of planes. */
  public void unfollow() {
    content.changes = null;
  }

  /** Whether no element of a journal of any length would be refused. */
  public boolean takesJournal() {
    return format.takesJournal(content.insertions());
  }

  public boolean isEmpty() {
    return content.insertions() == 0 && content.bitsSet() == 0;
  }

  /** Whether the journal is longer than an eighth of the bitmap and should be dropped. */
  public boolean isTrailing() {
    return position - base > format.journalLimit() / 8;
  }

  public byte[] bitmap() {
    var bytes = new byte[bits.capacity()];
    bits.copyTo(bytes);
    return bytes;
  }

  /** The bitmap and header as of the position; writing them drops the journal. */
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
        Math.min(content.insertions(), SegmentHeader.MOST_INSERTIONS),
        newest,
        content.kindHeader(),
        markAtBase);
  }

  /**
   * The fields that update bitmap and header in place and keep the journal.
   *
   * @return empty if there are too many or the segment has no bitmap: use {@link #fold}
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
    // Mark, magic and base do not change.
    var header = ByteBuffer.wrap(header(base, position, mark).toBytes());
    for (var at = 2 * Long.BYTES; at < header.capacity() - Long.BYTES; at += Long.BYTES) {
      var bit = (long) Byte.SIZE * (bits.capacity() + at);
      fields.add(new SegmentField(bit, Long.SIZE, header.getLong(at)));
    }
    return fields.size() > MOST_FIELDS ? Optional.empty() : Optional.of(fields);
  }

  /**
   * Records that {@link #patch} is on its way to Redis. The copy may change before {@link #written}
   * or {@link #notWritten} records the outcome.
   */
  public void sendPatch() {
    send(base);
  }

  /** Records that {@link #fold} is on its way to Redis, as {@link #sendPatch} does. */
  public void sendFold() {
    send(position);
  }

  private void send(long baseThen) {
    sent = position;
    sentBase = baseThen;
    bits.clean();
  }

  /** Records that Redis has what was sent. */
  public void written() {
    folded = sent;
    base = sentBase;
    isBare = false;
  }

  /** Records that Redis refused what was sent, or that the outcome is unknown. */
  public void notWritten() {
    bits.forgetClean();
  }
}
