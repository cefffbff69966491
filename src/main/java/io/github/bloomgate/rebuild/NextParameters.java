package io.github.bloomgate.rebuild;

import io.github.bloomgate.config.secret.HashSecrets;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterPlan;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.FilterErrors;
import io.github.bloomgate.model.error.RequestErrors;
import io.github.bloomgate.store.SegmentStore;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.util.function.Function;

/** What the generations are like that rebuilds load. */
@ApplicationScoped
public class NextParameters {

  private final HashSecrets secrets;
  private final Clock clock;

  public NextParameters(HashSecrets secrets, Clock clock) {
    this.secrets = secrets;
    this.clock = clock;
  }

  /**
   * The next generation of a filter.
   *
   * @param choice what it is like, from the filter
   * @throws BloomException INVALID_REQUEST if it has a window or counters and the next has none, if
   *     it shall be keyed and there is no secret, or shall be of another shape than an adopted
   *     bitmap; SECRET_MISSING if it is to keep the key of the filter and that is not known
   */
  Filter successor(Filter filter, Function<Filter, FilterPlan> choice) {
    return filter.successor(plan(filter, choice), clock.instant());
  }

  /** The generation that shall become a filter. Fails likewise. */
  Filter ofNew(FilterName name, FilterPlan plan) {
    return Filter.toCome(name, keyed(plan), clock.instant());
  }

  /** The clients of the library whose bitmap it is know of no other shape than the one they use. */
  private FilterPlan plan(Filter filter, Function<Filter, FilterPlan> choice) {
    var plan = choice.apply(filter);
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
          filter.name(), SegmentStore.bitsKey(filter, 0), asked.whenFull() == WhenFull.REJECT);
    }
    return FilterPlan.of(filter.parameters());
  }

  private FilterPlan keyed(FilterPlan plan) {
    var parameters = plan.parameters();
    return plan.withParameters(
        parameters.withHashScheme(secrets.forContent(parameters.hashScheme())));
  }
}
