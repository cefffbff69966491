package io.github.bloomgate.filters;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.config.secret.HashSecrets;
import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.FilterPlan;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DefinitionJsonTest {

  private static final FilterName NAME = new FilterName("users");

  private final DefinitionJson definitions = new DefinitionJson(HashSecrets.of());
  private final DefinitionJson.Definition definition =
      new DefinitionJson.Definition(
          FilterPlan.of(
              FilterParameters.forElements(
                  HashSchemes.nativeScheme(), 1_000, 0.01, WhenFull.REJECT)),
          Optional.empty());
  private final String json = definitions.write(definition);

  @Test
  void whatIsWrittenIsRead() {
    assertEquals(definition, definitions.read(NAME, "bloom:{users}", json));
  }

  @Test
  void anotherFormatIsRefusedWhateverItsFields() {
    assertTrue(json.startsWith("{\"format\":4,"), json);
    assertRefused("{\"format\":3}", "is stored in format 3,");
    assertRefused(json.replace("{\"format\":4,", "{\"format\":5,\"more\":[],"), "in format 5,");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{", "7", "null", "[]", "{}", "{\"format\":4}"})
  void malformedJsonIsDamage(String other) {
    assertRefused(other, "The Redis key bloom:{users} of the filter 'users'");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"segments\":2147483647",
        "\"segmentBits\":9223372036854775807",
        "\"segmentBits\":34359738368",
        "\"numHashFunctions\":256"
      })
  void anImpossibleShapeIsDamage(String field) {
    var name = field.substring(0, field.indexOf(':'));
    var other = json.replaceFirst(name + ":\\d+", field);
    assertNotEquals(json, other);
    assertRefused(other, "The Redis key bloom:{users} of the filter 'users'");
  }

  private void assertRefused(String other, String problem) {
    var failure =
        assertThrows(BloomException.class, () -> definitions.read(NAME, "bloom:{users}", other));
    assertEquals(ErrorCode.FILTER_DAMAGED, failure.code());
    assertTrue(failure.getMessage().contains(problem), failure.getMessage());
  }
}
