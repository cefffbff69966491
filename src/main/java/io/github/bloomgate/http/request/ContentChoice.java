package io.github.bloomgate.http.request;

import io.github.bloomgate.filters.SizingQuestion;
import io.github.bloomgate.hash.HashScheme;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RequestErrors;

/**
 * Whether a filter forgets its elements, or counts them so that they can be removed, as a request
 * gives it: any may be null.
 */
record ContentChoice(WindowChoice windowing, Boolean counting) {

  static final String NO_GROWTH = "A filter that counts does not grow";

  /** Of a request that says nothing of it. */
  static final ContentChoice NONE = new ContentChoice(WindowChoice.NONE, null);

  /**
   * Whether one of both is asked for.
   *
   * @throws BloomException INVALID_REQUEST if both are
   */
  boolean isGiven() {
    var isWindow = windowing.isGiven();
    if (isWindow && isCounting()) {
      throw notWithWindow();
    }
    return isWindow || isCounting();
  }

  static BloomException notWithWindow() {
    return RequestErrors.invalid(
        "A window does not go with counting: what is forgotten by itself need not be removed. Leave one of both out.");
  }

  private boolean isCounting() {
    return counting != null && counting;
  }

  /**
   * The parameters of a new filter.
   *
   * @throws BloomException INVALID_REQUEST if something does not go with a window, or with
   *     counters; LIMIT_EXCEEDED
   */
  FilterParameters toParameters(ParameterChoice choice, HashScheme scheme, double probability) {
    if (!isCounting()) {
      return windowing.toParameters(choice, scheme, probability);
    }
    requireFitting(choice);
    if (choice.expectedInsertions() == null) {
      throw RequestErrors.invalid(
          "The size of the filter is missing. Send expectedInsertions, the number of elements it shall hold.");
    }
    return FilterParameters.counting(
        scheme,
        choice.expectedInsertions(),
        probability,
        choice.whenFull() == null ? WhenFull.ACCEPT : choice.whenFull());
  }

  /**
   * The parameters of the next generation of a filter that has counters, which stay, or of which
   * one of both has a window.
   *
   * @param scheme that of the next generation
   * @param isSame whether it differs in no more than its key
   * @throws BloomException likewise
   */
  FilterParameters next(
      ParameterChoice choice, FilterParameters live, HashScheme scheme, boolean isSame) {
    if (!live.counting()) {
      return windowing.next(choice, live, scheme, isSame);
    }
    if (windowing.isGiven()) {
      throw notWithWindow();
    }
    requireFitting(choice);
    var policy = choice.whenFull() == null ? live.whenFull() : choice.whenFull();
    if (isSame
        && policy == live.whenFull()
        && choice.expectedInsertions() == null
        && choice.falsePositiveProbability() == null) {
      return live.withHashScheme(scheme);
    }
    return FilterParameters.counting(
        scheme,
        choice.expectedInsertions() == null
            ? live.expectedInsertions()
            : choice.expectedInsertions(),
        choice.falsePositiveProbability() == null
            ? live.falsePositiveProbability()
            : choice.falsePositiveProbability(),
        policy);
  }

  private static void requireFitting(ParameterChoice choice) {
    if (choice.whenFull() == WhenFull.GROW) {
      throw RequestErrors.invalid(
          "whenFull cannot be grow with counting: its elements are in one layer. Send accept or reject, or leave it out.");
    }
    requireFixedAndByElements(choice, "counting", NO_GROWTH);
  }

  /**
   * Refuses both for a bitmap of another library.
   *
   * @throws BloomException INVALID_REQUEST
   */
  void refuseAdopted() {
    windowing.refuseAdopted();
    if (isCounting()) {
      throw RequestErrors.invalid(
          "counting does not go with redisKey: the library has bits and no counters. Leave one of both out.");
    }
  }

  /** What a question about the size of such a filter says, as a creation would. */
  ParameterChoice with(SizingQuestion question, HashScheme scheme, GrowthQuestion growth) {
    return new ParameterChoice(
        question.expectedInsertions().orElse(null),
        question.falsePositiveProbability().orElse(null),
        question.bitSize().orElse(null),
        question.numHashFunctions().orElse(null),
        scheme.id(),
        null,
        growth.policy(),
        growth.growthFactor().orElse(null),
        null,
        this);
  }

  /**
   * Refuses what says how a filter grows, or gives bits, for one that does not grow and is sized by
   * n and p.
   *
   * @param what such a filter has, in words
   * @param noGrowth a sentence that says that it does not grow
   */
  static void requireFixedAndByElements(ParameterChoice choice, String what, String noGrowth) {
    refuse(what, "growthFactor", choice.growthFactor(), noGrowth);
    refuse(what, "maxSizeBytes", choice.maxSizeBytes(), noGrowth);
    var sized = "It is sized by expectedInsertions and falsePositiveProbability";
    refuse(what, "bitSize", choice.bitSize(), sized);
    refuse(what, "numHashFunctions", choice.numHashFunctions(), sized);
  }

  /** Refuses a field that does not go with something, if it is given. */
  static void refuse(String what, String field, Object value, String why) {
    if (value != null) {
      throw RequestErrors.invalid(
          "%s does not go with %s. %s. Leave %s out.".formatted(field, what, why, field));
    }
  }
}
