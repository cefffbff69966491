package io.github.bloomgate.api;

import static java.util.stream.Collectors.joining;

import io.github.bloomgate.error.BloomException;
import io.github.bloomgate.filter.FilterParameters;
import io.github.bloomgate.filter.WhenFull;
import io.github.bloomgate.hash.HashScheme;
import io.github.bloomgate.hash.HashSchemes;

/** The parameters of a filter as a request gives them: any may be null. */
record ParameterChoice(
    Long expectedInsertions,
    Double falsePositiveProbability,
    Long bitSize,
    Integer numHashFunctions,
    String hashScheme,
    WhenFull whenFull) {

  private static final double DEFAULT_FALSE_POSITIVE_PROBABILITY = 0.01;

  /**
   * The parameters of a new filter.
   *
   * @throws BloomException INVALID_REQUEST if too few or contradicting ones are given
   */
  FilterParameters toParameters() {
    if (!isBySize() && expectedInsertions == null) {
      throw BloomException.invalidRequest(
          "The size of the filter is missing. Send expectedInsertions, the number of elements it"
              + " shall hold, or bitSize and numHashFunctions.");
    }
    return choose(
        scheme(HashSchemes.nativeScheme()),
        expectedInsertions,
        falsePositiveProbability == null
            ? DEFAULT_FALSE_POSITIVE_PROBABILITY
            : falsePositiveProbability,
        whenFull == null ? WhenFull.ACCEPT : whenFull);
  }

  /**
   * The parameters of the next generation of a filter: those of the live one where none are given.
   *
   * @throws BloomException INVALID_REQUEST if contradicting ones are given
   */
  FilterParameters toParameters(FilterParameters live) {
    var scheme = scheme(live.hashScheme());
    var policy = whenFull == null ? live.whenFull() : whenFull;
    var isSizeKept = !isBySize() && expectedInsertions == null && falsePositiveProbability == null;
    if (isSizeKept && scheme.equals(live.hashScheme())) {
      // What is stored is the truth: another version may have sized it in another way.
      return new FilterParameters(
          scheme, live.expectedInsertions(), live.falsePositiveProbability(), live.shape(), policy);
    }
    return choose(
        scheme,
        expectedInsertions == null ? live.expectedInsertions() : expectedInsertions,
        falsePositiveProbability == null
            ? live.falsePositiveProbability()
            : falsePositiveProbability,
        policy);
  }

  private FilterParameters choose(
      HashScheme scheme, Long insertions, double probability, WhenFull policy) {
    if (!isBySize()) {
      return FilterParameters.forElements(scheme, insertions, probability, policy);
    }
    if (expectedInsertions != null || falsePositiveProbability != null) {
      throw BloomException.invalidRequest(
          "A filter is sized either by expectedInsertions and falsePositiveProbability or by"
              + " bitSize and numHashFunctions. Send only one of the pairs; GET /v1/sizing computes"
              + " one from the other.");
    }
    require(bitSize, "bitSize", "numHashFunctions");
    require(numHashFunctions, "numHashFunctions", "bitSize");
    return FilterParameters.forShape(scheme, bitSize, numHashFunctions, policy);
  }

  private boolean isBySize() {
    return bitSize != null || numHashFunctions != null;
  }

  private static void require(Object value, String field, String other) {
    if (value == null) {
      throw BloomException.invalidRequest(
          "%s is given without %s. Send both.".formatted(other, field));
    }
  }

  private HashScheme scheme(HashScheme otherwise) {
    if (hashScheme == null) {
      return otherwise;
    }
    return HashSchemes.creatable(hashScheme)
        .orElseThrow(
            () ->
                BloomException.invalidRequest(
                    "There is no such hashScheme. Send one of: %s."
                        .formatted(
                            HashSchemes.creatable().stream()
                                .map(HashScheme::id)
                                .collect(joining(", ")))));
  }
}
