package io.github.bloomgate.libraries;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.bloomgate.http.Api;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Filters of ScrapyRedisBloomFilter, by its golden file. */
@QuarkusTest
class ScrapyRedisFiltersTest extends LibraryFilters {

  ScrapyRedisFiltersTest() {
    super("scrapy-redis-bloomfilter");
  }

  @Test
  void sixHashFunctionsAreTheDefault() {
    var adopted = AdoptedFilter.of(redis);
    var description =
        adopted.created(Map.of("hashScheme", "scrapy-redis-bloomfilter", "bitSize", 1 << 12));
    assertEquals(6, description.path("numHashFunctions").asInt());
    adopted.delete(true);
  }

  @Test
  void shapesTheLibraryDoesNotSupportAreRefused() {
    for (var parameters :
        List.<Map<String, Object>>of(
            Map.of("bitSize", 1000, "numHashFunctions", 6),
            Map.of("bitSize", 1L << 33),
            Map.of("expectedInsertions", 1000, "falsePositiveProbability", 0.01))) {
      assertRefused("scrapy-redis-bloomfilter", parameters);
    }
  }

  @Test
  void elementsThatAreNoTextAreRefusedAndChangeNothing() {
    var adopted = AdoptedFilter.of(redis);
    adopted.created(Map.of("hashScheme", "scrapy-redis-bloomfilter", "bitSize", 1 << 12));
    for (var operation : List.of("add", "test")) {
      Api.refused(
          400,
          "INVALID_REQUEST",
          Api.post(adopted.name(), operation, new Elements("hex", List.of("61", "ff"))));
    }
    assertEquals(0, adopted.describe().path("bitsSet").asInt());
    adopted.delete(true);
  }
}
