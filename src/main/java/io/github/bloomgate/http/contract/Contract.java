package io.github.bloomgate.http.contract;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.bloomgate.http.access.Role;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The operations of {@code openapi.yaml}, with their roles, parameters and media types. Immutable.
 */
@Singleton
public final class Contract {

  /** The JSON form that the build makes of the contract. YAML takes five times as long to read. */
  private static final String DOCUMENT = "META-INF/quarkus-generated-openapi-doc.JSON";

  private final List<Path> paths;

  /**
   * One operation.
   *
   * @param role the role that a key needs
   * @param query its query parameters by name, sorted
   * @param takes the media types of its body, sorted; none if it takes no body
   * @param answers the media types of its good answers, sorted; none if they have no body
   */
  public record Operation(
      Role role, Map<String, Parameter> query, List<String> takes, List<String> answers) {}

  /**
   * One path.
   *
   * @param segments the parts between its slashes; those in braces stand for any text
   * @param operations by method
   * @param isForAnyMethod whether its GET also answers all other methods
   * @param isForwarded whether a proxy may append a query and a client's path
   */
  public record Path(
      List<String> segments,
      Map<String, Operation> operations,
      boolean isForAnyMethod,
      boolean isForwarded) {

    private boolean matches(String[] sent) {
      if (sent.length != segments.size() && !(isForwarded && sent.length > segments.size())) {
        return false;
      }
      for (var i = 0; i < segments.size(); i++) {
        var own = segments.get(i);
        if (!own.startsWith("{") && !own.equals(sent[i])) {
          return false;
        }
      }
      return true;
    }

    public String template() {
      return String.join("/", segments);
    }

    /** The operation of a method; empty if there is none. */
    Optional<Operation> operation(String method) {
      return Optional.ofNullable(operations.get(isForAnyMethod ? "GET" : method));
    }

    /** The methods, as in the {@code Allow} header. */
    public String allowed() {
      var methods = new TreeSet<>(operations.keySet());
      methods.add("OPTIONS");
      return String.join(", ", methods);
    }
  }

  @Inject
  Contract() {
    this(document());
  }

  public Contract(JsonNode document) {
    this.paths =
        document.get("paths").properties().stream()
            .map(
                path ->
                    new Path(
                        List.of(path.getKey().split("/")),
                        operations(document, path.getValue()),
                        path.getValue().path("x-any-method").asBoolean(),
                        path.getValue().path("x-forwarded-path").asBoolean()))
            .toList();
  }

  private static JsonNode document() {
    try (var json = Thread.currentThread().getContextClassLoader().getResourceAsStream(DOCUMENT)) {
      return new ObjectMapper().readTree(json);
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  /** Finds a normalized path, without dot and empty segments. A slash at its end is ignored. */
  public Optional<Path> at(String path) {
    var segments = path.split("/");
    for (var some : paths) {
      if (some.matches(segments)) {
        return Optional.of(some);
      }
    }
    return Optional.empty();
  }

  /**
   * Refuses a path with dots or empty segments if a client of a proxy has written its end.
   *
   * @throws io.github.bloomgate.model.error.BloomException INVALID_REQUEST
   */
  public void requireNotForwarded(String path) {
    var forwarded = at(path).filter(Path::isForwarded);
    if (forwarded.isPresent()) {
      throw ForwardedPath.malformed(forwarded.get().template());
    }
  }

  private static Map<String, Operation> operations(JsonNode document, JsonNode path) {
    var operations = new TreeMap<String, Operation>();
    path.properties().stream()
        .filter(entry -> entry.getValue().has("responses"))
        .forEach(
            entry ->
                operations.put(
                    entry.getKey().toUpperCase(Locale.ROOT),
                    operation(document, entry.getValue())));
    // The framework answers HEAD where there is GET.
    Optional.ofNullable(operations.get("GET"))
        .ifPresent(get -> operations.putIfAbsent("HEAD", get));
    return operations;
  }

  private static Operation operation(JsonNode document, JsonNode node) {
    var query = new TreeMap<String, Parameter>();
    for (var reference : node.path("parameters")) {
      var parameter = resolve(document, reference);
      if (parameter.get("in").asText().equals("query")) {
        query.put(
            parameter.get("name").asText(),
            parameter(document, resolve(document, parameter.get("schema"))));
      }
    }
    var answers = new TreeSet<String>();
    node.get("responses").properties().stream()
        .filter(answer -> answer.getKey().startsWith("2"))
        .forEach(answer -> answers.addAll(mediaTypes(document, answer.getValue())));
    var body = resolve(document, node.path("requestBody"));
    var takes = new TreeSet<String>(mediaTypes(document, body));
    body.path("x-more-media-types").forEach(type -> takes.add(type.asText()));
    var role = Role.named(node.path("x-role").asText()).orElseThrow();
    return new Operation(role, query, List.copyOf(takes), List.copyOf(answers));
  }

  private static Parameter parameter(JsonNode document, JsonNode schema) {
    var mayRepeat = schema.get("type").asText().equals("array");
    return new Parameter(mayRepeat, mayRepeat ? resolve(document, schema.get("items")) : schema);
  }

  private static List<String> mediaTypes(JsonNode document, JsonNode reference) {
    return resolve(document, reference).path("content").properties().stream()
        .map(Map.Entry::getKey)
        .toList();
  }

  private static JsonNode resolve(JsonNode document, JsonNode node) {
    return node.has("$ref") ? document.at(node.get("$ref").asText().substring(1)) : node;
  }
}
