package io.github.bloomgate.fuzz;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** {@code openapi.yaml} with its references resolved. */
final class Contract {

  private static final Pattern CODE = Pattern.compile("`([A-Z]+_[A-Z_]+|INTERNAL)`");
  private static final Pattern HEADING = Pattern.compile("(?m)^### ([A-Z_]+) \\((\\d{3})\\)$");
  private static final Set<String> METHODS =
      Set.of("get", "head", "put", "post", "delete", "patch", "options", "trace");

  private final JsonNode root;
  private final List<Operation> operations = new ArrayList<>();
  private final Map<String, Integer> codes = new HashMap<>();

  /** A parameter of the query; the one of the path is the name of a filter. */
  record Parameter(String name, boolean required, JsonNode schema) {}

  /**
   * One call of the contract.
   *
   * @param path with {@code {name}} for the name of a filter
   * @param bodies schemas by media type; none if it takes no body
   * @param answers what may be answered, by status
   */
  record Operation(
      String id,
      String method,
      String path,
      List<Parameter> query,
      Map<String, JsonNode> bodies,
      Map<Integer, Answer> answers) {

    boolean reads() {
      return method.equals("GET") || method.equals("HEAD");
    }
  }

  /**
   * One status of an operation.
   *
   * @param schemas by media type; none if there is no body
   * @param codes the error codes that its description names
   */
  record Answer(Map<String, JsonNode> schemas, Set<String> codes) {}

  private Contract(JsonNode root) {
    this.root = root;
  }

  /** Reads the contract and the list of error codes from the working directory. */
  static Contract read() throws IOException {
    var text = Files.readString(Path.of("openapi.yaml"));
    var contract = new Contract(new ObjectMapper(new YAMLFactory()).readTree(text));
    contract
        .root
        .get("paths")
        .properties()
        .forEach(
            path ->
                path.getValue()
                    .properties()
                    .forEach(
                        call -> {
                          if (METHODS.contains(call.getKey())) {
                            contract.operations.add(
                                contract.operation(path.getKey(), call.getKey(), call.getValue()));
                          }
                        }));
    contract.operations.sort(Comparator.comparing(Operation::id));
    HEADING
        .matcher(Files.readString(Path.of("docs/errors.md")))
        .results()
        .forEach(code -> contract.codes.put(code.group(1), Integer.parseInt(code.group(2))));
    return contract;
  }

  /** All operations, in the order of their ids. */
  List<Operation> operations() {
    return operations;
  }

  /** The methods that a path has. */
  Set<String> methods(String path) {
    return operations.stream()
        .filter(operation -> operation.path().equals(path))
        .map(Operation::method)
        .collect(Collectors.toSet());
  }

  /** The documented error codes with their statuses. */
  Map<String, Integer> codes() {
    return codes;
  }

  /** The target of a reference; a node without one is returned unchanged. */
  JsonNode resolve(JsonNode node) {
    var reference = node.path("$ref").asText(node.at("/allOf/0/$ref").asText(""));
    return reference.isEmpty() ? node : resolve(root.at(reference.substring(1)));
  }

  private Operation operation(String path, String method, JsonNode node) {
    var query = new ArrayList<Parameter>();
    for (var reference : node.path("parameters")) {
      var parameter = resolve(reference);
      if (parameter.get("in").asText().equals("query")) {
        query.add(
            new Parameter(
                parameter.get("name").asText(),
                parameter.path("required").asBoolean(),
                resolve(parameter.get("schema"))));
      } else if (!parameter.get("name").asText().equals("name")) {
        throw new IllegalStateException("A kind of parameter not known here: " + parameter);
      }
    }
    var answers = new TreeMap<Integer, Answer>();
    node.get("responses")
        .properties()
        .forEach(
            answer -> {
              var meant = resolve(answer.getValue());
              answers.put(
                  Integer.parseInt(answer.getKey()),
                  new Answer(
                      schemas(meant.path("content")), codesIn(meant.path("description").asText())));
            });
    return new Operation(
        node.get("operationId").asText(),
        method.toUpperCase(java.util.Locale.ROOT),
        path,
        query,
        schemas(resolve(node.path("requestBody")).path("content")),
        answers);
  }

  private Map<String, JsonNode> schemas(JsonNode content) {
    var schemas = new TreeMap<String, JsonNode>();
    content
        .properties()
        .forEach(type -> schemas.put(type.getKey(), resolve(type.getValue().path("schema"))));
    return schemas;
  }

  private static Set<String> codesIn(String description) {
    return CODE.matcher(description)
        .results()
        .map(MatchResult::group)
        .map(code -> code.replace("`", ""))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** The texts of an enumeration. */
  static List<String> texts(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false).map(JsonNode::asText).toList();
  }
}
