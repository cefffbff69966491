package io.github.bloomgate.segment;

import java.nio.ByteBuffer;

/**
 * A segment with counters of 4 bits instead of bits, so that elements can be removed. Counter p is
 * the higher half of byte p / 2 if p is even, else the lower half. A counter that has reached 15
 * stays there, because it is not known how often it was raised.
 *
 * <p>Equal positions of an element are one counter, which goes up and down by one: so the smallest
 * of its counters never falls below how often it was added less how often it was removed.
 *
 * <p>Source: Fan, Cao, Almeida, Broder, "Summary Cache", 2000.
 */
final class CountingContent implements SegmentContent {

  /** Bytes in the header: how many counters are above 0, and how many are full. */
  static final int HEADER_BYTES = 2 * Long.BYTES;

  private static final int BITS = 4;
  private static final int MOST = 15;

  /** The lowest bit of each counter of a word. */
  private static final long ONES = 0x1111_1111_1111_1111L;

  private final Bitmap counters;
  private final int k;
  private final long maxInsertions;

  /** The counters of an element as they were read last. */
  private final int[] found;

  private long insertions;
  private long above0;
  private long full;

  /**
   * A content.
   *
   * @param header what {@link #kindHeader} wrote
   * @throws IllegalArgumentException if the counters are not those of the header
   */
  CountingContent(Bitmap counters, int k, long maxInsertions, long insertions, byte[] header) {
    this(counters, k, maxInsertions, insertions);
    if (!ByteBuffer.wrap(header).equals(ByteBuffer.wrap(kindHeader()))) {
      throw new IllegalArgumentException("the counters are not those of the header");
    }
  }

  private CountingContent(Bitmap counters, int k, long maxInsertions, long insertions) {
    this.counters = counters;
    this.k = k;
    this.found = new int[k];
    this.maxInsertions = maxInsertions;
    this.insertions = insertions;
    countAll();
  }

  /** What {@link #kindHeader} tells of counters. */
  static byte[] header(Bitmap counters) {
    return new CountingContent(counters, 1, 0, 0).kindHeader();
  }

  private void countAll() {
    above0 = 0;
    full = 0;
    for (var i = 0; i < counters.capacity(); i += Long.BYTES) {
      var word = counters.word(i);
      var any = word | word >>> 2;
      above0 += Long.bitCount((any | any >>> 1) & ONES);
      var all = word & word >>> 2;
      full += Long.bitCount(all & all >>> 1 & ONES);
    }
  }

  @Override
  public boolean contains(int[] positions, int from) {
    for (var i = from; i < from + k; i++) {
      if (counter(positions[i]) == 0) {
        return false;
      }
    }
    return true;
  }

  @Override
  public int count(int[] positions, int from) {
    var least = MOST;
    for (var i = 0; i < k; i++) {
      found[i] = counter(positions[from + i]);
      least = Math.min(least, found[i]);
    }
    return least;
  }

  /** Only full counters stay as they are; removals may lower all others. */
  @Override
  public boolean isSettled(int[] positions, int from) {
    for (var i = from; i < from + k; i++) {
      if (counter(positions[i]) < MOST) {
        return false;
      }
    }
    return true;
  }

  @Override
  public Added add(int[] positions, int from, long stamp) {
    var least = count(positions, from);
    if (least == MOST) {
      return Added.KNOWN;
    }
    if (maxInsertions > 0 && insertions >= maxInsertions) {
      return Added.REFUSED;
    }
    move(positions, from, 1);
    insertions++;
    return least == 0 ? Added.NEW : Added.KNOWN;
  }

  @Override
  public boolean remove(int[] positions, int from) {
    if (count(positions, from) == 0) {
      return false;
    }
    // Removing elements that were never added can lower insertions below what is there.
    if (move(positions, from, -1) && insertions > 0) {
      insertions--;
    }
    return true;
  }

  /**
   * Moves the counters of an element that were found below full; whether one moved. A counter that
   * is no longer as it was found has moved already, for an equal position.
   */
  private boolean move(int[] positions, int from, int by) {
    var moved = false;
    for (var i = 0; i < k; i++) {
      var position = positions[from + i];
      var before = found[i];
      if (before < MOST && counter(position) == before) {
        note(before, -1);
        note(before + by, 1);
        set(position, before + by);
        moved = true;
      }
    }
    return moved;
  }

  private void note(int counter, int by) {
    above0 += counter > 0 ? by : 0;
    full += counter == MOST ? by : 0;
  }

  private int counter(int position) {
    return counters.octet(position >>> 1) >>> shift(position) & MOST;
  }

  private void set(int position, int counter) {
    var shift = shift(position);
    var others = counters.octet(position >>> 1) & ~(MOST << shift);
    counters.putOctet(position >>> 1, others | counter << shift);
  }

  private static int shift(int position) {
    return (position & 1) == 0 ? BITS : 0;
  }

  /** Counters are added up, to 15 at most. */
  @Override
  public void addAll(SegmentContent other) {
    var added = ((CountingContent) other).counters;
    for (var i = 0; i < counters.capacity(); i++) {
      var more = added.octet(i);
      var before = counters.octet(i);
      var high = Math.min(MOST, (before >>> BITS) + (more >>> BITS));
      var low = Math.min(MOST, (before & MOST) + (more & MOST));
      counters.putOctet(i, high << BITS | low);
    }
    insertions += other.insertions();
    countAll();
  }

  @Override
  public byte[] kindHeader() {
    return ByteBuffer.allocate(HEADER_BYTES).putLong(above0).putLong(full).array();
  }

  /** How many counters are above 0. */
  long above0() {
    return above0;
  }

  /** How many counters stay where they are. */
  long full() {
    return full;
  }

  /** Removals make room: no element is refused for ever. */
  @Override
  public boolean isFull() {
    return false;
  }

  @Override
  public long insertions() {
    return insertions;
  }

  @Override
  public int positions() {
    return Byte.SIZE / BITS * counters.capacity();
  }

  @Override
  public long bitsSet() {
    return counters.bitsSet();
  }
}
