package io.github.bloomgate.segment;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** The rings of a window, side by side in one bitmap, with begin, end and content of each. */
final class Rings {

  private final Bitmap bits;
  private final int k;
  private final int ringBytes;

  /** By time: milliseconds; by insertions: the number of the ring, from 1. 0 if never used. */
  private final long[] begins;

  /** The latest possible time of the ring's last element. */
  private final long[] ends;

  private final long[] counts;

  /** The number of 1 bits of each ring. */
  private final long[] fills;

  /** The ring that began last; -1 if none. */
  private int newest = -1;

  record Ring(Bitmap bits, long begin, long end, long count) {

    /** Both as one. This copy must not be used afterwards. */
    Ring with(Ring later) {
      bits.join(0, later.bits);
      return new Ring(bits, begin, Math.max(end, later.end), count + later.count);
    }
  }

  /**
   * @param header from {@link #header}
   * @throws IllegalArgumentException if the header does not fit the rings
   */
  Rings(Bitmap bits, int k, int rings, byte[] header) {
    this.bits = bits;
    this.k = k;
    this.ringBytes = bits.capacity() / rings;
    this.begins = new long[rings];
    this.ends = new long[rings];
    this.counts = new long[rings];
    this.fills = new long[rings];
    var in = ByteBuffer.wrap(header);
    var number = in.getLong();
    for (var ring = 0; ring < rings; ring++) {
      begins[ring] = in.getLong();
      ends[ring] = in.getLong();
      counts[ring] = in.getLong();
      fills[ring] = in.getLong();
      require(ring);
    }
    var latest = Arrays.stream(begins).max().orElseThrow();
    if (number < 0 || number > rings || latest != (number == 0 ? 0 : begins[(int) number - 1])) {
      throw new IllegalArgumentException("the header has an impossible newest ring");
    }
    newest = (int) number - 1;
  }

  private void require(int ring) {
    var isUsed = isUsed(ring);
    if (begins[ring] < 0
        || counts[ring] < 0
        || ends[ring] < begins[ring]
        || isUsed != ends[ring] > 0
        || isUsed != counts[ring] > 0
        || isUsed != fills[ring] > 0
        || fills[ring] != bits.count(ring * ringBytes, ringBytes)) {
      throw new IllegalArgumentException("the header has an impossible ring");
    }
  }

  byte[] header() {
    var header = ByteBuffer.allocate(WindowLayout.headerBytes(begins.length));
    header.putLong(newest + 1L);
    for (var ring = 0; ring < begins.length; ring++) {
      var count = Math.min(counts[ring], SegmentHeader.MOST_INSERTIONS);
      header.putLong(begins[ring]).putLong(ends[ring]).putLong(count).putLong(fills[ring]);
    }
    return header.array();
  }

  /**
   * Reads the counts of the rings in use, newest first.
   *
   * @param bitmapBytes of all rings
   * @throws IllegalArgumentException if the counts are impossible
   */
  static List<SegmentCounts.Ring> read(byte[] header, int bitmapBytes) {
    var rings = (header.length - Long.BYTES) / WindowLayout.RING_BYTES;
    var newest = ByteBuffer.wrap(header).getLong() - 1;
    // If rings began in the same millisecond, the one with the lower index is older: it filled up.
    return LongStream.range(0, rings)
        .map(age -> Math.floorMod(newest - age, (long) rings))
        .mapToObj(ring -> read(header, (int) ring, (long) Byte.SIZE * bitmapBytes / rings))
        .filter(ring -> ring.begin() > 0)
        .sorted(Comparator.comparingLong(SegmentCounts.Ring::begin).reversed())
        .toList();
  }

  private static SegmentCounts.Ring read(byte[] header, int ring, long bits) {
    var in = ByteBuffer.wrap(header).position(Long.BYTES + ring * WindowLayout.RING_BYTES);
    var counts = new SegmentCounts.Ring(in.getLong(), in.getLong(), in.getLong(), in.getLong());
    if (counts.begin() < 0
        || counts.end() < counts.begin()
        || counts.end() >= SegmentHeader.MOST_TIME
        || counts.elements() < 0
        || counts.elements() > SegmentHeader.MOST_INSERTIONS
        || counts.bitsSet() < 0
        || counts.bitsSet() > bits) {
      throw new IllegalArgumentException("the header has an impossible ring");
    }
    return counts;
  }

  /** The same header, with begins limited to {@code latest}. */
  static byte[] notLater(byte[] header, long latest) {
    var out = ByteBuffer.wrap(header.clone());
    for (var at = Long.BYTES; at < header.length; at += WindowLayout.RING_BYTES) {
      var ahead = out.getLong(at) - latest;
      if (ahead > 0) {
        out.putLong(at, latest).putLong(at + Long.BYTES, out.getLong(at + Long.BYTES) - ahead);
      }
    }
    return out.array();
  }

  /** The number of rings that have elements, which may have expired. */
  int used() {
    var used = 0;
    for (var begin : begins) {
      used += begin > 0 ? 1 : 0;
    }
    return used;
  }

  boolean isUsed(int ring) {
    return begins[ring] > 0;
  }

  int newest() {
    return newest;
  }

  long begin(int ring) {
    return begins[ring];
  }

  long end(int ring) {
    return ends[ring];
  }

  void setEnd(int ring, long end) {
    ends[ring] = end;
  }

  long elements(int ring) {
    return counts[ring];
  }

  boolean contains(int ring, int[] positions, int from) {
    return bits.contains(positions, from, k, Byte.SIZE * ringBytes * ring);
  }

  void put(int ring, int[] positions, int from) {
    fills[ring] += bits.set(positions, from, k, Byte.SIZE * ringBytes * ring);
    counts[ring]++;
  }

  /** The ring that ended first, or an unused one. */
  int oldest() {
    var oldest = 0;
    for (var ring = 1; ring < ends.length; ring++) {
      if (ends[ring] < ends[oldest]) {
        oldest = ring;
      }
    }
    return oldest;
  }

  /** Empties a ring and makes it the newest. */
  void begin(int ring, long begin, long end) {
    if (fills[ring] > 0) {
      bits.clear(ring * ringBytes, ringBytes);
    }
    begins[ring] = begin;
    ends[ring] = end;
    counts[ring] = 0;
    fills[ring] = 0;
    newest = ring;
  }

  void clear() {
    bits.clear(0, bits.capacity());
    Stream.of(begins, ends, counts, fills).forEach(numbers -> Arrays.fill(numbers, 0));
    newest = -1;
  }

  /** Copies of the rings in use, oldest first. */
  List<Ring> copies() {
    return IntStream.range(0, begins.length)
        .filter(this::isUsed)
        .mapToObj(
            ring ->
                new Ring(
                    bits.part(ring * ringBytes, ringBytes), begins[ring], ends[ring], counts[ring]))
        .sorted(Comparator.comparingLong(Ring::begin))
        .toList();
  }

  /** Writes a copy to the unused ring after the newest one. */
  void append(Ring copy, long begin, long end) {
    begin(newest + 1, begin, end);
    fills[newest] = bits.join(newest * ringBytes, copy.bits);
    counts[newest] = copy.count;
  }

  int positions() {
    return Byte.SIZE * ringBytes;
  }
}
