package io.github.bloomgate.api;

import io.github.bloomgate.service.Answers;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** What became of added elements. */
@Schema(
    examples = "{\"added\": [true, false], \"addedCount\": 1}",
    requiredProperties = {"added", "addedCount"})
record AddResult(
    @Schema(
            description =
                "For each element, in order: true if it is certainly new, false if it was probably"
                    + " there")
        boolean[] added,
    @Schema(description = "How many are true") int addedCount) {

  static AddResult of(Answers answers) {
    return new AddResult(answers.flags(), answers.trueCount());
  }
}
