package io.github.bloomgate.model;

import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.hash.HashScheme;
import io.github.bloomgate.hash.Sizing;
import io.github.bloomgate.model.error.RequestErrors;
import java.util.Optional;

/**
 * Filters whose elements can be removed: a segment has counters of 4 bits in place of bits. What is
 * added raises the counters of the element by one, what is removed lowers them, and an element is
 * known if none of its counters is 0. A counter that has come to {@link #MOST} stays there, as
 * nobody knows how often it was raised.
 *
 * <p>Summary Cache, by Fan, Cao, Almeida and Broder (2000). With k counters of an element that is
 * sized for n, hardly any comes to 15 but by one element that is added as often.
 */
public final class Counters {

  /** Bits of a counter. */
  public static final int BITS = 4;

  /** How far a counter counts. */
  public static final int MOST = (1 << BITS) - 1;

  private static final long WORD = 64;
  private static final long MOST_IN_SEGMENT = Sizing.MAX_SEGMENT_BITS / BITS;

  private Counters() {}

  /**
   * The parameters of a filter with counters: as many as a filter without has bits.
   *
   * @throws io.github.bloomgate.model.error.BloomException INVALID_REQUEST if the scheme is another
   *     library's; LIMIT_EXCEEDED if the filter would be too large
   */
  static FilterParameters of(
      HashScheme hashScheme,
      long expectedInsertions,
      double falsePositiveProbability,
      WhenFull whenFull) {
    if (!hashScheme.canGrow()) {
      throw RequestErrors.invalid(
          "counting does not go with the hashScheme %s: its library has bits and no counters. Send bloomgate-1 or bloomgate-1-keyed, or leave counting out."
              .formatted(hashScheme.id()));
    }
    var bits = Shapes.shapeFor(hashScheme, expectedInsertions, falsePositiveProbability);
    var segments = Shapes.ceilDiv(bits.bitSize(), MOST_IN_SEGMENT);
    var counters = Shapes.ceilDiv(Shapes.ceilDiv(bits.bitSize(), segments), WORD) * WORD;
    Shapes.checkBitSize(segments * counters * BITS);
    return new FilterParameters(
        hashScheme,
        expectedInsertions,
        falsePositiveProbability,
        new FilterShape((int) segments, counters * BITS, bits.numHashFunctions()),
        whenFull,
        Optional.empty(),
        Optional.empty(),
        true);
  }

  /** What the counters are as bits of a filter without: in it are the positions of an element. */
  public static FilterShape of(FilterShape shape) {
    return new FilterShape(shape.segments(), shape.segmentBits() / BITS, shape.numHashFunctions());
  }

  /** Whether a filter with counters can have these segments. */
  public static boolean areIn(FilterShape shape) {
    return Shapes.isCut(shape, BITS * WORD, BITS * MOST_IN_SEGMENT);
  }

  /** Whether a filter can that has bits in place of them. */
  public static boolean wereIn(FilterShape shape) {
    return Shapes.isCut(shape, WORD, MOST_IN_SEGMENT);
  }

  /** What counters are. */
  public static CounterCounts count(byte[] counters) {
    var above0 = 0L;
    var full = 0L;
    for (var two : counters) {
      above0 += ((two & 0xf0) != 0 ? 1 : 0) + ((two & 0x0f) != 0 ? 1 : 0);
      full += ((two & 0xf0) == 0xf0 ? 1 : 0) + ((two & 0x0f) == 0x0f ? 1 : 0);
    }
    return new CounterCounts(above0, full);
  }

  /** A bit for each counter, which is 1 if the counter is not 0. */
  public static byte[] toBits(byte[] counters) {
    var bits = new byte[counters.length / BITS];
    for (var i = 0; i < counters.length; i++) {
      var two = ((counters[i] & 0xf0) != 0 ? 2 : 0) | ((counters[i] & 0x0f) != 0 ? 1 : 0);
      bits[i / BITS] |= (byte) (two << (2 * (BITS - 1 - i % BITS)));
    }
    return bits;
  }
}
