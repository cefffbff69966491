package io.github.bloomgate.service;

import io.github.bloomgate.filter.Filter;
import io.github.bloomgate.store.SegmentBatch;
import io.smallrye.mutiny.Uni;
import java.util.List;
import java.util.function.Function;

/** Runs one script call for each batch of a request. */
final class BatchCalls {

  private static final int CALLS_AT_ONCE = 16;

  private BatchCalls() {}

  /**
   * The replies in the order of the batches. Calls for one segment go one after the other: each
   * occupies Redis for half a millisecond, and other requests shall get their turn in between.
   */
  static <T> Uni<List<T>> all(
      Filter filter, List<SegmentBatch> batches, Function<SegmentBatch, Uni<T>> call) {
    if (batches.size() == 1) {
      return call.apply(batches.get(0)).map(List::of);
    }
    var atOnce = filter.shape().segments() == 1 ? 1 : CALLS_AT_ONCE;
    return Uni.join()
        .all(
            batches.stream()
                .map(batch -> Uni.createFrom().deferred(() -> call.apply(batch)))
                .toList())
        .usingConcurrencyOf(atOnce)
        .andFailFast();
  }
}
