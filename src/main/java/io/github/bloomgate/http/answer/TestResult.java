package io.github.bloomgate.http.answer;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.github.bloomgate.elements.Answers;
import java.util.List;

/** What a filter says of elements, as {@code return} asks for it; one type as {@link AddResult}. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record TestResult(
    Long received, boolean[] mightContain, Long mightContainCount, List<String> elements) {

  /** A flag for each element. */
  public static TestResult flags(Answers answers) {
    return new TestResult(null, answers.flags(), (long) answers.trueCount(), null);
  }

  /** The counts. */
  public static TestResult summary(long received, long mightContainCount) {
    return new TestResult(received, null, mightContainCount, null);
  }

  /** Some of the elements. */
  public static TestResult elements(List<String> elements) {
    return new TestResult(null, null, null, elements);
  }
}
