package io.github.bloomgate.segment;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * What all segments of a layer are like. It follows from the definition of the filter.
 *
 * @param bitmapBytes B, the length of the bitmap
 * @param numHashFunctions k, the bits of an element
 * @param kind what becomes of elements
 */
public record SegmentFormat(int bitmapBytes, int numHashFunctions, Kind kind) {

  /** A segment with a longer bitmap gets it with its first fold. */
  private static final int MOST_BORN = 1 << 16;

  /** A journal shorter than this is never long. */
  private static final int SHORT_JOURNAL = 1 << 12;

  /** What becomes of elements. */
  public sealed interface Kind {}

  /**
   * Nothing is forgotten.
   *
   * @param maxInsertions beyond which new elements are refused; 0: never
   */
  public record Fixed(long maxInsertions) implements Kind {}

  /**
   * Elements can be removed.
   *
   * @param maxInsertions beyond which elements are refused; 0: never
   */
  public record Counting(long maxInsertions) implements Kind {}

  /** Elements are forgotten. */
  public record Windowed(WindowLayout layout) implements Kind {}

  /** Checks that windows have rings of whole bytes. */
  public SegmentFormat {
    if (bitmapBytes < 1
        || numHashFunctions < 1
        || (kind instanceof Windowed window && bitmapBytes % window.layout.rings() != 0)
        || (kind instanceof Counting && bitmapBytes % Long.BYTES != 0)) {
      throw new IllegalArgumentException(
          "no segments of %d bytes and %d hash functions: %s"
              .formatted(bitmapBytes, numHashFunctions, kind));
    }
  }

  private int kindBytes() {
    if (kind instanceof Windowed window) {
      return window.layout.headerBytes();
    }
    return kind instanceof Counting ? CountingContent.HEADER_BYTES : 0;
  }

  /** The content of a bitmap with such a header. */
  SegmentContent content(Bitmap bits, SegmentHeader header) {
    var insertions = header.insertions();
    if (kind instanceof Windowed window) {
      return new WindowContent(
          bits, numHashFunctions, window.layout, insertions, header.newest(), header.kind());
    }
    return kind instanceof Counting counting
        ? new CountingContent(
            bits, numHashFunctions, counting.maxInsertions, insertions, header.kind())
        : new FixedContent(bits, numHashFunctions, ((Fixed) kind).maxInsertions, insertions);
  }

  /**
   * A copy of bits or counters that are in no segment, to be joined.
   *
   * @throws IllegalArgumentException if they have another length
   */
  public SegmentCopy copyOf(byte[] bitmap, long insertions) {
    return copyOf(bitmap, insertions, 0, emptyHeader().kind(), 0);
  }

  /**
   * A copy of rings that are in no segment, to be joined. If they come from a Redis whose clock is
   * ahead, their times after {@code latest} count as that: otherwise what they are joined with
   * would be forgotten too early.
   *
   * @param newest the latest stamp of an element, in milliseconds; 0 for none
   * @param rings what {@link SegmentContent#kindHeader} tells of them
   * @param latest the time of the Redis that they are joined in
   * @throws IllegalArgumentException if they do not belong to the bitmap
   */
  public SegmentCopy copyOf(
      byte[] bitmap, long insertions, long newest, byte[] rings, long latest) {
    var empty = emptyHeader();
    if (bitmap.length != bitmapBytes || rings.length != empty.kind().length) {
      throw new IllegalArgumentException("the content is not that of such a segment");
    }
    var bits = new Bitmap(bitmap, bitmap.length);
    var itsKind = kind instanceof Counting ? CountingContent.header(bits) : rings;
    if (kind instanceof Windowed windowed && windowed.layout().isByTime()) {
      itsKind = Rings.notLater(rings, latest);
    }
    var header =
        new SegmentHeader(
            0, 0, bits.bitsSet(), insertions, Math.min(newest, latest), itsKind, empty.mark());
    return new SegmentCopy(this, bits, header, false);
  }

  /** Reads the header of a segment at an index. */
  SegmentHeader header(byte[] segment, int at) {
    return SegmentHeader.read(segment, at, kindBytes());
  }

  /**
   * Whether the bitmap contains the whole journal, so that the header counts all of it.
   *
   * @param length of the whole segment
   * @throws IllegalArgumentException if it is no header of such a segment
   */
  public boolean isFolded(byte[] header, long length) {
    var some = header(header, 0);
    var beforeHeader = length < bitmapBytes + headerBytes() ? 0 : bitmapBytes;
    return some.folded() == some.base() + length - beforeHeader - headerBytes();
  }

  /** The bytes of the header of a segment to which nothing was added. */
  public byte[] newHeader() {
    return emptyHeader().toBytes();
  }

  /** The header of a segment to which nothing was added. */
  SegmentHeader emptyHeader() {
    return SegmentHeader.empty(kindBytes());
  }

  /** H, the length of the header in bytes. */
  public int headerBytes() {
    return SegmentHeader.bytes(kindBytes());
  }

  /** Whether a new segment has no bitmap before its first fold. */
  boolean isBornBare() {
    return bitmapBytes > MOST_BORN;
  }

  /** Whether a segment with so many insertions refuses no element of the longest journal. */
  boolean takesJournal(long insertions) {
    var most = kind instanceof Counting counting ? counting.maxInsertions : maxOfFixed();
    var entries = journalLimit() / (numHashFunctions * Block.OFFSET_BYTES) + Block.MOST_ENTRIES;
    return most == 0 || insertions + entries <= most;
  }

  private long maxOfFixed() {
    return kind instanceof Fixed fixed ? fixed.maxInsertions : 0;
  }

  /**
   * Reads what a header counts, which is as of its last fold.
   *
   * @throws IllegalArgumentException if it is no header of such a segment
   */
  public SegmentFigures figures(byte[] header) {
    return figures(header(header, 0));
  }

  /** What a header counts. */
  SegmentFigures figures(SegmentHeader header) {
    var counters = ByteBuffer.wrap(header.kind());
    var isCounting = kind instanceof Counting;
    return new SegmentFigures(
        header.newest(),
        header.bitsSet(),
        header.insertions(),
        isCounting ? counters.getLong() : 0,
        isCounting ? counters.getLong() : 0,
        kind instanceof Windowed ? Rings.read(header.kind()) : List.of());
  }

  /** How long a journal may become before the segment must be folded, in bytes. */
  public int journalLimit() {
    return Math.max(SHORT_JOURNAL, bitmapBytes);
  }

  /** What a copy takes in memory, in bytes. */
  public int copyBytes() {
    return bitmapBytes;
  }
}
