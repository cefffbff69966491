package io.github.bloomgate.rebuild;

import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.SegmentCounts;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/** Filters that are merged, and the bits that their union has. */
abstract class MergedFilters extends CombinedFilters {

  static final OptionalDouble ANY_RATE = OptionalDouble.empty();

  static long insertions(FilterShape shape, long bitsSet, long... counts) {
    var all = IntStream.range(0, counts.length).mapToObj(i -> new SegmentCounts(1, counts[i]));
    return BitmapUnion.insertions(shape, all.toList(), bitsSet);
  }

  static List<byte[]> union(List<Filter> filters) {
    var segments = filters.get(0).shape().segments();
    return IntStream.range(0, segments)
        .mapToObj(
            segment -> {
              var union = bits(filters.get(0), segment);
              for (var filter : filters) {
                var bits = bits(filter, segment);
                for (var i = 0; i < union.length; i++) {
                  union[i] |= bits[i];
                }
              }
              return union;
            })
        .toList();
  }
}
