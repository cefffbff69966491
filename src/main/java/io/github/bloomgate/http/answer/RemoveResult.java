package io.github.bloomgate.http.answer;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.github.bloomgate.elements.Answers;
import java.util.List;
import java.util.OptionalInt;

/**
 * What became of removed elements, as {@code return} asks for it; one type as {@link AddResult}.
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RemoveResult(
    Long received, boolean[] removed, Long removedCount, List<String> elements, Integer replicas) {

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
