package io.github.bloomgate.http.problem;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.Difference;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.error.ProblemDetails;
import io.github.bloomgate.model.error.Violation;
import java.util.List;
import java.util.Locale;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** The body of every error, a problem document of RFC 9457. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@Schema(
    description = "What went wrong, as RFC 9457 describes it. Switch on `code`.",
    requiredProperties = {"type", "title", "status", "detail", "code"})
public record Problem(
    @Schema(
            description = "Identifies the kind of problem; derived from `code`",
            examples = "urn:bloomgate:problem:filter-not-found")
        String type,
    @Schema(description = "The same for every problem of a `code`") String title,
    @Schema(description = "The HTTP status") int status,
    @Schema(description = "What happened this time, with the values and what to do about it")
        String detail,
    @Schema(description = "Stable name of the kind of problem") ErrorCode code,
    @Schema(description = "INVALID_REQUEST: the values at fault") List<Violation> violations,
    @Schema(
            description =
                "FILTER_EXISTS, INCOMPATIBLE_FILTERS: the parameters in which the filters differ")
        List<Difference> differences,
    @Schema(
            description =
                "FILTER_FULL, and every error of a stream that adds: how many elements of the"
                    + " request are known to be applied")
        Long appliedCount,
    @Schema(
            description =
                "Errors of streams: the first line, from 1, that failed or was in a call that"
                    + " failed; all lines before it were done")
        Long line) {

  /** The media type of problem documents. */
  public static final String MEDIA_TYPE = "application/problem+json";

  /** What is internal stays in the log. */
  private static final String INTERNAL_DETAIL =
      "The service failed for a reason of its own, which its log tells. Report it to its operator.";

  static Problem of(BloomException error) {
    var code = error.code();
    List<Violation> violations = null;
    List<Difference> differences = null;
    Long appliedCount = null;
    Long line = null;
    var facts = error.facts().orElse(null);
    if (facts instanceof ProblemDetails.Violations known) {
      violations = known.violations();
    } else if (facts instanceof ProblemDetails.Differences known) {
      differences = known.differences();
    } else if (facts instanceof ProblemDetails.Applied known) {
      appliedCount = known.count();
    } else if (facts instanceof ProblemDetails.Stopped known) {
      appliedCount = known.appliedCount();
      line = known.line();
    }
    return new Problem(
        "urn:bloomgate:problem:" + code.name().toLowerCase(Locale.ROOT).replace('_', '-'),
        code.title(),
        code.status(),
        code == ErrorCode.INTERNAL ? INTERNAL_DETAIL : error.getMessage(),
        code,
        violations,
        differences,
        appliedCount,
        line);
  }
}
