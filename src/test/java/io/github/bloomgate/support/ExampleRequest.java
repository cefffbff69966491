package io.github.bloomgate.support;

import static java.util.stream.Collectors.joining;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.bloomgate.support.Contract.Operation;
import io.github.bloomgate.support.Contract.Parameter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A request that succeeds: an example of the contract with the filters and elements of a test.
 *
 * @param type the media type of its body; empty if it has none
 */
public record ExampleRequest(Operation operation, String type) {

  public static final String JSON = "application/json";
  public static final String LINES = "text/plain";
  public static final String FILE = "application/octet-stream";

  /** Operations that create the filter in their path. */
  private static final Set<String> MAKE = Set.of("createFilter", "importFilter");

  private static final ObjectMapper MAPPER = new ObjectMapper();

  /**
   * The names in a request.
   *
   * @param name a filter
   * @param other a filter of the same shape
   * @param fresh a name without a filter
   * @param members a Redis key with elements
   */
  public record Names(String name, String other, String fresh, String members) {}

  /**
   * A request for each operation and each type of its body. Lines of JSON are left out, because
   * they are read like text.
   */
  public static List<ExampleRequest> all() {
    return Contract.read().operations().stream()
        .flatMap(
            operation ->
                types(operation)
                    .filter(type -> !type.equals("application/x-ndjson"))
                    .map(type -> new ExampleRequest(operation, type)))
        .toList();
  }

  private static Stream<String> types(Operation operation) {
    return operation.bodies().isEmpty() ? Stream.of("") : operation.bodies().keySet().stream();
  }

  public String id() {
    return operation.id();
  }

  public boolean isOf(String... ids) {
    return List.of(ids).contains(id());
  }

  /** Whether the request needs the other filter. */
  public boolean usesOther() {
    var names = new Names("name", "other", "fresh", "members");
    return (path(names, "a") + (type.equals(JSON) ? json(names, List.of()) : "")).contains("other");
  }

  /**
   * The path with the query: the examples of parameters without a default.
   *
   * @param element must not contain characters that a URL escapes
   */
  public String path(Names names, String element) {
    var path = operation.path().replace("{name}", MAKE.contains(id()) ? names.fresh : names.name);
    var query =
        operation.query().stream()
            .filter(parameter -> !parameter.schema().has("default") || isNeeded(parameter))
            .flatMap(
                parameter ->
                    values(parameter, names, element).map(value -> parameter.name() + "=" + value))
            .collect(joining("&"));
    return query.isEmpty() ? path : path + "?" + query;
  }

  /** Lists would have the filters of other tests, and a stream to a follower would not end. */
  private static boolean isNeeded(Parameter parameter) {
    return List.of("prefix", "once").contains(parameter.name());
  }

  private static Stream<String> values(Parameter parameter, Names names, String element) {
    return switch (parameter.name()) {
      case "element" -> Stream.of(element);
      case "filter" -> Stream.of(names.name, names.other);
      case "once" -> Stream.of("true");
      case "prefix" -> Stream.of(names.name);
      default -> parameter.examples().stream().filter(example -> !example.isEmpty());
    };
  }

  /** The JSON body. It replaces existing targets, so that the request can be repeated. */
  public String json(Names names, List<String> elements) {
    var given =
        Map.<String, Object>of(
            "elements",
            elements,
            "filters",
            List.of(names.name, names.other),
            "from",
            List.of(names.other),
            "to",
            names.fresh,
            "replace",
            true,
            "redisKey",
            names.members);
    try {
      ObjectNode body = (ObjectNode) MAPPER.readTree(operation.bodies().get(JSON).example());
      new ArrayList<>(body.properties())
          .stream()
              .filter(field -> given.containsKey(field.getKey()))
              .forEach(field -> body.putPOJO(field.getKey(), given.get(field.getKey())));
      return MAPPER.writeValueAsString(body);
    } catch (JsonProcessingException malformed) {
      throw new IllegalStateException(id() + " has no example", malformed);
    }
  }

  @Override
  public String toString() {
    return (id() + " " + type).strip();
  }
}
