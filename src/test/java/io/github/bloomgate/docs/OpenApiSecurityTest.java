package io.github.bloomgate.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The contract says how a key is sent, as docs/security.md does, and that each operation asks. */
class OpenApiSecurityTest {

  private static final Set<String> METHODS = Set.of("get", "head", "put", "post", "delete");

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

  @Test
  void everyOperationRequiresACredentialAndDocumentsItsAbsence() {
    var operations = new ArrayList<JsonNode>();
    for (var path : contract.get("paths")) {
      path.properties().stream()
          .filter(call -> METHODS.contains(call.getKey()))
          .forEach(call -> operations.add(call.getValue()));
    }

    assertTrue(operations.size() > 20, "operations have been found");
    for (var operation : operations) {
      var id = operation.path("operationId").asText();
      // Its own list would override the global one.
      var asked = operation.path("security");
      assertEquals(
          List.of("bearer", "basic"),
          names(asked.isMissingNode() ? contract.path("security") : asked),
          id);
      assertTrue(operation.path("responses").has("401"), id);
      assertTrue(operation.path("responses").has("403"), id);
    }
  }

  /** Alternatives with one scheme each. */
  private static List<String> names(JsonNode alternatives) {
    var names = new ArrayList<String>();
    for (var alternative : alternatives) {
      assertEquals(1, alternative.size(), "schemes that are needed together");
      alternative.fieldNames().forEachRemaining(names::add);
    }
    return names;
  }
}
