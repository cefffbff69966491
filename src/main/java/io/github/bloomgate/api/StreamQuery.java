package io.github.bloomgate.api;

import io.github.bloomgate.api.stream.Verdicts;
import io.github.bloomgate.error.BloomException;
import io.github.bloomgate.error.RequestErrors;
import io.github.bloomgate.error.Violation;
import io.github.bloomgate.filter.Durability;
import io.github.bloomgate.lines.ElementEncoding;
import io.vertx.core.http.HttpServerRequest;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * The query of a stream. Read by itself: the framework takes a parameter without value for one that
 * is not given.
 *
 * @param encoding how the text of a line stands for bytes
 * @param verdicts what is returned of each element
 * @param durability what an add must reach
 */
record StreamQuery(ElementEncoding encoding, Verdicts verdicts, Durability durability) {

  /** The {@code return} of a request that names none. */
  static final String SUMMARY = "summary";

  /** The values of {@code return} where elements are added. */
  static final Map<String, Verdicts> OF_ADD =
      Map.of(
          SUMMARY,
          Verdicts.NONE,
          "flags",
          Verdicts.FLAGS,
          "added",
          Verdicts.LINES_IF_TRUE,
          "known",
          Verdicts.LINES_IF_FALSE);

  /** The values of {@code return} where elements are tested. */
  static final Map<String, Verdicts> OF_TEST =
      Map.of(
          SUMMARY,
          Verdicts.NONE,
          "flags",
          Verdicts.FLAGS,
          "present",
          Verdicts.LINES_IF_TRUE,
          "absent",
          Verdicts.LINES_IF_FALSE);

  /**
   * Reads a query.
   *
   * @param known the values of {@code return}
   * @param others names of parameters that the caller reads
   * @throws BloomException INVALID_REQUEST for any other value, or a parameter that is not known
   */
  static StreamQuery read(
      HttpServerRequest request, Map<String, Verdicts> known, String... others) {
    var names = new HashSet<>(List.of(others));
    names.addAll(List.of("encoding", "return"));
    var parameters = StrictQuery.read(request, names);
    var encoding = parameters.getOrDefault("encoding", List.of("utf-8")).get(0);
    var verdicts = known.get(parameters.getOrDefault("return", List.of(SUMMARY)).get(0));
    if (verdicts == null) {
      var message = "must be one of " + String.join(", ", new TreeSet<>(known.keySet()));
      throw RequestErrors.invalid(
          "return %s. Send one of them.".formatted(message),
          List.of(new Violation("query", "return", message)));
    }
    return new StreamQuery(
        ElementEncoding.named(encoding), verdicts, DurabilityQuery.of(parameters));
  }
}
