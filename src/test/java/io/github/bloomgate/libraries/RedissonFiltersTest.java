package io.github.bloomgate.libraries;

import io.quarkus.test.junit.QuarkusTest;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The tests of every library, for Redisson's {@code RBloomFilter}. */
@QuarkusTest
@Tag("slow")
class RedissonFiltersTest extends LibraryFilters {

  RedissonFiltersTest() {
    super("redisson");
  }

  @Test
  void shapesRedissonDoesNotSupportAreRefused() {
    assertRefused("redisson", Map.of("bitSize", 4_294_967_295L, "numHashFunctions", 5));
    assertRefused("redisson", Map.of("bitSize", 0, "numHashFunctions", 5));
    assertRefused(
        "redisson", Map.of("bitSize", 64, "numHashFunctions", 5, "elementCodec", "marshalling"));
  }
}
