package io.github.bloomgate.http.answer;

import com.fasterxml.jackson.annotation.JsonValue;
import io.github.bloomgate.elements.Answers;
import io.github.bloomgate.http.request.ElementsQuery;
import io.github.bloomgate.http.request.ElementsRequest;
import io.github.bloomgate.http.stream.ReturnMode;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ProblemDetails;
import io.github.bloomgate.model.error.RequestErrors;
import io.github.bloomgate.model.error.StreamErrors;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * The result for the elements of a request. Its fields depend on the operation and on {@code
 * return}.
 */
public record ElementsResult(@JsonValue Map<String, Object> fields) {

  public enum Operation {
    ADD("added"),
    REMOVE("removed"),
    TEST("mightContain");

    private final String flags;

    Operation(String flags) {
      this.flags = flags;
    }

    /** The error that says how far a stream came. */
    public BloomException stopped(BloomException cause, long line, long appliedCount) {
      return switch (this) {
        case ADD -> StreamErrors.addStopped(cause, line, appliedCount);
        case REMOVE ->
            StreamErrors.stopped(
                cause,
                line,
                appliedCount,
                "%s removed or absent. The lines before this one are done. Do not resend lines that may already have been removed, because that may remove other elements."
                    .formatted(RequestErrors.elementsWere(appliedCount)));
        case TEST ->
            cause.withOutcome(
                "The stream stopped at line %d.".formatted(line),
                new ProblemDetails.Stopped(line, null));
      };
    }
  }

  /** The result for the elements of a JSON document. */
  public static ElementsResult of(
      Operation operation, ElementsQuery query, ElementsRequest body, Answers answers) {
    var elements = body.elements();
    return switch (query.returnMode().orElse(ReturnMode.FLAGS)) {
      case NONE -> summary(operation, elements.size(), answers.trueCount(), answers.replicas());
      case FLAGS -> flags(operation, answers);
      case LINES_IF_TRUE -> some(elements, answers.flags(), true);
      case LINES_IF_FALSE -> some(elements, answers.flags(), false);
    };
  }

  public static ElementsResult flags(Operation operation, Answers answers) {
    var fields = new LinkedHashMap<String, Object>();
    fields.put(operation.flags, answers.flags());
    fields.put(operation.flags + "Count", answers.trueCount());
    answers.replicas().ifPresent(replicas -> fields.put("replicas", replicas));
    return new ElementsResult(fields);
  }

  public static ElementsResult summary(
      Operation operation, long received, long trueCount, OptionalInt replicas) {
    var fields = new LinkedHashMap<String, Object>();
    fields.put("received", received);
    fields.put(operation.flags + "Count", trueCount);
    replicas.ifPresent(some -> fields.put("replicas", some));
    return new ElementsResult(fields);
  }

  private static ElementsResult some(List<String> elements, boolean[] flags, boolean wanted) {
    var some =
        IntStream.range(0, flags.length)
            .filter(i -> flags[i] == wanted)
            .mapToObj(elements::get)
            .toList();
    return new ElementsResult(Map.of("elements", some));
  }
}
