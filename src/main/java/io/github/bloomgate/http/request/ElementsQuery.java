package io.github.bloomgate.http.request;

import io.github.bloomgate.http.contract.ApiRequest;
import io.github.bloomgate.http.contract.Query;
import io.github.bloomgate.http.stream.ReturnMode;
import io.github.bloomgate.model.Durability;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RequestErrors;
import io.github.bloomgate.model.lines.ElementEncoding;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Optional;

/**
 * The query of a request about elements.
 *
 * @param encoding of the text of elements, if given
 * @param returnMode the kind of result, if given
 * @param durability of adds and removals
 * @param rebuild the id of a rebuild, if given
 * @param mayBeMissing whether to leave out filters that do not exist
 */
public record ElementsQuery(
    Optional<ElementEncoding> encoding,
    Optional<ReturnMode> returnMode,
    Durability durability,
    Optional<String> rebuild,
    boolean mayBeMissing) {

  /** The most elements in one URL; POST takes more. */
  public static final int MAX_ELEMENTS = 100;

  private static final String ELEMENT = "element";

  public static ElementsQuery of(RoutingContext context) {
    var query = ApiRequest.query(context);
    return new ElementsQuery(
        query.text("encoding").map(ElementEncoding::named),
        query.text("return").map(ElementsQuery::returnMode),
        query.text("durability").filter("replicated"::equals).isPresent()
            ? Durability.REPLICATED
            : Durability.PRIMARY,
        query.text("id"),
        query.text("missing").filter("ignore"::equals).isPresent());
  }

  public ReturnMode jsonReturnMode() {
    return returnMode.orElse(ReturnMode.FLAGS);
  }

  private static ReturnMode returnMode(String name) {
    return switch (name) {
      case "summary" -> ReturnMode.NONE;
      case "flags" -> ReturnMode.FLAGS;
      case "added", "removed", "present" -> ReturnMode.LINES_IF_TRUE;
      default -> ReturnMode.LINES_IF_FALSE;
    };
  }

  /**
   * The elements in the URL itself, at least one.
   *
   * @throws BloomException INVALID_REQUEST if no element is given or one is malformed;
   *     LIMIT_EXCEEDED if there are too many, or one is too long
   */
  public static List<byte[]> elements(RoutingContext context) {
    var texts = ApiRequest.query(context).texts(ELEMENT);
    if (texts.isEmpty()) {
      throw RequestErrors.invalid("The query has no element. Send one, such as ?element=VALUE.");
    }
    if (texts.size() > MAX_ELEMENTS) {
      throw RequestErrors.limitExceeded(
          "The query has %d element parameters; the limit is %d. POST accepts more."
              .formatted(texts.size(), MAX_ELEMENTS));
    }
    var encoding = of(context).encoding.orElse(ElementEncoding.UTF_8);
    return encoding == ElementEncoding.UTF_8
        ? texts.stream().map(Query::bytes).toList()
        : encoding.decodeAll(texts, "query");
  }
}
