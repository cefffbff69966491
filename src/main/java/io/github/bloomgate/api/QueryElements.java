package io.github.bloomgate.api;

import io.github.bloomgate.error.BloomException;
import io.github.bloomgate.error.RequestErrors;
import io.github.bloomgate.lines.ElementEncoding;
import io.vertx.core.http.HttpServerRequest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;

/**
 * Elements in the query of a URL. Read from the raw query: the framework's own parameters have
 * replaced bytes that are not UTF-8 by a question mark, and with them the element.
 */
final class QueryElements {

  /** The most elements in one URL; POST takes more. */
  static final int MAX_ELEMENTS = 100;

  private QueryElements() {}

  /**
   * The bytes of all {@code element} parameters, at least one.
   *
   * @param encoding how their text stands for bytes
   * @throws BloomException INVALID_REQUEST if there is none, there are too many, or one is
   *     malformed
   */
  static List<byte[]> all(HttpServerRequest request, String encoding) {
    var texts = elements(request);
    if (texts.isEmpty() || texts.size() > MAX_ELEMENTS) {
      throw RequestErrors.invalid(
          "The query has %d element parameters; it takes 1 to %d. POST takes more."
              .formatted(texts.size(), MAX_ELEMENTS));
    }
    var named = ElementEncoding.named(encoding);
    return named == ElementEncoding.UTF_8
        // Latin-1 maps each char to the byte it was decoded from.
        ? texts.stream().map(text -> text.getBytes(StandardCharsets.ISO_8859_1)).toList()
        : named.decodeAll(texts, "query");
  }

  /** The bytes of the one {@code element} parameter. */
  static byte[] one(HttpServerRequest request, String encoding) {
    var elements = all(request, encoding);
    if (elements.size() > 1) {
      throw RequestErrors.invalid(
          "The query has %d element parameters; it takes one.".formatted(elements.size()));
    }
    return elements.get(0);
  }

  private static List<String> elements(HttpServerRequest request) {
    return StrictQuery.read(request, Set.of("encoding"), Set.of("element"))
        .getOrDefault("element", List.of());
  }
}
