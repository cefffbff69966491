package io.github.bloomgate.elements;

import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.error.StoreErrors;
import io.github.bloomgate.store.SegmentResult;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.IntUnaryOperator;

/**
 * What became of elements that were removed. Whatever is tried again, none is removed twice: that
 * could take away what others have added.
 */
final class RemovedElements implements ElementResults {

  private final List<byte[]> elements;
  private final boolean[] removed;
  private final BitSet done = new BitSet();

  /** The indexes of the elements that are being removed. */
  private int[] asked;

  private int replicas = Integer.MAX_VALUE;
  private boolean isConfirmed = true;
  private volatile Filter filter;

  RemovedElements(List<byte[]> elements) {
    this.elements = elements;
    this.removed = new boolean[elements.size()];
  }

  /** The elements that are still to be removed. */
  synchronized List<byte[]> left() {
    asked = new int[elements.size() - done.cardinality()];
    var left = new ArrayList<byte[]>(asked.length);
    for (var i = done.nextClearBit(0); i < elements.size(); i = done.nextClearBit(i + 1)) {
      asked[left.size()] = i;
      left.add(elements.get(i));
    }
    return done.isEmpty() ? elements : left;
  }

  @Override
  public synchronized void note(SegmentResult result, int sent, IntUnaryOperator index) {
    for (var i = 0; i < sent; i++) {
      var element = asked[index.applyAsInt(i)];
      removed[element] = result.flags()[i];
      done.set(element);
    }
    replicas = Math.min(replicas, result.replicas());
    isConfirmed &= result.isConfirmed();
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
    return done.get(asked[element]);
  }

  synchronized Answers answers() {
    return Answers.of(
        removed,
        replicas < 0 || replicas == Integer.MAX_VALUE
            ? OptionalInt.empty()
            : OptionalInt.of(replicas));
  }

  /** Whether each removal is of a moment at which the filter was the live one. */
  synchronized boolean isConfirmed() {
    return isConfirmed;
  }

  /** The failure to answer, where a repeated request could remove some elements again. */
  synchronized Throwable orInPart(Throwable failure) {
    return failure instanceof BloomException error
            && (mayBeDone(error.code())
                || (!done.isEmpty() && error.code() != ErrorCode.FILTER_NOT_FOUND))
        ? StoreErrors.removedInPart(error, done.cardinality(), elements.size())
        : failure;
  }

  private static boolean mayBeDone(ErrorCode code) {
    return code == ErrorCode.STORE_OUTCOME_UNKNOWN || code == ErrorCode.NOT_REPLICATED;
  }
}
