package io.github.bloomgate.elements;

import io.github.bloomgate.store.Bits;

/** The room that is left in a round. */
final class RoundRoom {

  /**
   * The most bit positions that are computed and bits that are looked up. They take the thread of
   * the rounds a few milliseconds, and the entries of its calls less than a MiB.
   */
  static final int MOST_WORK = 1 << 19;

  /** What an element costs apart from its bits, which is most of it if these are few. */
  static final int WORK_OF_ELEMENT = 8;

  static final int MOST_SEGMENTS = 600;

  /** Each takes Redis about 50 microseconds, besides its bits. */
  private static final int MOST_SEGMENTS_BIT_BY_BIT = 100;

  private int segments;
  private int work;
  private int workLimit = MOST_WORK;
  private int bits;
  private int bitSegments;

  /** Whether another segment and another element fit. */
  boolean isLeft() {
    return segments < MOST_SEGMENTS && work < workLimit;
  }

  /** Whether another segment of a watched filter fits; the other half is for requests. */
  boolean isLeftToRefresh() {
    return segments < MOST_SEGMENTS / 2;
  }

  void takeSegment() {
    segments++;
  }

  /** Takes room for bits that Redis asks or sets; false if there is none. */
  boolean takeBits(int ofElement, boolean isFirstOfSegment) {
    if (bits + ofElement > Bits.MAX_PER_CALL
        || (isFirstOfSegment && bitSegments == MOST_SEGMENTS_BIT_BY_BIT)) {
      return false;
    }
    bits += ofElement;
    bitSegments += isFirstOfSegment ? 1 : 0;
    return true;
  }

  /** The bits computed and looked up for the elements that have joined. */
  int work() {
    return work;
  }

  void countWork(int more) {
    work += more;
  }

  /** Limits the bits for all elements, those that have joined and those that join next. */
  void limitWork(int most) {
    workLimit = most;
  }

  /** The most further elements of k bits each. */
  int elements(int k) {
    return (workLimit - work) / (2 * k);
  }
}
