package io.github.bloomgate.api;

import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import io.github.bloomgate.lines.ElementEncoding;
import io.github.bloomgate.service.ElementService;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** Elements to be added or tested. */
@Schema(examples = "{\"elements\": [\"alice@example.com\", \"bob@example.com\"]}")
record ElementsRequest(
    @Schema(description = "The elements, each at most 65536 bytes")
        @NotNull
        @Size(min = 1, max = ElementService.MAX_ELEMENTS)
        @JsonDeserialize(using = TextsDeserializer.class)
        List<String> elements,
    @Schema(
            description = "How the strings stand for the bytes of the elements",
            defaultValue = "utf-8")
        ElementEncoding encoding) {

  /** The bytes of the elements. */
  List<byte[]> toBytes() {
    return (encoding == null ? ElementEncoding.UTF_8 : encoding).decodeAll(elements, "body");
  }
}
