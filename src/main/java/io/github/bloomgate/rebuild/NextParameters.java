package io.github.bloomgate.rebuild;

import io.github.bloomgate.config.secret.HashSecrets;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterPlan;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.error.FilterErrors;
import io.github.bloomgate.model.error.RequestErrors;
import jakarta.inject.Singleton;

/** Checks the parameters of next generations. */
@Singleton
class NextParameters {

  private final HashSecrets secrets;

  NextParameters(HashSecrets secrets) {
    this.secrets = secrets;
  }

  /**
   * Checks a plan for the next generation of a filter. An adopted bitmap cannot change its shape,
   * because clients of the library rely on it.
   *
   * @throws io.github.bloomgate.model.error.BloomException INVALID_REQUEST if only one of both has
   *     a window or counters, if a key is needed and there is no secret, or if the shape of an
   *     adopted bitmap would change; SECRET_MISSING if it keeps the filter's key and that is
   *     unknown
   */
  FilterPlan of(Filter filter, FilterPlan plan) {
    if (filter.window().isPresent() && plan.parameters().window().isEmpty()) {
      throw RequestErrors.invalid(
          "The filter '%s' has a window, but its replacement has none. Nothing was changed. Choose another name, or delete the filter first."
              .formatted(filter.name()));
    }
    if (filter.isCounting() != plan.parameters().counting()) {
      throw RequestErrors.invalid(
          filter.isCounting()
              ? "The filter '%s' counts its elements, but its replacement does not. Nothing was changed. Choose another name, or delete the filter first."
                  .formatted(filter.name())
              : "The filter '%s' does not count its elements, but its replacement does. Nothing was changed. Choose another name, or delete the filter first."
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

  FilterPlan keyed(FilterPlan plan) {
    var parameters = plan.parameters();
    return plan.withParameters(
        parameters.withHashScheme(secrets.forContent(parameters.hashScheme())));
  }
}
