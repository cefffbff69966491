package io.github.bloomgate.http.request;

import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import io.github.bloomgate.elements.ElementService;
import io.github.bloomgate.lines.ElementEncoding;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RequestErrors;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import java.util.List;
import java.util.Optional;

/** Elements to add or test. */
public record ElementsRequest(
    @NotNull
        @Size(min = 1, message = "must have at least 1 element")
        @JsonDeserialize(using = TextsDeserializer.class)
        List<String> elements,
    ElementEncoding encoding) {

  /**
   * The bytes of the elements.
   *
   * @throws BloomException LIMIT_EXCEEDED if there are too many, or one is too long;
   *     INVALID_REQUEST if one is malformed, or the query names another encoding than the body
   */
  public List<byte[]> toBytes(ElementsQuery query) {
    if (elements.size() > ElementService.MAX_ELEMENTS) {
      throw RequestErrors.limitExceeded(
          "The request has %d elements; the limit is %d. Nothing was changed; send them in several requests, or as a stream of lines."
              .formatted(elements.size(), ElementService.MAX_ELEMENTS));
    }
    return new ElementTexts(elements, encoding(query.encoding()), "body").toBytes();
  }

  private ElementEncoding encoding(Optional<ElementEncoding> named) {
    if (encoding != null && named.isPresent() && named.get() != encoding) {
      throw RequestErrors.invalid(
          "The query and the body name two encodings. Nothing was changed; send one of them.");
    }
    return encoding == null ? named.orElse(ElementEncoding.UTF_8) : encoding;
  }
}
