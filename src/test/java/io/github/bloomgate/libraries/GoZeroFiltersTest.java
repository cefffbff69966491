package io.github.bloomgate.libraries;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Filters of the package core/bloom of go-zero, by its golden file. */
@QuarkusTest
class GoZeroFiltersTest extends LibraryFilters {

  GoZeroFiltersTest() {
    super("go-zero");
  }

  @Test
  void numHashFunctionsIsFourteenAndMayBeLeftOut() {
    var adopted = AdoptedFilter.of(redis);
    var description = adopted.created(Map.of("hashScheme", "go-zero", "bitSize", 1001));
    assertEquals(14, description.path("numHashFunctions").asInt());
    assertEquals(1001, description.path("bitSize").asInt());
    adopted.delete(true);
  }

  @Test
  void shapesTheLibraryDoesNotSupportAreRefused() {
    for (var parameters :
        List.<Map<String, Object>>of(
            Map.of("bitSize", 1000, "numHashFunctions", 13),
            Map.of("bitSize", 0),
            Map.of("bitSize", (1L << 32) + 1),
            Map.of("expectedInsertions", 1000, "falsePositiveProbability", 0.01),
            Map.of("bitSize", 1000, "elementCodec", "kryo5"))) {
      assertRefused("go-zero", parameters);
    }
  }
}
