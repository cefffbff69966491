package io.github.bloomgate.elements;

import java.util.function.IntUnaryOperator;

/** What is known of elements that were tested. */
public final class TestedElements implements ElementResults {

  private final boolean[] maybe;
  private volatile boolean isConfirmed = true;

  TestedElements(int count) {
    this.maybe = new boolean[count];
  }

  @Override
  public void note(SegmentResult result, int sent, IntUnaryOperator index) {
    for (var i = 0; i < sent; i++) {
      maybe[index.applyAsInt(i)] = result.flags()[i];
    }
    if (!result.isConfirmed()) {
      isConfirmed = false;
    }
  }

  @Override
  public boolean isFull() {
    return false;
  }

  /** For each element, in order, whether it might be contained. */
  boolean[] maybe() {
    return maybe;
  }

  /** Whether each answer is of a moment at which the filter was the live one. */
  boolean isConfirmed() {
    return isConfirmed;
  }
}
