package io.github.bloomgate.http.request;

import io.github.bloomgate.lines.ElementEncoding;
import io.github.bloomgate.lines.InvalidLineException;
import io.github.bloomgate.lines.PackedTexts;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RequestErrors;
import io.github.bloomgate.model.error.Violation;
import java.util.ArrayList;
import java.util.List;

/**
 * The texts of elements in a request.
 *
 * @param in the place of the elements, for errors: {@code body} or {@code query}
 */
record ElementTexts(List<String> texts, ElementEncoding encoding, String in) {

  /**
   * The bytes of the elements.
   *
   * @throws BloomException INVALID_REQUEST, or LIMIT_EXCEEDED if one is too long; names the index
   *     of the first invalid element
   */
  List<byte[]> toBytes() {
    if (encoding == ElementEncoding.UTF_8
        && texts instanceof PackedTexts packed
        && packed.areElements()) {
      return packed.toElements();
    }
    var elements = new ArrayList<byte[]>(texts.size());
    for (var text : texts) {
      elements.add(decode(text, elements.size()));
    }
    return elements;
  }

  private byte[] decode(String text, int index) {
    if (text == null) {
      throw invalid(index, "is null; an element is a string");
    }
    byte[] element;
    try {
      element = encoding.decodeAny(text);
    } catch (InvalidLineException malformed) {
      throw invalid(index, malformed.getMessage());
    }
    if (element.length > ElementEncoding.MAX_ELEMENT_BYTES) {
      throw RequestErrors.limitExceeded(
          "The element at index %d has %d bytes; the limit is %d. Nothing was changed; send it without the others, shortened or hashed."
              .formatted(index, element.length, ElementEncoding.MAX_ELEMENT_BYTES));
    }
    return element;
  }

  private BloomException invalid(int index, String message) {
    return RequestErrors.invalid(
        "The element at index %d %s. Nothing was changed; correct it and repeat the request."
            .formatted(index, message),
        List.of(new Violation(in, "elements[%d]".formatted(index), message)));
  }
}
