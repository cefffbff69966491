package io.github.bloomgate.files.portable;

import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.FilterPlan;
import java.time.Instant;

/**
 * The header of a file.
 *
 * @param name the filter's name; only a hint, because a file may be imported under any name
 * @param plan its parameters, and its layers if it has grown
 * @param generation the number of its generation; only a hint
 * @param exportedAt when the export began, to the millisecond
 */
public record FileHeader(FilterName name, FilterPlan plan, long generation, Instant exportedAt) {

  public FilterParameters parameters() {
    return plan.parameters();
  }
}
