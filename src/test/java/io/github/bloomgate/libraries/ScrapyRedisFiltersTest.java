package io.github.bloomgate.libraries;

import io.quarkus.test.junit.QuarkusTest;

/** Filters of ScrapyRedisBloomFilter, by its golden file. */
@QuarkusTest
class ScrapyRedisFiltersTest extends LibraryFilters {

  ScrapyRedisFiltersTest() {
    super("scrapy-redis-bloomfilter");
  }
}
