package io.github.bloomgate.support;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The contract in {@code openapi.yaml}, with its references resolved. Thread-safe. */
public final class Contract {

  private static final Pattern CODE = Pattern.compile("`([A-Z]+_[A-Z_]+|INTERNAL)`");
  private static final Set<String> METHODS =
      Set.of("get", "head", "put", "post", "delete", "patch", "trace");
  private static final Contract READ = new Contract(ProjectFiles.yaml("openapi.yaml"));

  private final JsonNode root;

  /** The contract, changed to forbid fields that it does not name. */
  private final ObjectNode closed;

  private final List<Operation> operations = new ArrayList<>();
  private final Map<JsonNode, Schema> schemas = new ConcurrentHashMap<>();
  private final SchemaRegistry registry =
      SchemaRegistry.withDefaultDialect(
          SpecificationVersion.DRAFT_2020_12,
          builder ->
              builder.schemaRegistryConfig(
                  SchemaRegistryConfig.builder().formatAssertionsEnabled(true).build()));

  /**
   * A parameter of a path or a query.
   *
   * @param examples the values that Swagger UI fills in, several for an array: the examples, or
   *     else the default
   * @param choices values that Swagger UI offers by name; the first is filled in
   */
  public record Parameter(
      String name,
      String in,
      boolean required,
      JsonNode schema,
      List<String> examples,
      Map<String, String> choices) {

    /** The first example; empty if there is none. */
    public String example() {
      return examples.stream().findFirst().orElse("");
    }

    public boolean isInQuery() {
      return in.equals("query");
    }

    public String type() {
      return schema.path("type").asText();
    }

    /** The values of an enumeration; empty for other types. */
    public List<String> values() {
      return texts(schema.path("enum"));
    }
  }

  /**
   * An operation.
   *
   * @param role the role that a key needs for it
   * @param bodies request bodies by media type; empty without a body
   * @param answers responses by status
   */
  public record Operation(
      String id,
      String tag,
      String method,
      String path,
      String role,
      List<Parameter> parameters,
      Map<String, Body> bodies,
      Map<Integer, DescribedResponse> answers) {

    public List<Parameter> query() {
      return parameters.stream().filter(Parameter::isInQuery).toList();
    }

    /** Whether its response has no end unless it is asked for. */
    public boolean isEndless() {
      return query().stream().anyMatch(parameter -> parameter.name().equals("once"));
    }

    public boolean reads() {
      return method.equals("GET") || method.equals("HEAD");
    }

    public Operation asHead() {
      return new Operation(id, tag, "HEAD", path, role, parameters, bodies, answers);
    }

    /** Whether this status is a "no", which has no body, and not an error. */
    public boolean isNo(int status) {
      return status == 403 && id.startsWith("checkGate");
    }

    /** The media types of successful responses. */
    public Set<String> successTypes() {
      return answers.entrySet().stream()
          .filter(answer -> answer.getKey() < 300)
          .flatMap(answer -> answer.getValue().schemas().keySet().stream())
          .collect(Collectors.toCollection(TreeSet::new));
    }

    private boolean isAt(String[] segments) {
      var own = path.split("/");
      return own.length == segments.length
          && java.util.stream.IntStream.range(0, own.length)
              .allMatch(i -> own[i].startsWith("{") || own[i].equals(segments[i]));
    }
  }

  /**
   * A request body.
   *
   * @param example the text that Swagger UI writes into its field
   * @param choices texts that Swagger UI offers by name; the first is filled in
   */
  public record Body(JsonNode schema, String example, Map<String, String> choices) {}

  /**
   * The response of an operation with one status.
   *
   * @param schemas schemas by media type; empty without a body
   * @param headers names of possible headers
   * @param required names of headers that are always present
   * @param codes error codes in the description
   */
  public record DescribedResponse(
      Map<String, JsonNode> schemas,
      Set<String> headers,
      Set<String> required,
      Set<String> codes) {}

  private Contract(JsonNode root) {
    this.root = root;
    this.closed = root.deepCopy();
    closed
        .at("/components/schemas")
        .forEach(
            schema -> {
              if (schema.has("properties")) {
                ((ObjectNode) schema).put("additionalProperties", false);
              }
            });
    var tags = root.findValuesAsText("name");
    root.get("paths")
        .properties()
        .forEach(
            path ->
                path.getValue().properties().stream()
                    .filter(method -> METHODS.contains(method.getKey()))
                    .forEach(
                        method ->
                            operations.add(
                                operation(path.getKey(), method.getKey(), method.getValue()))));
    operations.sort(Comparator.comparing(operation -> tags.indexOf(operation.tag)));
  }

  /** Reads the contract in the working directory. */
  public static Contract read() {
    return READ;
  }

  /** All operations, grouped by tag, with tags in the order of the document. */
  public List<Operation> operations() {
    return operations;
  }

  /** The operationId of each operation whose response always ends. */
  public Set<String> idsOfThoseThatEnd() {
    return operations.stream()
        .filter(operation -> !operation.isEndless())
        .map(Operation::id)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** The operations for the path of a request, by method. */
  public Map<String, Operation> at(String path) {
    var segments = path.split("/");
    return operations.stream()
        .filter(operation -> operation.isAt(segments))
        .collect(Collectors.toMap(Operation::method, operation -> operation));
  }

  /**
   * Returns the mistakes in a value. It has none if the schema permits it and the contract names
   * all its fields.
   */
  public List<String> mistakes(JsonNode schema, JsonNode value) {
    return schemas.computeIfAbsent(schema, this::compiled).validate(value).stream()
        .map(Object::toString)
        .toList();
  }

  /**
   * References start at the root of a document, so each schema becomes a document with all
   * components.
   */
  private Schema compiled(JsonNode schema) {
    ObjectNode document = schema.deepCopy();
    document.set("components", closed.get("components"));
    return registry.getSchema(document);
  }

  /** The target of a reference, with the fields next to it. */
  public JsonNode resolve(JsonNode node) {
    var reference = node.path("$ref").asText(node.at("/allOf/0/$ref").asText(""));
    if (reference.isEmpty()) {
      return node;
    }
    ObjectNode meant = resolve(root.at(reference.substring(1))).deepCopy();
    node.properties().stream()
        .filter(sibling -> !Set.of("$ref", "allOf").contains(sibling.getKey()))
        .forEach(sibling -> meant.set(sibling.getKey(), sibling.getValue()));
    return meant;
  }

  public static List<String> texts(JsonNode array) {
    return array.valueStream().map(JsonNode::asText).toList();
  }

  private Operation operation(String path, String method, JsonNode node) {
    var parameters = new ArrayList<Parameter>();
    node.path("parameters").forEach(parameter -> parameters.add(parameter(resolve(parameter))));
    var bodies = new LinkedHashMap<String, Body>();
    resolve(node.path("requestBody"))
        .path("content")
        .properties()
        .forEach(type -> bodies.put(type.getKey(), body(type.getValue())));
    var answers = new TreeMap<Integer, DescribedResponse>();
    node.get("responses")
        .properties()
        .forEach(
            answer ->
                answers.put(Integer.parseInt(answer.getKey()), answer(resolve(answer.getValue()))));
    return new Operation(
        node.get("operationId").asText(),
        node.get("tags").get(0).asText(),
        method.toUpperCase(Locale.ROOT),
        path,
        node.path("x-role").asText(),
        parameters,
        bodies,
        answers);
  }

  private Parameter parameter(JsonNode node) {
    var schema = resolve(node.path("schema"));
    var choices = choices(node);
    var example = node.has("example") ? node.get("example") : schema.path("default");
    var first = choices.values().stream().findFirst().orElse(example.asText());
    return new Parameter(
        node.get("name").asText(),
        node.get("in").asText(),
        node.path("required").asBoolean(),
        schema,
        example.isArray() ? texts(example) : List.of(first),
        choices);
  }

  private Body body(JsonNode content) {
    var schema = resolve(content.path("schema"));
    var choices = choices(content);
    var example = content.has("example") ? content.get("example") : schema.path("examples").path(0);
    var first = choices.values().stream().findFirst().orElse(text(example));
    return new Body(schema, first, choices);
  }

  private static Map<String, String> choices(JsonNode node) {
    var choices = new LinkedHashMap<String, String>();
    node.path("examples")
        .properties()
        .forEach(choice -> choices.put(choice.getKey(), text(choice.getValue().get("value"))));
    return choices;
  }

  private static String text(JsonNode example) {
    return example.isTextual() ? example.asText() : example.toString();
  }

  private DescribedResponse answer(JsonNode node) {
    var types = new TreeMap<String, JsonNode>();
    node.path("content")
        .properties()
        .forEach(type -> types.put(type.getKey(), type.getValue().path("schema")));
    var headers = new TreeSet<String>();
    var required = new TreeSet<String>();
    node.path("headers")
        .properties()
        .forEach(
            header -> {
              headers.add(header.getKey());
              if (resolve(header.getValue()).path("required").asBoolean()) {
                required.add(header.getKey());
              }
            });
    var codes = Found.in(node.path("description").asText(), CODE);
    return new DescribedResponse(types, headers, required, codes);
  }
}
