package io.github.bloomgate.files.portable;

import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.FilterPlan;
import java.time.Instant;

/**
 * What a file says of the filter in it.
 *
 * @param name the name it had; a hint only, a file may be imported under any name
 * @param plan what it was created with, and its layers if it has grown
 * @param generation the number of its generation; a hint only
 * @param exportedAt when the export began, to the millisecond
 */
public record FileHeader(FilterName name, FilterPlan plan, long generation, Instant exportedAt) {

  /** Of a filter of one layer. */
  public FileHeader(
      FilterName name, FilterParameters parameters, long generation, Instant exportedAt) {
    this(name, FilterPlan.of(parameters), generation, exportedAt);
  }

  /** What it was created with. */
  public FilterParameters parameters() {
    return plan.parameters();
  }

  /** The version of the file: the lowest that can tell what the filter is. */
  int version() {
    var parameters = parameters();
    if (parameters.growth().isPresent()) {
      return FileLayout.VERSION_OF_LAYERS;
    }
    return parameters.isPlain() && HeaderFields.isOf(parameters.hashScheme(), parameters.shape())
        ? FileLayout.VERSION
        : FileLayout.VERSION_OF_CONTENT;
  }
}
