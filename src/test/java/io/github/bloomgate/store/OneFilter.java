package io.github.bloomgate.store;

import io.github.bloomgate.model.FilterName;
import org.junit.jupiter.api.BeforeEach;

/** A new filter for each test, and its live generation. */
abstract class OneFilter extends ScriptsOfFilters {

  FilterName name;
  StoredGeneration live;

  @BeforeEach
  void create() {
    name = name();
    created(name);
    live = live(name);
  }
}
