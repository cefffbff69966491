package io.github.bloomgate.http.request;

import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RequestErrors;
import io.github.bloomgate.model.lines.ElementEncoding;
import io.vertx.ext.web.RoutingContext;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Elements in the query of a URL. Read from the raw query: the framework's own parameters have
 * replaced bytes that are not UTF-8 by a question mark, and with them the element.
 */
public final class QueryElements {

  /** The most elements in one URL; POST takes more. */
  public static final int MAX_ELEMENTS = 100;

  /** The parameter that is an element. */
  public static final String NAME = "element";

  private QueryElements() {}

  /**
   * The bytes of all {@code element} parameters, at least one.
   *
   * @param encoding how their text stands for bytes
   * @throws BloomException INVALID_REQUEST if there is none, or one is malformed; LIMIT_EXCEEDED if
   *     there are too many, or one is too long
   */
  public static List<byte[]> all(RoutingContext context, String encoding) {
    var texts = elements(context);
    var named = ElementEncoding.named(encoding);
    if (texts.isEmpty()) {
      throw RequestErrors.invalid("The query has no element. Send one, as ?element=.");
    }
    if (texts.size() > MAX_ELEMENTS) {
      throw RequestErrors.limitExceeded(
          "The query has %d element parameters; the limit is %d. POST takes more."
              .formatted(texts.size(), MAX_ELEMENTS));
    }
    return named == ElementEncoding.UTF_8
        // Latin-1 maps each char to the byte it was decoded from.
        ? texts.stream().map(text -> text.getBytes(StandardCharsets.ISO_8859_1)).toList()
        : named.decodeAll(texts, "query");
  }

  /** The bytes of the one {@code element} parameter. */
  public static byte[] one(RoutingContext context, String encoding) {
    return all(context, encoding).get(0);
  }

  private static List<String> elements(RoutingContext context) {
    return StrictQuery.of(context).getOrDefault(NAME, List.of());
  }
}
