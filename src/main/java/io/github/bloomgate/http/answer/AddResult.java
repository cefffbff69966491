package io.github.bloomgate.http.answer;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.github.bloomgate.elements.Answers;
import java.util.List;
import java.util.OptionalInt;

/**
 * What became of added elements, as {@code return} asks for it. It is one type with fields that may
 * be missing, as generated clients cannot choose among several.
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record AddResult(
    Long received, boolean[] added, Long addedCount, List<String> elements, Integer replicas) {

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
