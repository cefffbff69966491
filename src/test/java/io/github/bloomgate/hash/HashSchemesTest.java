package io.github.bloomgate.hash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The list of schemes. Filters store the ids of schemes, so ids never change. */
class HashSchemesTest {

  @Test
  void everyIdNamesItsScheme() {
    for (String id : HashSchemes.ids()) {
      assertEquals(id, HashSchemes.named(id).orElseThrow().id());
    }
    assertSame(HashSchemes.nativeScheme(), HashSchemes.named("bloomgate-1").orElseThrow());
    assertEquals(HashSchemes.ids().size(), new HashSet<>(HashSchemes.ids()).size());
  }

  @Test
  void idsAreFrozen() {
    assertEquals(
        List.of(
            "bloomgate-1",
            "bloomgate-1-keyed",
            "go-zero",
            "guava-mitz-32",
            "guava-mitz-64",
            "guava-redis-helper",
            "guava-redis-helper-once",
            "bits-and-blooms",
            "redisson",
            "scrapy-redis-bloomfilter",
            "redisbloom",
            "rueidisprob"),
        HashSchemes.ids());
  }

  @Test
  void otherNamesHaveNoScheme() {
    assertEquals(Optional.empty(), HashSchemes.named("bloomgate-2"));
    assertEquals(Optional.empty(), HashSchemes.named("Bloomgate-1"));
    assertEquals(Optional.empty(), HashSchemes.named(""));
  }
}
