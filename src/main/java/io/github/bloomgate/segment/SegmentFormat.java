package io.github.bloomgate.segment;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * The format of all segments of a layer, derived from the filter's definition.
 *
 * @param bitmapBytes B, the length of the bitmap; with a window a multiple of its rings, with
 *     counters of 8
 * @param numHashFunctions k, the bits of an element
 * @param kind whether elements are kept, counted or expire
 */
public record SegmentFormat(int bitmapBytes, int numHashFunctions, Kind kind) {

  /** A longer bitmap is written with the first fold. */
  private static final int MOST_INITIAL = 1 << 16;

  private static final int SHORT_JOURNAL = 1 << 12;

  public sealed interface Kind {
    /** Refuses new elements, with counters all, above this number; 0 for never. */
    default long maxInsertions() {
      return 0;
    }
  }

  public record Fixed(long maxInsertions) implements Kind {}

  public record Counting(long maxInsertions) implements Kind {}

  public record Windowed(WindowLayout layout) implements Kind {}

  private int kindBytes() {
    if (kind instanceof Windowed window) {
      return window.layout.headerBytes();
    }
    return kind instanceof Counting ? CountingContent.HEADER_BYTES : 0;
  }

  SegmentContent content(Bitmap bits, SegmentHeader header) {
    var insertions = header.insertions();
    if (kind instanceof Windowed window) {
      return new WindowContent(
          bits, numHashFunctions, window.layout, insertions, header.newest(), header.kind());
    }
    var most = kind.maxInsertions();
    return kind instanceof Counting
        ? new CountingContent(bits, numHashFunctions, most, insertions, header.kind())
        : new FixedContent(bits, numHashFunctions, most, insertions);
  }

  /**
   * A copy of bits or counters from elsewhere, to be joined.
   *
   * @throws IllegalArgumentException if the length differs
   */
  public SegmentCopy copyOf(byte[] bitmap, long insertions) {
    return copyOf(bitmap, insertions, 0, emptyHeader().kind(), 0);
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
  public SegmentCopy copyOf(
      byte[] bitmap, long insertions, long newest, byte[] rings, long latest) {
    var empty = emptyHeader();
    if (bitmap.length != bitmapBytes || rings.length != empty.kind().length) {
      throw new IllegalArgumentException("the content does not fit the segment");
    }
    var bits = new Bitmap(bitmap, bitmap.length);
    try {
      var itsKind = kind instanceof Counting ? CountingContent.header(bits) : rings;
      if (kind instanceof Windowed windowed && windowed.layout().isByTime()) {
        itsKind = Rings.notLater(rings, latest);
      }
      var header =
          new SegmentHeader(
              0, 0, bits.bitsSet(), insertions, Math.min(newest, latest), itsKind, empty.mark());
      return new SegmentCopy(this, bits, header, false);
    } catch (IllegalArgumentException malformed) {
      bits.free();
      throw malformed;
    }
  }

  SegmentHeader header(byte[] segment, int at) {
    return SegmentHeader.read(segment, at, kindBytes());
  }

  /**
   * Whether the bitmap contains the whole journal, so that the counts of the header are current.
   *
   * @param length of the whole segment
   * @throws IllegalArgumentException if the header is invalid
   */
  public boolean isFolded(byte[] header, long length) {
    var some = header(header, 0);
    var beforeHeader = length < bitmapBytes + headerBytes() ? 0 : bitmapBytes;
    return some.folded() == some.base() + length - beforeHeader - headerBytes();
  }

  SegmentHeader emptyHeader() {
    return SegmentHeader.empty(kindBytes());
  }

  /** H, the length of the header in bytes. */
  public int headerBytes() {
    return SegmentHeader.bytes(kindBytes());
  }

  /** Whether a new segment gets its bitmap with the first fold. */
  boolean startsBare() {
    return bitmapBytes > MOST_INITIAL;
  }

  /** Whether a segment with these insertions would take the longest journal without refusals. */
  boolean takesJournal(long insertions) {
    var most = kind.maxInsertions();
    var entries = journalLimit() / (numHashFunctions * Block.OFFSET_BYTES) + Block.MOST_ENTRIES;
    return most == 0 || insertions + entries <= most;
  }

  /**
   * The counts of a header, as of the last fold.
   *
   * @param millis the time that decides which rings of a window have expired
   * @throws IllegalArgumentException if the header is invalid
   */
  public SegmentCounts counts(byte[] header, long millis) {
    return counts(header(header, 0), millis);
  }

  SegmentCounts counts(SegmentHeader header, long millis) {
    if (kind instanceof Windowed window) {
      var now = Math.max(millis, header.newest());
      var rings = window.layout.remembered(Rings.read(header.kind()), now);
      var bitsSet = rings.stream().mapToLong(RingCounts::bitsSet).sum();
      return new SegmentCounts(bitsSet, header.insertions(), 0, rings);
    }
    if (kind instanceof Counting) {
      var counters = ByteBuffer.wrap(header.kind());
      return new SegmentCounts(
          counters.getLong(0), header.insertions(), counters.getLong(Long.BYTES), List.of());
    }
    return new SegmentCounts(header.bitsSet(), header.insertions());
  }

  /** The journal length at which the segment must be folded, in bytes. */
  public int journalLimit() {
    return Math.max(SHORT_JOURNAL, bitmapBytes);
  }
}
