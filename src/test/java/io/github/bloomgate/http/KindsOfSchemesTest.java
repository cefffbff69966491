package io.github.bloomgate.http;

import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.github.bloomgate.hash.HashSchemes;
import io.quarkus.test.junit.QuarkusTest;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** No library knows layers, slices or counters: filters of its scheme cannot have them. */
@QuarkusTest
class KindsOfSchemesTest {

  private static final Map<String, String> KINDS =
      Map.of(
          "whenFull", "\"whenFull\": \"grow\"",
          "window", "\"window\": {\"seconds\": 60}",
          "counting", "\"counting\": true");

  @Test
  void noSchemeOfALibraryHasThem() {
    var schemes = HashSchemes.ids().stream().filter(id -> !id.startsWith("bloomgate-1")).toList();
    assertFalse(schemes.isEmpty());
    for (var scheme : schemes) {
      KINDS.forEach(
          (field, kind) ->
              Api.put(
                      Api.newName(),
                      "{\"expectedInsertions\": 1000, \"hashScheme\": \"%s\", %s}"
                          .formatted(scheme, kind))
                  .statusCode(400)
                  .body("code", equalTo("INVALID_REQUEST"))
                  .body("detail", containsString(scheme)));
    }
  }
}
