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

    /** How many bits there are at most for a position of an element. */
    default int copiesOfBits() {
      return 1;
    }

    /** Whether a segment has more elements than its rate allows; only a window can tell. */
    default boolean isOverfull(SegmentCounts segment) {
      return false;
    }

    /** The length of its part of a header, in bytes. */
    int headerBytes();

    /**
     * Its part of the header of content from elsewhere.
     *
     * @param given its part there
     * @param latest the time of the destination Redis, which no time exceeds
     */
    default byte[] header(Bitmap bits, byte[] given, long latest) {
      return given;
    }

    /**
     * The content of a segment.
     *
     * @throws IllegalArgumentException if the bits do not match the header
     */
    SegmentContent content(Bitmap bits, int k, SegmentHeader header);

    /**
     * The counts of a header; parameters as of {@link SegmentFormat#counts}.
     *
     * @throws IllegalArgumentException if they are impossible
     */
    SegmentCounts counts(SegmentHeader header, int bitmapBytes, long millis);
  }

  public record Fixed(long maxInsertions) implements Kind {
    @Override
    public int headerBytes() {
      return 0;
    }

    @Override
    public SegmentContent content(Bitmap bits, int k, SegmentHeader header) {
      return new FixedContent(bits, k, maxInsertions, header.insertions());
    }

    @Override
    public SegmentCounts counts(SegmentHeader header, int bitmapBytes, long millis) {
      return new SegmentCounts(header.bitsSet(), header.insertions());
    }
  }

  public record Counting(long maxInsertions) implements Kind {
    @Override
    public byte[] header(Bitmap counters, byte[] given, long latest) {
      return CountingContent.header(counters);
    }

    @Override
    public int headerBytes() {
      return CountingContent.HEADER_BYTES;
    }

    @Override
    public SegmentContent content(Bitmap bits, int k, SegmentHeader header) {
      return new CountingContent(bits, k, maxInsertions, header.insertions(), header.kind());
    }

    @Override
    public SegmentCounts counts(SegmentHeader header, int bitmapBytes, long millis) {
      var counters = ByteBuffer.wrap(header.kind());
      var above0 = counters.getLong(0);
      var full = counters.getLong(Long.BYTES);
      if (full < 0 || above0 < full || above0 > 2L * bitmapBytes) {
        throw new IllegalArgumentException("the header has impossible counters");
      }
      return new SegmentCounts(above0, header.insertions(), full, List.of());
    }
  }

  public record Windowed(WindowLayout layout) implements Kind {
    @Override
    public byte[] header(Bitmap bits, byte[] given, long latest) {
      return layout.isByTime() ? Rings.notLater(given, latest) : given;
    }

    @Override
    public int headerBytes() {
      return layout.headerBytes();
    }

    @Override
    public SegmentContent content(Bitmap bits, int k, SegmentHeader header) {
      return new WindowContent(
          bits, k, layout, header.insertions(), header.newest(), header.kind());
    }

    @Override
    public SegmentCounts counts(SegmentHeader header, int bitmapBytes, long millis) {
      var now = Math.max(millis, header.newest());
      var rings = layout.remembered(Rings.read(header.kind(), bitmapBytes), now);
      var bitsSet = rings.stream().mapToLong(SegmentCounts.Ring::bitsSet).sum();
      return new SegmentCounts(bitsSet, header.insertions(), 0, rings);
    }

    @Override
    public int copiesOfBits() {
      return layout.rings();
    }

    @Override
    public boolean isOverfull(SegmentCounts segment) {
      return layout.isOverfull(segment.rings());
    }
  }

  SegmentContent content(Bitmap bits, SegmentHeader header) {
    return kind.content(bits, numHashFunctions, header);
  }

  /**
   * @throws IllegalArgumentException if there is no header, or it has impossible counts
   */
  SegmentHeader header(byte[] segment, int at) {
    var header = SegmentHeader.read(segment, at, kind.headerBytes());
    if (header.bitsSet() > (long) Byte.SIZE * bitmapBytes) {
      throw new IllegalArgumentException("the header has more bits than the bitmap");
    }
    return header;
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
    return SegmentHeader.empty(kind.headerBytes());
  }

  /** H, the length of the header in bytes. */
  public int headerBytes() {
    return SegmentHeader.bytes(kind.headerBytes());
  }

  /** The off-heap memory of a copy, in bytes. */
  public int copyBytes() {
    return Buffers.capacity(bitmapBytes);
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
    return kind.counts(header, bitmapBytes, millis);
  }

  /** The journal length at which the segment must be folded, in bytes. */
  public int journalLimit() {
    return Math.max(SHORT_JOURNAL, bitmapBytes);
  }
}
