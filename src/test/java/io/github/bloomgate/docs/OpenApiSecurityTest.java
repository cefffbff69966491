package io.github.bloomgate.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The contract says how a key is sent, as docs/security.md does, and that each operation asks. */
class OpenApiSecurityTest {

  private JsonNode contract;

  @BeforeEach
  void read() throws IOException {
    contract = new ObjectMapper(new YAMLFactory()).readTree(Path.of("openapi.yaml").toFile());
  }

  @Test
  void aKeyIsSentAsBearerOrBasic() {
    var schemes = new TreeMap<String, String>();
    contract
        .at("/components/securitySchemes")
        .properties()
        .forEach(
            scheme ->
                schemes.put(
                    scheme.getKey(),
                    scheme.getValue().path("type").asText()
                        + " "
                        + scheme.getValue().path("scheme").asText()));

    assertEquals(
        new TreeMap<>(java.util.Map.of("basic", "http basic", "bearer", "http bearer")), schemes);
  }

  /** Its own list would override the document's. */
  @Test
  void everyOperationTakesEitherOfThemAndDocumentsItsAbsence() {
    assertEquals("[{\"bearer\":[]},{\"basic\":[]}]", contract.path("security").toString());
    for (var path : contract.get("paths")) {
      assertEquals(List.of(), path.findValues("security"));
      for (var operation : path.findParents("responses")) {
        var responses = operation.get("responses");
        assertTrue(responses.has("401") && responses.has("403"), operation::toString);
      }
    }
  }
}
