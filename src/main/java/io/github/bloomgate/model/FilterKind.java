package io.github.bloomgate.model;

import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.hash.HashScheme;
import io.github.bloomgate.hash.Sizing;
import io.github.bloomgate.segment.SegmentCounts;
import io.github.bloomgate.segment.SegmentFormat;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * The kind of a filter: what a segment keeps of an element, and for how long. Everything in which
 * kinds differ is a method here, except what is stored ({@link PlanJson} and files), what is sent,
 * and the words of errors. Each has its own {@link SegmentFormat.Kind}, which reads and writes the
 * bytes.
 */
public sealed interface FilterKind permits Plain, Growth, Window, Counting {

  /** What happens to new elements above capacity. */
  WhenFull whenFull();

  /**
   * The parameters of a filter of this kind.
   *
   * @param expectedInsertions n, the capacity
   * @throws io.github.bloomgate.model.error.BloomException INVALID_REQUEST if the scheme cannot
   *     have this kind or rate; LIMIT_EXCEEDED if the filter would be too large
   */
  FilterParameters parameters(
      HashScheme hashScheme, long expectedInsertions, double falsePositiveProbability);

  /** Whether a filter of this kind can have segments of this shape. */
  boolean isIn(HashScheme hashScheme, FilterShape shape);

  /**
   * The shape that contains the positions of an element.
   *
   * @param stored includes the bits of all rings or counters
   */
  default FilterShape places(FilterShape stored) {
    return stored;
  }

  /**
   * The content of the segments of a layer.
   *
   * @param expectedInsertions of the layer
   * @param segments of the layer
   */
  SegmentFormat.Kind content(long expectedInsertions, int segments);

  /** The share of the false-positive rate that the first layer gets. */
  default double firstShare() {
    return 1;
  }

  /** The next layer; empty if the filter cannot grow further. */
  default Optional<Layer> nextLayer(FilterPlan plan) {
    return Optional.empty();
  }

  /** A layer of this kind, not opened yet. */
  default Layer layer(int firstSegment, long expectedInsertions, double rate, FilterShape shape) {
    return layer(firstSegment, expectedInsertions, rate, shape, Optional.empty());
  }

  /** A layer of this kind. */
  default Layer layer(
      int firstSegment,
      long expectedInsertions,
      double rate,
      FilterShape shape,
      Optional<Instant> openedAt) {
    return new Layer(
        firstSegment,
        expectedInsertions,
        rate,
        shape,
        places(shape),
        content(expectedInsertions, shape.segments()),
        openedAt);
  }

  /** The parameters that only this kind has, with their names in the API. */
  default Map<String, Object> fields() {
    return Map.of();
  }

  /** Those that decide which bits an element has, with their names in the API. */
  default Map<String, Object> placeFields() {
    return Map.of();
  }

  /** Why a filter of another kind cannot replace one of this kind; completes "The filter ...". */
  default Optional<String> refusal(FilterKind replacement) {
    return replacement instanceof Counting
        ? Optional.of("does not count its elements, but its replacement does")
        : Optional.empty();
  }

  /** Why filters of this kind cannot be merged; completes "The filter ... ". */
  default Optional<String> mergeRefusal() {
    return Optional.empty();
  }

  /** Why a file of bits alone cannot contain the filter; completes "The filter ...". */
  default Optional<String> bitsRefusal() {
    return Optional.empty();
  }

  /** Whether it is one bitmap, with nothing else that a file must contain. */
  default boolean hasBitsOnly() {
    return false;
  }

  /** The false-positive rate of a full filter, after rounding; if it varies, the highest. */
  default double highestRate(FilterParameters parameters) {
    var places = parameters.places();
    return Sizing.meanFalsePositiveProbability(
        parameters.expectedInsertions(), places.bitSize(), places.numHashFunctions());
  }

  /** Whether the number of insertions only rises. */
  default boolean countsInsertions() {
    return true;
  }

  /** Whether it has a fixed capacity. */
  default boolean hasCapacity() {
    return true;
  }

  /** The bits set in each bitmap that a test searches in a segment: one, or one for each ring. */
  default long[] bitsSet(SegmentCounts segment) {
    return new long[] {segment.placesSet()};
  }

  /** The number of bitmaps in a segment. Each has all positions of an element. */
  default int bitmaps() {
    return 1;
  }
}
