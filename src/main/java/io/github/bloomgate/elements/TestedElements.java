package io.github.bloomgate.elements;

import io.github.bloomgate.model.Filter;
import io.github.bloomgate.store.SegmentResult;
import java.util.function.IntUnaryOperator;

/** What is known of elements that were tested. */
public final class TestedElements implements ElementResults {

  private final boolean[] maybe;
  private final byte[] counts;
  private volatile boolean isConfirmed = true;
  private volatile Filter filter;

  TestedElements(int count) {
    this.maybe = new boolean[count];
    this.counts = new byte[count];
  }

  @Override
  public void note(SegmentResult result, int sent, IntUnaryOperator index) {
    for (var i = 0; i < sent; i++) {
      // Other layers may say so of the same element at this moment, and none takes it back.
      if (result.flags()[i]) {
        maybe[index.applyAsInt(i)] = true;
      }
    }
    for (var i = 0; i < result.counts().length; i++) {
      counts[index.applyAsInt(i)] = result.counts()[i];
    }
    if (!result.isConfirmed()) {
      isConfirmed = false;
    }
  }

  @Override
  public void use(Filter filter) {
    this.filter = filter;
  }

  @Override
  public Filter filter() {
    return filter;
  }

  /**
   * Where there are further layers, each is asked: a segment that was full is no longer so after
   * its node has lost its last writes. Behind the last layer there may only be more if it is full.
   */
  @Override
  public boolean isSettled(int element) {
    return maybe[element];
  }

  /** For each element, in order, whether it might be contained. */
  boolean[] maybe() {
    return maybe;
  }

  /** For each, if that was asked for, how often it was added at most; 15 stands for more too. */
  byte[] counts() {
    return counts;
  }

  /** Whether each answer is of a moment at which the filter was the live one. */
  boolean isConfirmed() {
    return isConfirmed;
  }
}
