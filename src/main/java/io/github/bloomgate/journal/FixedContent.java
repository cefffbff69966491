package io.github.bloomgate.journal;

import io.github.bloomgate.hash.FilterShape;

/** A segment that forgets nothing. */
final class FixedContent implements SegmentContent {

  private final Bitmap bits;
  private final int k;
  private final long segmentBits;
  private final long maxInsertions;
  private long insertions;

  FixedContent(Bitmap bits, FilterShape shape, long maxInsertions, long insertions) {
    this.bits = bits;
    this.k = shape.numHashFunctions();
    this.segmentBits = shape.segmentBits();
    this.maxInsertions = maxInsertions;
    this.insertions = insertions;
  }

  @Override
  public boolean contains(int[] positions, int from) {
    return bits.contains(positions, from, k, 0);
  }

  @Override
  public boolean contains(long word, long step) {
    return bits.contains(word, step, k, segmentBits);
  }

  @Override
  public boolean isSettled(int[] positions, int from) {
    return contains(positions, from);
  }

  @Override
  public Added add(int[] positions, int from) {
    if (isFull()) {
      return contains(positions, from) ? Added.KNOWN : Added.REFUSED;
    }
    if (bits.set(positions, from, k, 0) == 0) {
      return Added.KNOWN;
    }
    insertions++;
    return Added.NEW;
  }

  @Override
  public boolean isFull() {
    return maxInsertions > 0 && insertions >= maxInsertions;
  }

  @Override
  public long insertions() {
    return insertions;
  }

  @Override
  public int positions() {
    return Byte.SIZE * bits.capacity();
  }
}
