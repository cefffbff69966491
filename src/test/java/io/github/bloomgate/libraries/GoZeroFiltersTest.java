package io.github.bloomgate.libraries;

import io.quarkus.test.junit.QuarkusTest;

/** Filters of the package core/bloom of go-zero, by its golden file. */
@QuarkusTest
class GoZeroFiltersTest extends LibraryFilters {

  GoZeroFiltersTest() {
    super("go-zero");
  }
}
