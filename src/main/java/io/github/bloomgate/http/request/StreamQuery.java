package io.github.bloomgate.http.request;

import io.github.bloomgate.http.stream.ReturnMode;
import io.github.bloomgate.model.Durability;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RequestErrors;
import io.github.bloomgate.model.error.Violation;
import io.github.bloomgate.model.lines.ElementEncoding;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * The query of a stream.
 *
 * @param encoding how the text of a line stands for bytes
 * @param returnMode what is returned of each element
 * @param durability what an add or a removal must reach
 */
public record StreamQuery(ElementEncoding encoding, ReturnMode returnMode, Durability durability) {

  /** The parameter that says how the text of a line stands for bytes. */
  public static final String ENCODING = "encoding";

  /** The parameter that says what is returned of each element. */
  public static final String RETURN = "return";

  /** The values of {@code return} where elements are added. */
  public static final Map<String, ReturnMode> OF_ADD = modes("added", "known");

  /** The values of {@code return} where elements are removed. */
  public static final Map<String, ReturnMode> OF_REMOVE = modes("removed", "absent");

  /** The values of {@code return} where elements are tested. */
  public static final Map<String, ReturnMode> OF_TEST = modes("present", "absent");

  private static Map<String, ReturnMode> modes(String ifTrue, String ifFalse) {
    return Map.of(
        "summary",
        ReturnMode.NONE,
        "flags",
        ReturnMode.FLAGS,
        ifTrue,
        ReturnMode.LINES_IF_TRUE,
        ifFalse,
        ReturnMode.LINES_IF_FALSE);
  }

  /**
   * Reads a query.
   *
   * @param known the values of {@code return}
   * @throws BloomException INVALID_REQUEST for any other value
   */
  public static StreamQuery read(RoutingContext context, Map<String, ReturnMode> known) {
    var encoding = StrictQuery.value(context, ENCODING).orElse("utf-8");
    var returnMode = returnMode(context, known, ReturnMode.NONE);
    return new StreamQuery(
        ElementEncoding.named(encoding), returnMode, DurabilityQuery.of(context));
  }

  /**
   * What shall be returned of each element.
   *
   * @param known the values of {@code return}
   * @param otherwise what is returned if it is not given
   * @throws BloomException INVALID_REQUEST for any other value
   */
  public static ReturnMode returnMode(
      RoutingContext context, Map<String, ReturnMode> known, ReturnMode otherwise) {
    var asked = StrictQuery.value(context, RETURN);
    if (asked.isEmpty()) {
      return otherwise;
    }
    var returnMode = known.get(asked.get());
    if (returnMode == null) {
      var message = "must be one of " + String.join(", ", new TreeSet<>(known.keySet()));
      throw RequestErrors.invalid(
          "return %s. Send one of them.".formatted(message),
          List.of(new Violation("query", RETURN, message)));
    }
    return returnMode;
  }
}
