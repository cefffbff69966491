package io.github.bloomgate.http;

import static io.restassured.RestAssured.given;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.StreamSupport;

/** The contract as the service serves it, with its references resolved. */
final class ServedContract {

  private static final Set<String> METHODS = Set.of("get", "head", "put", "post", "delete");

  private final JsonNode root;

  private ServedContract(JsonNode root) {
    this.root = root;
  }

  /**
   * A parameter of a path or a query.
   *
   * @param example what Swagger UI fills in: an example, else the default; empty if there is none
   */
  record Parameter(String name, String in, boolean required, JsonNode schema, String example) {

    boolean isInQuery() {
      return in.equals("query");
    }

    String type() {
      return schema.path("type").asText();
    }

    /** The values of an enumeration; none if it is no enumeration. */
    List<String> values() {
      return texts(schema.path("enum"));
    }
  }

  /**
   * One operation.
   *
   * @param bodies the schemas and examples of its body by media type; none if it takes none
   * @param answers the media types of its good answers
   */
  record Operation(
      String id,
      String tag,
      String method,
      String path,
      List<Parameter> parameters,
      Map<String, JsonNode> bodies,
      Set<String> answers) {

    List<Parameter> query() {
      return parameters.stream().filter(Parameter::isInQuery).toList();
    }
  }

  static ServedContract read() throws IOException {
    var text = given().get("/q/openapi?format=json").then().statusCode(200).extract().asString();
    return new ServedContract(new ObjectMapper().readTree(text));
  }

  /** All operations, those of a tag together, tags in the order of the document. */
  List<Operation> operations() {
    var all = new ArrayList<Operation>();
    for (var tag : root.get("tags")) {
      for (var path : root.get("paths").properties()) {
        for (var method : path.getValue().properties()) {
          var node = method.getValue();
          if (METHODS.contains(method.getKey())
              && texts(node.path("tags")).contains(tag.get("name").asText())) {
            all.add(operation(tag.get("name").asText(), path.getKey(), method.getKey(), node));
          }
        }
      }
    }
    return all;
  }

  /** What a reference leads to, with what stands beside it. */
  JsonNode resolve(JsonNode node) {
    var reference = node.path("$ref").asText(node.at("/allOf/0/$ref").asText(""));
    if (reference.isEmpty()) {
      return node;
    }
    var meant = resolve(root.at(reference.substring(1))).deepCopy();
    if (meant instanceof com.fasterxml.jackson.databind.node.ObjectNode object) {
      node.properties().stream()
          .filter(beside -> !beside.getKey().equals("$ref") && !beside.getKey().equals("allOf"))
          .forEach(beside -> object.set(beside.getKey(), beside.getValue()));
    }
    return meant;
  }

  private Operation operation(String tag, String path, String method, JsonNode node) {
    var parameters = new ArrayList<Parameter>();
    node.path("parameters").forEach(parameter -> parameters.add(parameter(resolve(parameter))));
    var bodies = new LinkedHashMap<String, JsonNode>();
    resolve(node.path("requestBody"))
        .path("content")
        .properties()
        .forEach(type -> bodies.put(type.getKey(), type.getValue()));
    var answers = new java.util.TreeSet<String>();
    node.get("responses").properties().stream()
        .filter(answer -> answer.getKey().startsWith("2"))
        .forEach(
            answer ->
                resolve(answer.getValue())
                    .path("content")
                    .fieldNames()
                    .forEachRemaining(answers::add));
    return new Operation(
        node.get("operationId").asText(),
        tag,
        method.toUpperCase(Locale.ROOT),
        path,
        parameters,
        bodies,
        answers);
  }

  private Parameter parameter(JsonNode node) {
    var schema = resolve(node.path("schema"));
    var example =
        Optional.of(node.path("example"))
            .filter(given -> !given.isMissingNode())
            .or(() -> Optional.of(schema.path("default")))
            .map(given -> given.isArray() ? given.get(0) : given)
            .filter(given -> !given.isMissingNode())
            .map(JsonNode::asText)
            .orElse("");
    return new Parameter(
        node.get("name").asText(),
        node.get("in").asText(),
        node.path("required").asBoolean(),
        schema,
        example);
  }

  /** The example of a body, as Swagger UI writes it into its field. */
  String body(Operation operation, String type) {
    var content = operation.bodies().get(type);
    var example = content.path("example");
    if (example.isMissingNode()) {
      example = resolve(content.path("schema")).path("examples").path(0);
    }
    return example.isTextual() ? example.asText() : example.toString();
  }

  /** The fields of a JSON body. */
  Map<String, JsonNode> fields(Operation operation) {
    var fields = new LinkedHashMap<String, JsonNode>();
    var body = operation.bodies().get("application/json");
    if (body != null) {
      resolve(body.path("schema"))
          .path("properties")
          .properties()
          .forEach(field -> fields.put(field.getKey(), resolve(field.getValue())));
    }
    return fields;
  }

  static List<String> texts(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false).map(JsonNode::asText).toList();
  }
}
