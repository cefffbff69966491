package io.github.bloomgate.elements;

import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.Generation;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.FilterErrors;
import io.github.bloomgate.store.SegmentResult;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.IntUnaryOperator;

/** What became of elements that were added to one generation. */
public final class AddedElements implements ElementResults {

  private final List<byte[]> elements;
  private final boolean[] isNew;
  private final BitSet applied = new BitSet();
  private boolean full;
  private int replicas = Integer.MAX_VALUE;
  private Optional<Generation> next;
  private boolean isAgreed;
  private volatile Filter filter;

  AddedElements(List<byte[]> elements) {
    this.elements = elements;
    this.isNew = new boolean[elements.size()];
  }

  @Override
  public synchronized void note(SegmentResult result, int sent, IntUnaryOperator index) {
    var changedBit = result.flags();
    var refused = result.refused();
    for (var i = 0; i < changedBit.length; i++) {
      if (!refused.get(i)) {
        var element = index.applyAsInt(i);
        // Several layers may be asked at once: what one of them knows is not new.
        isNew[element] = changedBit[i] && (isNew[element] || !applied.get(element));
        applied.set(element);
      }
    }
    full |= changedBit.length < sent;
    isAgreed = result.isConfirmed() && (next == null || (isAgreed && next.equals(result.next())));
    next = result.next();
    replicas = Math.min(replicas, result.replicas());
  }

  @Override
  public void use(Filter filter) {
    this.filter = filter;
  }

  @Override
  public Filter filter() {
    return filter;
  }

  @Override
  public synchronized boolean isSettled(int element) {
    return applied.get(element);
  }

  @Override
  public synchronized void noteFull() {
    full = true;
  }

  /** How many replicas have all of it; empty if that was not waited for. */
  synchronized OptionalInt replicas() {
    return replicas < 0 || replicas == Integer.MAX_VALUE
        ? OptionalInt.empty()
        : OptionalInt.of(replicas);
  }

  @Override
  public synchronized boolean isFull() {
    return full;
  }

  /** For each element, in order, whether it changed a bit; false if it was not applied. */
  public boolean[] isNew() {
    return isNew;
  }

  /**
   * Fails unless all elements were applied.
   *
   * @throws BloomException FILTER_FULL
   */
  public synchronized void requireAll() {
    var count = appliedCount();
    if (count == elements.size()) {
      return;
    }
    var name = filter.name();
    throw filter
        .parameters()
        .growth()
        .map(
            growth ->
                FilterErrors.fullyGrown(
                    name,
                    filter.layers().size(),
                    filter.sizeBytes(),
                    growth.maxSizeBytes(),
                    count,
                    elements.size()))
        .orElseGet(
            () ->
                FilterErrors.full(
                    name,
                    filter.parameters().expectedInsertions(),
                    count,
                    elements.size(),
                    filter.segments() == 1));
  }

  /** How many elements were applied. */
  public synchronized int appliedCount() {
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
