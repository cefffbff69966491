package io.github.bloomgate.http.answer;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.github.bloomgate.elements.Answers;
import java.util.OptionalInt;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** What became of added elements. */
@Schema(
    examples = "{\"added\": [true, false], \"addedCount\": 1}",
    requiredProperties = {"added", "addedCount"})
public record AddResult(
    @Schema(
            description =
                "For each element, in order: true if it is certainly new, false if it was probably"
                    + " there")
        boolean[] added,
    @Schema(description = "How many are true") int addedCount,
    @Schema(description = REPLICAS) @JsonInclude(JsonInclude.Include.NON_NULL) Integer replicas) {

  public static final String REPLICAS =
      "With `durability=replicated`: how many replicas of Redis have all of them, at least";

  public static AddResult of(Answers answers) {
    return new AddResult(answers.flags(), answers.trueCount(), orNull(answers.replicas()));
  }

  public static Integer orNull(OptionalInt replicas) {
    return replicas.isPresent() ? (Integer) replicas.getAsInt() : null;
  }
}
