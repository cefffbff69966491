package io.github.bloomgate.elements;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.github.bloomgate.elements.ElementCall.Kind;
import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.memory.Client;
import io.github.bloomgate.model.Durability;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ElementCallTest {

  private final ElementCall call =
      new ElementCall(
          Kind.TEST,
          List.of("a".getBytes(UTF_8), "b".getBytes(UTF_8)),
          Durability.PRIMARY,
          Client.SERVICE,
          Optional.empty());

  @Test
  void filtersOfOneSchemeShareTheHashes() {
    for (var id : HashSchemes.ids()) {
      var scheme = HashSchemes.named(id).orElseThrow();
      if (scheme.canLocate() && !id.startsWith("scrapy")) {
        var hashes = call.hash(scheme, 3);
        assertSame(hashes, call.hash(scheme, 14), id);
        assertEquals(2, hashes.count());
      }
    }
  }

  /** Each hash function has its own sum, so the number of hash functions matters. */
  @Test
  void filtersOfScrapyShareHashesIfTheirNumberOfFunctionsIsEqual() {
    var scheme = HashSchemes.named("scrapy-redis-bloomfilter").orElseThrow();
    assertSame(call.hash(scheme, 6), call.hash(scheme, 6));
    assertNotSame(call.hash(scheme, 6), call.hash(scheme, 5));
  }

  @Test
  void anElementIsFoundByItsIndex() {
    var scheme = HashSchemes.named("bits-and-blooms").orElseThrow();
    var shape = new FilterShape(1, 1000, 3);
    var expected = new long[3];
    scheme.locate("b".getBytes(UTF_8), shape, expected);
    var found = new long[3];
    assertEquals(0, call.hash(scheme, 3).locate(1, shape, found));
    assertEquals(
        List.of(expected[0], expected[1], expected[2]), List.of(found[0], found[1], found[2]));
  }
}
