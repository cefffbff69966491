package io.github.bloomgate.http.answer;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.github.bloomgate.elements.Answers;
import java.util.List;
import java.util.OptionalInt;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * What became of added elements, as {@code return} asks for it. It is one type with fields that may
 * be missing, as generated clients cannot choose among several.
 */
@Schema(
    description =
        "What became of the elements: `added` and `addedCount` with `return=flags`, `received` and"
            + " `addedCount` with `return=summary`, else `elements`",
    examples = "{\"added\": [true, false], \"addedCount\": 1}")
@JsonInclude(JsonInclude.Include.NON_NULL)
public record AddResult(
    @Schema(description = "How many elements were received; all of them were added") Long received,
    @Schema(
            description =
                "For each element, in order: true if it is certainly new, false if it was probably"
                    + " there")
        boolean[] added,
    @Schema(description = "How many of them are certainly new") Long addedCount,
    @Schema(description = "The elements that `return` asks for, as they were sent, in order")
        List<String> elements,
    @Schema(
            description =
                "With `durability=replicated`: how many replicas of Redis have all of them, at"
                    + " least")
        Integer replicas) {

  /** A flag for each element. */
  public static AddResult flags(Answers answers) {
    return new AddResult(
        null, answers.flags(), (long) answers.trueCount(), null, orNull(answers.replicas()));
  }

  /** The counts. */
  public static AddResult summary(long received, long addedCount, OptionalInt replicas) {
    return new AddResult(received, null, addedCount, null, orNull(replicas));
  }

  /** Some of the elements. */
  public static AddResult elements(List<String> elements) {
    return new AddResult(null, null, null, elements, null);
  }

  private static Integer orNull(OptionalInt replicas) {
    return replicas.isPresent() ? (Integer) replicas.getAsInt() : null;
  }
}
