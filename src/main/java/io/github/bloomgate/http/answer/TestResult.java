package io.github.bloomgate.http.answer;

import io.github.bloomgate.elements.Answers;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** What a filter says of elements. */
@Schema(
    examples = "{\"mightContain\": [true, false], \"mightContainCount\": 1}",
    requiredProperties = {"mightContain", "mightContainCount"})
public record TestResult(
    @Schema(
            description =
                "For each element, in order: true if the filter might contain it, false if it"
                    + " certainly does not")
        boolean[] mightContain,
    @Schema(description = "How many are true") int mightContainCount) {

  public static TestResult of(Answers answers) {
    return new TestResult(answers.flags(), answers.trueCount());
  }
}
