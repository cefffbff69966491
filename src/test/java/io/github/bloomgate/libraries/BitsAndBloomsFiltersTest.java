package io.github.bloomgate.libraries;

import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Filters of the Go library bits-and-blooms/bloom, by its golden file. */
@QuarkusTest
@Tag("slow")
class BitsAndBloomsFiltersTest extends LibraryFilters {

  BitsAndBloomsFiltersTest() {
    super("bits-and-blooms");
  }

  @Test
  void shapesTheLibraryDoesNotSupportAreRefused() {
    for (var parameters :
        List.<Map<String, Object>>of(
            Map.of("bitSize", (1L << 32) + 1, "numHashFunctions", 5),
            Map.of("bitSize", 0, "numHashFunctions", 5),
            Map.of("bitSize", 1000, "numHashFunctions", 0),
            Map.of("bitSize", 1000))) {
      assertRefused("bits-and-blooms", parameters);
    }
  }
}
