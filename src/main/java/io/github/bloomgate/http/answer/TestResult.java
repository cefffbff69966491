package io.github.bloomgate.http.answer;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.github.bloomgate.elements.Answers;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** What a filter says of elements, as {@code return} asks for it; one type as {@link AddResult}. */
@Schema(
    description =
        "What the filter says of the elements: `mightContain` and `mightContainCount` with"
            + " `return=flags`, `received` and `mightContainCount` with `return=summary`, else"
            + " `elements`",
    examples = "{\"mightContain\": [true, false], \"mightContainCount\": 1}")
@JsonInclude(JsonInclude.Include.NON_NULL)
public record TestResult(
    @Schema(description = "How many elements were received; all of them were tested") Long received,
    @Schema(
            description =
                "For each element, in order: true if the filter might contain it, false if it"
                    + " certainly does not")
        boolean[] mightContain,
    @Schema(description = "How many of them the filter might contain") Long mightContainCount,
    @Schema(description = "The elements that `return` asks for, as they were sent, in order")
        List<String> elements) {

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
