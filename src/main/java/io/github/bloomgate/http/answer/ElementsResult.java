package io.github.bloomgate.http.answer;

import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** Those elements of a request that were asked for. */
@Schema(examples = "{\"elements\": [\"alice@example.com\"]}", requiredProperties = "elements")
public record ElementsResult(
    @Schema(description = "The elements that `return` asks for, as they were sent, in order")
        List<String> elements) {}
