package io.github.bloomgate.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.github.bloomgate.support.ProjectFiles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.representer.Representer;
import org.yaml.snakeyaml.resolver.Resolver;

/**
 * {@code openapi.yaml} is valid for tools that read YAML 1.1, as most do. The validator of the
 * generator of clients is in {@link GeneratedClientsTest}.
 */
class ContractFileTest {

  private static final SchemaRegistry SCHEMAS =
      SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);

  /** Names that are types or keywords somewhere, or say nothing in a program. */
  private static final Pattern TOO_SHORT = Pattern.compile("[a-z]+|[A-Z][a-z]{1,5}");

  private final JsonNode contract = yaml11(ProjectFiles.text(Path.of("openapi.yaml")));

  private static JsonNode yaml11(String text) {
    var options = new DumperOptions();
    var reader =
        new Yaml(
            new SafeConstructor(new LoaderOptions()),
            new Representer(options),
            options,
            new Yaml11Resolver());
    return new ObjectMapper().valueToTree(reader.load(text));
  }

  /** In YAML 1.1, a number with an exponent has a point, and the exponent a sign. */
  private static final class Yaml11Resolver extends Resolver {

    private static final Pattern NUMBER =
        Pattern.compile("[-+]?([0-9][0-9_]*\\.[0-9_]*|\\.[0-9_]+)([eE][-+][0-9]+)?");

    @Override
    public void addImplicitResolver(Tag tag, Pattern pattern, String first, int limit) {
      super.addImplicitResolver(tag, tag.equals(Tag.FLOAT) ? NUMBER : pattern, first, limit);
    }
  }

  /** In YAML 1.1, {@code 1E-12} is a text and {@code no} is false. */
  @Test
  void allVersionsOfYamlReadTheSame() {
    assertEquals(ProjectFiles.yaml("openapi.yaml"), contract);
    assertNotEquals(ProjectFiles.documents("minimum: 1E-12").get(0), yaml11("minimum: 1E-12"));
  }

  @Test
  void itIsADocumentOfOpenApi() {
    var schema = ProjectFiles.text(Path.of("src/test/resources/clients/openapi-3.1.schema.json"));
    assertEquals(List.of(), SCHEMAS.getSchema(schema).validate(contract));
  }

  /** The schema of OpenAPI does not look into schemas. */
  @Test
  void itsSchemasAreJsonSchemas() {
    var rules =
        SCHEMAS.getSchema(SchemaLocation.of(SpecificationVersion.DRAFT_2020_12.getDialectId()));
    var schemas = new ArrayList<>(contract.findValues("schema"));
    contract.at("/components/schemas").forEach(schemas::add);
    for (var schema : schemas) {
      assertEquals(List.of(), rules.validate(schema), schema.toString());
    }
  }

  /**
   * Generated clients reject null in a required property whose type is a reference, and make an
   * empty class of a schema that is nothing but a reference with a description.
   */
  @Test
  void itsReferencesSuitGenerators() {
    contract
        .at("/components/schemas")
        .properties()
        .forEach(
            schema -> {
              var type = schema.getValue();
              assertFalse(type.has("allOf") && !type.has("properties"), schema.getKey());
              for (var required : type.path("required")) {
                var property = type.path("properties").path(required.asText());
                assertFalse(property.has("anyOf"), schema.getKey() + "." + required);
              }
            });
  }

  @Test
  void itsNamesFitIntoPrograms() {
    var names = new ArrayList<String>();
    contract.findValuesAsText("operationId").forEach(names::add);
    contract.at("/components/schemas").fieldNames().forEachRemaining(names::add);
    assertEquals(List.of("Sizing"), names.stream().filter(TOO_SHORT.asMatchPredicate()).toList());
  }

  /** Where a generated client finds the service without being told. */
  @Test
  void itNamesAServer() {
    assertEquals("http://localhost:8080", contract.at("/servers/0/url").asText());
  }
}
