package io.github.bloomgate.libraries;

import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Filters of Guava's {@code BloomFilter}, by its golden files; see {@link GuavaFilesTest}. */
@QuarkusTest
@Tag("slow")
class GuavaFiltersTest extends LibraryFilters {

  GuavaFiltersTest() {
    super("guava-mitz-32", "guava-mitz-64");
  }

  @Test
  void shapesGuavaDoesNotSupportAreRefused() {
    for (var scheme : List.of("guava-mitz-32", "guava-mitz-64")) {
      for (var parameters :
          List.<Map<String, Object>>of(
              Map.of("bitSize", (1L << 32) + 64, "numHashFunctions", 5),
              Map.of("bitSize", 1024, "numHashFunctions", 256),
              Map.of("bitSize", 1024))) {
        assertRefused(scheme, parameters);
      }
    }
  }
}
