package io.github.bloomgate.model;

import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.hash.HashScheme;
import io.github.bloomgate.hash.Sizing;
import io.github.bloomgate.segment.SegmentFormat;
import java.util.Map;
import java.util.Optional;

/**
 * Filters that support removal, with 4-bit counters instead of bits. An add raises the counters of
 * the element by one, a removal lowers them, and an element is known if none of its counters is 0.
 * A counter that has reached {@link #MOST} never changes again, because its true value is unknown.
 *
 * <p>Summary Cache, by Fan, Cao, Almeida and Broder (2000). With k counters per element in a filter
 * sized for n, hardly any counter reaches 15 except by repeated adds of one element.
 *
 * @param whenFull accept or reject
 */
public record Counting(WhenFull whenFull) implements FilterKind {

  public static final int BITS = 4;

  /** The highest value of a counter. */
  public static final int MOST = (1 << BITS) - 1;

  private static final long WORD = 64;
  private static final long MOST_IN_SEGMENT = Sizing.MAX_SEGMENT_BITS / BITS;

  public Counting {
    if (whenFull == WhenFull.GROW) {
      throw new IllegalArgumentException("a filter with counters cannot grow");
    }
  }

  /** One counter for each bit of a plain filter. */
  @Override
  public FilterParameters parameters(
      HashScheme hashScheme, long expectedInsertions, double falsePositiveProbability) {
    Shapes.requireNative(hashScheme, "counting", "counters", "leave counting out");
    var bits = Shapes.shapeFor(hashScheme, expectedInsertions, falsePositiveProbability);
    var k = bits.numHashFunctions();
    var shape = FilterShape.cut(BITS * bits.bitSize(), BITS * WORD, BITS * MOST_IN_SEGMENT, k);
    Shapes.checkBitSize(shape.bitSize());
    return new FilterParameters(
        hashScheme, expectedInsertions, falsePositiveProbability, shape, this);
  }

  @Override
  public SegmentFormat.Kind content(long expectedInsertions, int segments) {
    return new SegmentFormat.Counting(Plain.maxInsertions(whenFull, expectedInsertions, segments));
  }

  @Override
  public Map<String, Object> fields() {
    return Map.of("counting", true);
  }

  @Override
  public Optional<String> refusal(FilterKind replacement) {
    return replacement instanceof Counting
        ? Optional.empty()
        : Optional.of("counts its elements, but its replacement does not");
  }

  @Override
  public Optional<String> mergeRefusal() {
    return Optional.of(
        "counts its elements and cannot be merged: elements in both would be counted twice. Create another counting filter and add the elements of both to it.");
  }

  /** One bit for each counter. */
  @Override
  public FilterShape places(FilterShape stored) {
    return new FilterShape(
        stored.segments(), stored.segmentBits() / BITS, stored.numHashFunctions());
  }

  @Override
  public boolean isIn(HashScheme hashScheme, FilterShape shape) {
    return Shapes.isCut(shape, BITS * WORD, BITS * MOST_IN_SEGMENT);
  }

  /** Whether a filter with bits instead of counters can have segments of this shape. */
  public static boolean isShapeAsBits(FilterShape shape) {
    return Shapes.isCut(shape, WORD, MOST_IN_SEGMENT);
  }

  /** One bit for each counter: 1 if the counter is not 0. */
  public static byte[] toBits(byte[] counters) {
    var bits = new byte[counters.length / BITS];
    for (var i = 0; i < counters.length; i++) {
      var two = ((counters[i] & 0xf0) != 0 ? 2 : 0) | ((counters[i] & 0x0f) != 0 ? 1 : 0);
      bits[i / BITS] |= (byte) (two << (2 * (BITS - 1 - i % BITS)));
    }
    return bits;
  }
}
