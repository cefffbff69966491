package io.github.bloomgate.http.request;

import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import io.github.bloomgate.lines.ElementEncoding;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RequestErrors;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.util.List;

/** Elements to add to several filters, or to test against them. */
public record FiltersRequest(
    @NotNull
        @Size(min = 1, message = "must have at least 1 name")
        @JsonDeserialize(using = TextsDeserializer.OfNames.class)
        List<@NotNull @Pattern(regexp = FilterName.PATTERN) String> filters,
    @NotNull
        @Size(min = 1, message = "must have at least 1 element")
        @JsonDeserialize(using = TextsDeserializer.class)
        List<String> elements,
    ElementEncoding encoding) {

  /**
   * The bytes of the elements.
   *
   * @throws BloomException as {@link ElementsRequest#toBytes}; INVALID_REQUEST if the query names
   *     other filters than the body
   */
  public List<byte[]> toBytes(ElementsQuery query) {
    if (!query.filters().isEmpty() && !query.filters().equals(filters)) {
      throw RequestErrors.invalid(
          "The query and the body name different filters. Nothing was changed; name them in the body, and in the query only with a body of lines.");
    }
    return new ElementsRequest(elements, encoding).toBytes(query);
  }
}
