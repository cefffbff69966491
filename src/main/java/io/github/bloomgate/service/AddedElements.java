package io.github.bloomgate.service;

import io.github.bloomgate.filter.Generation;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What became of elements that were added to one generation. Filled by one call after the other or
 * by several at once.
 */
final class AddedElements {

  private final List<byte[]> elements;
  private final boolean[] isNew;
  private final BitSet applied = new BitSet();
  private boolean full;
  private int replicas = Integer.MAX_VALUE;
  private Optional<Generation> next;
  private boolean isAgreed;

  AddedElements(List<byte[]> elements) {
    this.elements = elements;
    this.isNew = new boolean[elements.size()];
  }

  /** Notes that an element was applied. */
  synchronized void apply(int index, boolean changedBit) {
    applied.set(index);
    isNew[index] = changedBit;
  }

  /**
   * Notes that all elements of a segment were applied.
   *
   * @param first index of the first of the hashed elements
   * @param changedBit for each of the segment's, in order
   */
  synchronized void apply(HashedElements hashed, int segment, int first, boolean[] changedBit) {
    for (var place = 0; place < changedBit.length; place++) {
      var index = first + hashed.indexOf(segment, place);
      applied.set(index);
      isNew[index] = changedBit[place];
    }
  }

  /**
   * Notes the generation that an open rebuild loads, as a segment knew it.
   *
   * @param isConfirmed whether the first segment was asked at the same moment
   */
  synchronized void noteNext(Optional<Generation> known, boolean isConfirmed) {
    isAgreed = isConfirmed && (next == null || (isAgreed && next.equals(known)));
    next = known;
  }

  /** Notes how many replicas have what one call changed; negative if that was not waited for. */
  synchronized void noteReplicas(int confirmed) {
    replicas = Math.min(replicas, confirmed);
  }

  /** How many replicas have all of it; empty if that was not waited for. */
  synchronized OptionalInt replicas() {
    return replicas < 0 || replicas == Integer.MAX_VALUE
        ? OptionalInt.empty()
        : OptionalInt.of(replicas);
  }

  /** Notes that a segment refused an element. */
  synchronized void refuse() {
    full = true;
  }

  /** Whether a segment refused an element, as it is full. */
  synchronized boolean isFull() {
    return full;
  }

  /** For each element, in order, whether it changed a bit; false if it was not applied. */
  boolean[] isNew() {
    return isNew;
  }

  /** How many elements were applied. */
  synchronized int appliedCount() {
    return applied.cardinality();
  }

  /** The elements that were applied. */
  synchronized List<byte[]> applied() {
    if (applied.cardinality() == elements.size()) {
      return elements;
    }
    var some = new ArrayList<byte[]>();
    applied.stream().forEach(index -> some.add(elements.get(index)));
    return some;
  }

  /** The generation that an open rebuild loads, as the segment that answered last knew. */
  synchronized Optional<Generation> next() {
    return next == null ? Optional.empty() : next;
  }

  /** Whether the first segment was asked with each call, and all were told the same. */
  synchronized boolean isAgreed() {
    return isAgreed;
  }
}
