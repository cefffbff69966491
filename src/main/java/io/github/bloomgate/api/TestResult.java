package io.github.bloomgate.api;

import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** What a filter says of elements. */
@Schema(examples = "{\"mightContain\": [true, false], \"mightContainCount\": 1}")
record TestResult(
    @Schema(
            description =
                "For each element, in order: true if the filter might contain it, false if it"
                    + " certainly does not")
        boolean[] mightContain,
    @Schema(description = "How many are true") int mightContainCount) {

  static TestResult of(boolean[] mightContain) {
    return new TestResult(mightContain, Flags.countTrue(mightContain));
  }
}
