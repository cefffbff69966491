package io.github.bloomgate.filters;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A filter at one version of its state, as cached by this instance. Redis refuses calls with an
 * outdated version.
 *
 * @param live the generation that answers
 * @param next the generation that an open rebuild loads
 */
public record FilterView(GenerationView live, Optional<GenerationView> next) {

  /** The generations that an add goes to, the live one first. */
  public List<GenerationView> generations() {
    return Stream.concat(Stream.of(live), next.stream()).toList();
  }

  /** The most hash functions of any layer. */
  public int mostHashFunctions() {
    return generations().stream()
        .flatMap(generation -> generation.layers().stream())
        .mapToInt(layer -> layer.places().numHashFunctions())
        .max()
        .orElseThrow();
  }
}
