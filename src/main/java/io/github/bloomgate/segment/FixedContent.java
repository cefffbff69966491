package io.github.bloomgate.segment;

import io.github.bloomgate.hash.Sizing;

/** A segment that keeps every element and can refuse new ones above a number of insertions. */
final class FixedContent extends SegmentContent {

  private static final byte[] NOTHING = {};

  private final long maxInsertions;

  /**
   * @param maxInsertions refuses new elements above this number; 0 for never
   */
  FixedContent(Bitmap bits, int k, long maxInsertions, long insertions) {
    super(bits, k, insertions);
    this.maxInsertions = maxInsertions;
  }

  @Override
  public void fetch(int[] positions, int from, int to) {
    bits.fetch(positions, from, to, 3);
  }

  @Override
  public boolean contains(int[] positions, int from) {
    return bits.contains(positions, from, k, 0);
  }

  @Override
  public boolean addIsNoOp(int[] positions, int from) {
    return contains(positions, from);
  }

  @Override
  public Verdict add(int[] positions, int from, long stamp) {
    if (isFull()) {
      return contains(positions, from) ? Verdict.KNOWN : Verdict.REFUSED;
    }
    noteMissing(0, positions, from);
    if (bits.set(positions, from, k, 0) == 0) {
      return Verdict.KNOWN;
    }
    insertions++;
    return Verdict.CHANGED;
  }

  @Override
  public boolean isFull() {
    return maxInsertions > 0 && insertions >= maxInsertions;
  }

  /**
   * The number of common elements is unknown, so the insertions are between the larger number and
   * the sum; the number of 1 bits gives the best estimate.
   */
  @Override
  public void addAll(SegmentContent other) {
    bits.join(0, ((FixedContent) other).bits);
    var most = Math.max(insertions, other.insertions());
    var sum = insertions + other.insertions();
    var estimate = Sizing.approximateElementCount(bits.bitsSet(), positions(), k);
    insertions = Math.max(most, Math.min(sum, estimate.orElse(sum)));
  }

  @Override
  public byte[] kindHeader() {
    return NOTHING;
  }

  @Override
  public int positions() {
    return Byte.SIZE * bits.capacity();
  }
}
