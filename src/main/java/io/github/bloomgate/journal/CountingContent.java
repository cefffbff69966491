package io.github.bloomgate.journal;

import static io.github.bloomgate.model.Counters.BITS;
import static io.github.bloomgate.model.Counters.MOST;

import io.github.bloomgate.model.CounterCounts;
import io.github.bloomgate.model.SegmentCounts;
import java.util.Optional;

/**
 * A segment whose elements can be removed, see {@link io.github.bloomgate.model.Counters}. Counter
 * p is the higher half of byte p / 2 if p is even and the lower one if it is odd. {@code
 * lua/counters.lua} does the same.
 *
 * <p>Positions of an element that are equal are one counter, which goes up and down by one: so the
 * smallest of its counters never falls below how often it was added, less how often removed.
 */
final class CountingContent implements SegmentContent {

  /** The lowest bit of each counter of a word. */
  private static final long ONES = 0x1111_1111_1111_1111L;

  private final Bitmap bits;
  private final int k;
  private final long maxInsertions;

  /** The counters of an element, as they were read last. */
  private final int[] found;

  private long insertions;
  private long above0;
  private long full;

  /** Fails with IllegalArgumentException if the counters are not those that were counted. */
  CountingContent(Bitmap bits, int k, long maxInsertions, SegmentCounts counts) {
    this.bits = bits;
    this.k = k;
    this.found = new int[k];
    this.maxInsertions = maxInsertions;
    this.insertions = counts.insertions();
    count();
    if (!counts.counters().equals(counters())) {
      throw new IllegalArgumentException("the counters are not those that were counted");
    }
  }

  private void count() {
    above0 = 0;
    full = 0;
    for (var i = 0; i < bits.capacity(); i += Long.BYTES) {
      var word = bits.word(i);
      var halves = word | word >>> 2;
      above0 += Long.bitCount((halves | halves >>> 1) & ONES);
      halves = word & word >>> 2;
      full += Long.bitCount(halves & halves >>> 1 & ONES);
    }
  }

  private void note(int counter, int by) {
    if (counter > 0) {
      above0 += by;
    }
    if (counter == MOST) {
      full += by;
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
      var counter = counter(positions[from + i]);
      found[i] = counter;
      least = Math.min(least, counter);
    }
    return least;
  }

  /** Counters that are full stay so. All others may be lowered by what others remove. */
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
  public Added add(int[] positions, int from) {
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
    // By removals of what was never added there may have been fewer than were removed.
    if (move(positions, from, -1) && insertions > 0) {
      insertions--;
    }
    return true;
  }

  @Override
  public void addAll(SegmentContent some) {
    var other = (CountingContent) some;
    for (var i = 0; i < bits.capacity(); i++) {
      var more = other.bits.octet(i);
      if (more != 0) {
        var before = bits.octet(i);
        var high = Math.min(MOST, (before >>> BITS) + (more >>> BITS));
        var low = Math.min(MOST, (before & MOST) + (more & MOST));
        bits.putOctet(i, high << BITS | low);
      }
    }
    insertions += other.insertions;
    count();
  }

  /**
   * Has the counters of an element that were found below full go up or down; whether one did. One
   * that is no longer as it was found has gone already, for an equal position.
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
  public Optional<CounterCounts> counters() {
    return Optional.of(new CounterCounts(above0, full));
  }

  /** They are read before they are changed. */
  @Override
  public int looks() {
    return k;
  }

  /** One that refuses elements may take them again, when others were removed. */
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
    return Byte.SIZE / BITS * bits.capacity();
  }
}
