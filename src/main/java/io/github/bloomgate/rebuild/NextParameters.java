package io.github.bloomgate.rebuild;

import io.github.bloomgate.config.secret.HashSecrets;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterPlan;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.error.FilterErrors;
import io.github.bloomgate.model.error.RequestErrors;
import jakarta.inject.Singleton;

/** Checks what the generations are like that rebuilds load. */
@Singleton
class NextParameters {

  private final HashSecrets secrets;

  NextParameters(HashSecrets secrets) {
    this.secrets = secrets;
  }

  /**
   * What the next generation of a filter is like. The clients of a library whose bitmap it has
   * adopted know no other shape than the one they use.
   *
   * @throws io.github.bloomgate.model.error.BloomException INVALID_REQUEST if it has a window or
   *     counters and the next has none, if the next must be keyed and there is no secret, or has
   *     another shape than an adopted bitmap; SECRET_MISSING if it keeps the key of the filter and
   *     that is not known
   */
  FilterPlan of(Filter filter, FilterPlan plan) {
    if (filter.window().isPresent() && plan.parameters().window().isEmpty()) {
      throw RequestErrors.invalid(
          "The filter '%s' has a window, and what shall take its place has none. Nothing was changed. Choose another name, or delete the filter first."
              .formatted(filter.name()));
    }
    if (filter.isCounting() != plan.parameters().counting()) {
      throw RequestErrors.invalid(
          filter.isCounting()
              ? "The filter '%s' counts its elements, and what shall take its place does not. Nothing was changed. Choose another name, or delete the filter first."
                  .formatted(filter.name())
              : "The filter '%s' does not count its elements, and what shall take its place does. Nothing was changed. Choose another name, or delete the filter first."
                  .formatted(filter.name()));
    }
    if (!filter.isAdopted()) {
      return keyed(plan);
    }
    var asked = plan.parameters();
    if (!asked.hasBitsOf(filter.parameters()) || asked.whenFull() == WhenFull.REJECT) {
      throw FilterErrors.adoptedShape(
          filter.name(),
          filter.adoptedKey().orElseThrow().redisKey(),
          asked.whenFull() == WhenFull.REJECT);
    }
    return FilterPlan.of(filter.parameters());
  }

  /** A plan with a new key, if it needs one. */
  FilterPlan keyed(FilterPlan plan) {
    var parameters = plan.parameters();
    return plan.withParameters(
        parameters.withHashScheme(secrets.forContent(parameters.hashScheme())));
  }
}
