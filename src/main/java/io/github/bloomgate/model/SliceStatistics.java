package io.github.bloomgate.model;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.github.bloomgate.segment.SegmentCounts;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/**
 * One ring of a {@link Window} in all segments. Each segment starts its rings independently, so
 * these are the rings of the same rank by age.
 *
 * @param openedAt when the first of them began, by the Redis clock; empty by insertions
 * @param closesAt the latest time of their last element; empty by insertions
 * @param elements elements written to them, new or refreshed
 * @param bitsSet bits that are 1, exact
 * @param fillRatio share of bits that are 1, 0 to 1
 */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
public record SliceStatistics(
    Optional<Instant> openedAt,
    Optional<Instant> closesAt,
    long elements,
    long bitsSet,
    double fillRatio) {

  /** The rings that have not expired, newest first; none without a window. */
  public static List<SliceStatistics> of(
      FilterParameters parameters, List<SegmentCounts> segments) {
    var most = segments.stream().mapToInt(counts -> counts.rings().size()).max().orElse(0);
    return IntStream.range(0, most)
        .mapToObj(
            age ->
                slice(
                    parameters,
                    segments.stream()
                        .map(SegmentCounts::rings)
                        .filter(rings -> age < rings.size())
                        .map(rings -> rings.get(age))
                        .toList()))
        .toList();
  }

  private static SliceStatistics slice(
      FilterParameters parameters, List<SegmentCounts.Ring> rings) {
    var window = (Window) parameters.kind();
    var bitsSet = rings.stream().mapToLong(SegmentCounts.Ring::bitsSet).sum();
    var begin = rings.stream().mapToLong(SegmentCounts.Ring::begin).min();
    var end = rings.stream().mapToLong(SegmentCounts.Ring::end).max();
    return new SliceStatistics(
        moment(window, begin),
        moment(window, end),
        rings.stream().mapToLong(SegmentCounts.Ring::elements).sum(),
        bitsSet,
        (double) bitsSet / parameters.places().bitSize());
  }

  private static Optional<Instant> moment(Window window, OptionalLong millis) {
    return window.isByTime() && millis.isPresent()
        ? Optional.of(Instant.ofEpochMilli(millis.getAsLong()))
        : Optional.empty();
  }
}
