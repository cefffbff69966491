package io.github.bloomgate.model;

import io.github.bloomgate.hash.Sizing;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/**
 * What one slice of a {@link Window} amounts to, in all segments.
 *
 * @param openedAt when it began, by the clock of Redis; empty if slices end by insertions
 * @param bitsSet bits that are 1, exact
 * @param fillRatio share of bits that are 1, 0 to 1
 * @param approximateElementCount estimate of how many elements were added in it, from the bits
 *     alone; empty when it is saturated in a segment
 */
public record SliceStatistics(
    Optional<Instant> openedAt,
    long bitsSet,
    double fillRatio,
    OptionalLong approximateElementCount) {

  /** The slices of a filter that are remembered, the newest first; none of one without a window. */
  public static List<SliceStatistics> of(Filter filter, List<SegmentCounts> segments) {
    var slices = segments.stream().flatMap(counts -> counts.slices().stream()).toList();
    return slices.isEmpty()
        ? List.of()
        : filter.window().stream()
            .flatMap(
                window ->
                    IntStream.range(0, window.rings())
                        .mapToObj(age -> slice(filter, window, slices, age)))
            .toList();
  }

  private static SliceStatistics slice(
      Filter filter, Window window, List<SliceCounts> segments, int age) {
    var ring = window.ring(filter.shape());
    var now = segments.stream().mapToLong(SliceCounts::now).max().orElseThrow();
    var bitsSet = segments.stream().mapToLong(counts -> counts.bitsSet().get(age)).sum();
    var elements = OptionalLong.of(0);
    for (var counts : segments) {
      var count =
          Sizing.approximateElementCount(
              counts.bitsSet().get(age), ring.segmentBits(), ring.numHashFunctions());
      elements = FilterStatistics.sum(elements, count);
    }
    return new SliceStatistics(
        window.isByTime()
            ? Optional.of(Instant.ofEpochMilli((now - age) * window.sliceMillis()))
            : Optional.empty(),
        bitsSet,
        (double) bitsSet / ring.bitSize(),
        elements);
  }

  /**
   * What all slices amount to. An element is answered maybe if any slice takes it for one of its
   * own. One that is refreshed counts in each slice that it was added in.
   */
  static FilterStatistics join(Filter filter, List<SegmentCounts> segments) {
    var elements = OptionalLong.of(0);
    for (var slice : of(filter, segments)) {
      var count = slice.approximateElementCount;
      elements = FilterStatistics.sum(elements, count);
    }
    var ring = filter.window().orElseThrow().ring(filter.shape());
    var bitsSet = segments.stream().mapToLong(SegmentCounts::bitsSet).sum();
    return new FilterStatistics(
        bitsSet,
        segments.stream().mapToLong(SegmentCounts::insertions).sum(),
        (double) bitsSet / filter.shape().bitSize(),
        elements,
        segments.stream()
            .flatMap(counts -> counts.slices().stream())
            .mapToDouble(counts -> rate(counts, ring.segmentBits(), ring.numHashFunctions()))
            .average()
            .orElse(0));
  }

  private static double rate(SliceCounts counts, long ringBits, int k) {
    return -Math.expm1(
        counts.bitsSet().stream()
            .mapToDouble(bits -> Math.log1p(-Math.pow((double) bits / ringBits, k)))
            .sum());
  }
}
