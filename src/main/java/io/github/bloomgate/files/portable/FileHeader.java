package io.github.bloomgate.files.portable;

import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.hash.HashScheme;
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

  /** The version of the file: the lowest that supports the filter. */
  int version() {
    var parameters = parameters();
    if (parameters.growth().isPresent()) {
      return FileLayout.VERSION_OF_LAYERS;
    }
    return parameters.isPlain() && isOf(parameters.hashScheme(), parameters.shape())
        ? FileLayout.VERSION
        : FileLayout.VERSION_OF_CONTENT;
  }

  /** Whether a scheme computes this shape for its number of bits. */
  static boolean isOf(HashScheme scheme, FilterShape shape) {
    try {
      return shape.equals(scheme.shapeOf(shape.bitSize(), shape.numHashFunctions()));
    } catch (IllegalArgumentException refused) {
      return false;
    }
  }
}
