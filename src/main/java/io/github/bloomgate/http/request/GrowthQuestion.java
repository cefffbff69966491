package io.github.bloomgate.http.request;

import io.github.bloomgate.filters.GrowthSizing;
import io.github.bloomgate.filters.SizingQuestion;
import io.github.bloomgate.hash.HashScheme;
import io.github.bloomgate.model.Growth;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RequestErrors;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * What a question about the size of a filter says of growing.
 *
 * @param whenFull as in the query; null if it is not given
 * @param growthFactor by which each layer is made for more elements
 * @param growsTo how many elements the filter shall hold at last
 */
public record GrowthQuestion(
    String whenFull, Optional<Integer> growthFactor, Optional<Long> growsTo) {

  /**
   * Whether it is about a filter that grows.
   *
   * @throws BloomException INVALID_REQUEST if it is not, and says how it grows
   */
  public boolean isAsked() {
    if (policy() == WhenFull.GROW) {
      return true;
    }
    if (growthFactor.isPresent() || growsTo.isPresent()) {
      throw RequestErrors.invalid(
          "growthFactor and growsTo are of filters that grow. Send whenFull=grow with them, or leave them out.");
    }
    return false;
  }

  /**
   * What is asked to happen when the filter is full; that it takes more, if nothing is.
   *
   * @throws BloomException INVALID_REQUEST if it is no such policy
   */
  WhenFull policy() {
    if (whenFull == null) {
      return WhenFull.ACCEPT;
    }
    return Arrays.stream(WhenFull.values())
        .filter(value -> value.name().toLowerCase(Locale.ROOT).equals(whenFull))
        .findFirst()
        .orElseThrow(
            () -> RequestErrors.invalid("whenFull is none of accept, reject and grow. Send one."));
  }

  /**
   * Sizes the filter.
   *
   * @throws BloomException INVALID_REQUEST if it is not given by n and p, or where it grows to is
   *     missing; what {@link GrowthSizing#of} fails with
   */
  public GrowthSizing solve(HashScheme scheme, SizingQuestion question) {
    refuse("bitSize", question.bitSize());
    refuse("numHashFunctions", question.numHashFunctions());
    return GrowthSizing.of(
        scheme,
        require("expectedInsertions", question.expectedInsertions()),
        require("falsePositiveProbability", question.falsePositiveProbability()),
        growthFactor.orElse(Growth.DEFAULT_FACTOR),
        require("growsTo", growsTo));
  }

  private static void refuse(String name, Optional<?> value) {
    ContentChoice.refuse(
        "whenFull=grow",
        name,
        value.orElse(null),
        "Its layers are sized by expectedInsertions and falsePositiveProbability");
  }

  private static <T> T require(String name, Optional<T> value) {
    return value.orElseThrow(
        () ->
            RequestErrors.invalid(
                "%s is missing: a filter that grows is sized by how many elements it begins with, expectedInsertions, and how many it shall hold at last, growsTo. Send it."
                    .formatted(name)));
  }
}
