package io.github.bloomgate.filters;

import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.hash.HashScheme;
import io.github.bloomgate.hash.Sizing;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.Shapes;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RequestErrors;
import java.util.Optional;

/**
 * Some of n, p, m and k, from which the others are computed.
 *
 * @param expectedInsertions n
 * @param falsePositiveProbability p; if only n is given, the default of a filter
 * @param bitSize m
 * @param numHashFunctions k
 */
public record SizingQuestion(
    Optional<Long> expectedInsertions,
    Optional<Double> falsePositiveProbability,
    Optional<Long> bitSize,
    Optional<Integer> numHashFunctions) {

  /** Applies the defaults of a creation. */
  public SizingQuestion {
    if (expectedInsertions.isPresent()
        && falsePositiveProbability.isEmpty()
        && bitSize.isEmpty()
        && numHashFunctions.isEmpty()) {
      falsePositiveProbability = Optional.of(FilterParameters.DEFAULT_FALSE_POSITIVE_PROBABILITY);
    }
  }

  /**
   * Computes the other parameters by the rules of a scheme.
   *
   * @throws BloomException INVALID_REQUEST if too few or all are given, no number of hash functions
   *     reaches p, or the scheme has no such filter; LIMIT_EXCEEDED if the filter would be too
   *     large
   */
  public SizingResult solve(HashScheme scheme) {
    var n = expectedInsertions;
    var p = falsePositiveProbability;
    p.ifPresent(rate -> Shapes.requireRate(scheme, rate));
    var given = (n.isPresent() ? 1 : 0) + (p.isPresent() ? 1 : 0);
    if (bitSize.isPresent()) {
      var m = bitSize.get();
      var k = numHashFunctions.isPresent() ? numHashFunctions : usual(scheme);
      if (k.isPresent() && given < 2) {
        return forShape(scheme, Shapes.shapeOf(scheme, m, k.get()));
      }
      if (numHashFunctions.isEmpty() && given > 0) {
        var fitting = hashFunctionsFor(scheme, m);
        return forShape(scheme, Shapes.shapeOf(scheme, m, fitting));
      }
    } else if (given == 2) {
      return SizingResult.plain(scheme, n.get(), shapeFor(scheme, n.get(), p.get()));
    }
    throw RequestErrors.invalid(
        bitSize.isPresent() && given == 2
            ? "All four parameters are given, so there is nothing to compute. Leave one of them out."
            : "There are too few parameters to compute the others. Send expectedInsertions, alone or with falsePositiveProbability; or bitSize with one or two others; or all but bitSize.");
  }

  private FilterShape shapeFor(HashScheme scheme, long n, double p) {
    return numHashFunctions
        .map(k -> Shapes.shapeOf(scheme, Sizing.bitSize(n, p, k), k))
        .orElseGet(() -> Shapes.shapeFor(scheme, n, p));
  }

  private static Optional<Integer> usual(HashScheme scheme) {
    return scheme.defaultNumHashFunctions().stream().boxed().findFirst();
  }

  private SizingResult forShape(HashScheme scheme, FilterShape shape) {
    var k = shape.numHashFunctions();
    if (expectedInsertions.isEmpty() && falsePositiveProbability.isEmpty()) {
      return SizingResult.plain(
          FilterParameters.forShape(scheme, shape.bitSize(), k, WhenFull.ACCEPT));
    }
    var n =
        expectedInsertions.orElseGet(
            () ->
                Math.max(
                    1,
                    Sizing.expectedInsertions(shape.bitSize(), k, falsePositiveProbability.get())));
    return SizingResult.plain(scheme, n, shape);
  }

  private int hashFunctionsFor(HashScheme scheme, long m) {
    if (expectedInsertions.isEmpty()) {
      var halvings = Math.log(falsePositiveProbability.get()) / -Math.log(2);
      return Math.max(1, (int) Math.round(halvings));
    }
    var n = expectedInsertions.get();
    var own = scheme.hasOneNumHashFunctions() ? usual(scheme) : Optional.<Integer>empty();
    var best =
        own.orElseGet(
            () -> Math.min(FilterParameters.MAX_HASH_FUNCTIONS, Sizing.numHashFunctions(n, m)));
    if (falsePositiveProbability.isEmpty()) {
      return best;
    }
    var bits = Shapes.shapeOf(scheme, m, best).bitSize();
    for (var k = own.orElse(1); k <= best; k++) {
      if (Sizing.falsePositiveProbability(n, bits, k) <= falsePositiveProbability.get()) {
        return k;
      }
    }
    throw RequestErrors.invalid(
        "With %d bits for %d elements the false-positive probability is at least %.3g, with %d hash functions. Send a larger bitSize or a higher falsePositiveProbability."
            .formatted(bits, n, Sizing.falsePositiveProbability(n, bits, best), best));
  }
}
