package io.github.bloomgate.segment;

import java.nio.ByteBuffer;

/**
 * A segment with counters of 4 bits instead of bits, so that elements can be removed. Counter p is
 * the higher half of byte p / 2 if p is even, else the lower half. A counter that has reached 15
 * never changes again, because its true value is unknown.
 *
 * <p>If two positions of an element are equal, their counter still changes by one. So the smallest
 * counter of an element is never below its adds minus its removals.
 *
 * <p>Source: Fan, Cao, Almeida, Broder, "Summary Cache", 2000.
 */
final class CountingContent extends SegmentContent {

  /** Header bytes: the number of counters above 0 and of full ones. */
  static final int HEADER_BYTES = 2 * Long.BYTES;

  private static final int BITS = 4;
  private static final int MOST = 15;

  private static final long ONES = 0x1111_1111_1111_1111L;

  private final long maxInsertions;

  /** The counters of the element read last. */
  private final int[] found;

  private long above0;
  private long full;

  /**
   * @param header from {@link #kindHeader}
   * @throws IllegalArgumentException if the counters do not match the header
   */
  CountingContent(Bitmap counters, int k, long maxInsertions, long insertions, byte[] header) {
    this(counters, k, maxInsertions, insertions);
    if (!ByteBuffer.wrap(header).equals(ByteBuffer.wrap(kindHeader()))) {
      throw new IllegalArgumentException("the counters do not match the header");
    }
  }

  private CountingContent(Bitmap counters, int k, long maxInsertions, long insertions) {
    super(counters, k, insertions);
    this.found = new int[k];
    this.maxInsertions = maxInsertions;
    countAll();
  }

  static byte[] header(Bitmap counters) {
    return new CountingContent(counters, 1, 0, 0).kindHeader();
  }

  private void countAll() {
    above0 = 0;
    full = 0;
    for (var i = 0; i < bits.capacity(); i += Long.BYTES) {
      var word = bits.word(i);
      var any = word | word >>> 2;
      above0 += Long.bitCount((any | any >>> 1) & ONES);
      var all = word & word >>> 2;
      full += Long.bitCount(all & all >>> 1 & ONES);
    }
  }

  @Override
  public void fetch(int[] positions, int from, int to) {
    bits.fetch(positions, from, to, 1);
  }

  @Override
  public boolean contains(int[] positions, int from) {
    return count(positions, from) > 0;
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

  /** Only full counters are permanent; removals can lower all others. */
  @Override
  public boolean addIsNoOp(int[] positions, int from) {
    return count(positions, from) == MOST;
  }

  @Override
  public Verdict add(int[] positions, int from, long stamp) {
    var least = count(positions, from);
    if (least == MOST) {
      return Verdict.KNOWN;
    }
    if (maxInsertions > 0 && insertions >= maxInsertions) {
      return Verdict.REFUSED;
    }
    move(positions, from, 1);
    insertions++;
    return least == 0 ? Verdict.CHANGED : Verdict.KNOWN;
  }

  @Override
  public boolean remove(int[] positions, int from) {
    var least = count(positions, from);
    if (least > 0 && least < MOST) {
      move(positions, from, -1);
      // Removing elements that were never added can make {@code insertions} too low.
      insertions = Math.max(0, insertions - 1);
    }
    return least > 0;
  }

  /**
   * Changes the counters of an element that are not full. A counter that differs from the value
   * found was already changed for an equal position.
   */
  private void move(int[] positions, int from, int by) {
    for (var i = 0; i < k; i++) {
      var position = positions[from + i];
      var before = found[i];
      if (before < MOST && counter(position) == before) {
        note(before, -1);
        note(before + by, 1);
        if (changes != null && (before == 0 || before + by == 0)) {
          changes.note(0, position >>> 3);
        }
        set(position, before + by);
      }
    }
  }

  private void note(int counter, int by) {
    above0 += counter > 0 ? by : 0;
    full += counter == MOST ? by : 0;
  }

  private int counter(int position) {
    return bits.octet(position >>> 1) >>> shift(position) & MOST;
  }

  private void set(int position, int counter) {
    var shift = shift(position);
    var others = bits.octet(position >>> 1) & ~(MOST << shift);
    bits.putOctet(position >>> 1, others | counter << shift);
  }

  private static int shift(int position) {
    return (position & 1) == 0 ? BITS : 0;
  }

  @Override
  public int planeBytes() {
    return bits.capacity() / BITS;
  }

  /** A set bit for each counter above 0. */
  @Override
  public void copyPlane(int plane, int from, byte[] target, int at, int count) {
    for (var i = 0; i < count; i++) {
      var octet = 0;
      for (var position = Byte.SIZE * (from + i);
          position < Byte.SIZE * (from + i + 1);
          position++) {
        octet = octet << 1 | (counter(position) > 0 ? 1 : 0);
      }
      target[at + i] = (byte) octet;
    }
  }

  /** Adds the counters, up to 15. */
  @Override
  public void addAll(SegmentContent other) {
    var added = other.bits;
    for (var i = 0; i < bits.capacity(); i++) {
      var more = added.octet(i);
      var before = bits.octet(i);
      var high = Math.min(MOST, (before >>> BITS) + (more >>> BITS));
      var low = Math.min(MOST, (before & MOST) + (more & MOST));
      bits.putOctet(i, high << BITS | low);
    }
    insertions += other.insertions();
    countAll();
  }

  @Override
  public byte[] kindHeader() {
    return ByteBuffer.allocate(HEADER_BYTES).putLong(above0).putLong(full).array();
  }

  @Override
  public int positions() {
    return Byte.SIZE / BITS * bits.capacity();
  }
}
