package io.github.bloomgate.elements;

import io.github.bloomgate.model.Generation;
import java.util.Optional;

/**
 * What a filter consists of at one moment, and so where an add puts its elements.
 *
 * @param live the generation that is tested
 * @param next the one that an open rebuild loads
 */
record Contents(Generation live, Optional<Generation> next) {

  /** Whether what was added to these is in what the filter consists of now. */
  boolean outlast(Contents now) {
    return has(now.live) && now.next.map(this::has).orElse(true);
  }

  private boolean has(Generation generation) {
    return generation.equals(live) || next.filter(generation::equals).isPresent();
  }
}
