package io.github.bloomgate.libraries;

import io.quarkus.test.junit.QuarkusTest;

/** Filters of the Go library bits-and-blooms/bloom, by its golden file. */
@QuarkusTest
class BitsAndBloomsFiltersTest extends LibraryFilters {

  BitsAndBloomsFiltersTest() {
    super("bits-and-blooms");
  }
}
