package io.github.bloomgate.http.answer;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.github.bloomgate.elements.Answers;
import java.util.List;
import java.util.OptionalInt;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * What became of removed elements, as {@code return} asks for it; one type as {@link AddResult}.
 */
@Schema(
    description =
        "What became of the elements: `removed` and `removedCount` with `return=flags`, `received`"
            + " and `removedCount` with `return=summary`, else `elements`",
    examples = "{\"removed\": [true, false], \"removedCount\": 1}")
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RemoveResult(
    @Schema(description = "How many elements were received; all of them were looked for")
        Long received,
    @Schema(
            description =
                "For each element, in order: true if one add of it was taken back, false if it"
                    + " certainly was not there and nothing was changed")
        boolean[] removed,
    @Schema(description = "How many of them were there") Long removedCount,
    @Schema(description = "The elements that `return` asks for, as they were sent, in order")
        List<String> elements,
    @Schema(
            description =
                "With `durability=replicated`: how many replicas of Redis have all of it, at least")
        Integer replicas) {

  /** A flag for each element. */
  public static RemoveResult flags(Answers answers) {
    return new RemoveResult(
        null, answers.flags(), (long) answers.trueCount(), null, orNull(answers.replicas()));
  }

  /** The counts. */
  public static RemoveResult summary(long received, long removedCount, OptionalInt replicas) {
    return new RemoveResult(received, null, removedCount, null, orNull(replicas));
  }

  /** Some of the elements. */
  public static RemoveResult elements(List<String> elements) {
    return new RemoveResult(null, null, null, elements, null);
  }

  private static Integer orNull(OptionalInt replicas) {
    return replicas.isPresent() ? (Integer) replicas.getAsInt() : null;
  }
}
