package io.github.bloomgate.http.response;

import com.fasterxml.jackson.annotation.JsonValue;
import io.github.bloomgate.elements.Flags;
import io.github.bloomgate.http.request.ElementsQuery;
import io.github.bloomgate.http.request.ElementsRequest;
import io.github.bloomgate.http.stream.ReturnMode;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.error.ProblemDetails;
import io.github.bloomgate.model.error.RequestErrors;
import io.github.bloomgate.model.error.StreamErrors;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * The result for the elements of a request. Its fields depend on the operation and on {@code
 * return}.
 */
public record ElementsResult(@JsonValue Map<String, Object> fields) {

  public enum Operation {
    ADD("added"),

    /** To a filter that counts each add. */
    COUNTED_ADD("added"),

    REMOVE("removed"),
    TEST("mightContain");

    private final String flags;

    Operation(String flags) {
      this.flags = flags;
    }

    /** An add, which must not be made twice if the filter counts. */
    public static Operation add(boolean isCounting) {
      return isCounting ? COUNTED_ADD : ADD;
    }

    /** The error that says how far a stream came. */
    public BloomException stopped(BloomException cause, long line, long appliedCount) {
      return switch (this) {
        case ADD ->
            StreamErrors.stopped(
                cause,
                line,
                appliedCount,
                mayHaveBegun(cause)
                    ? applied(appliedCount) + " Send the rest again."
                    : fix(appliedCount));
        case COUNTED_ADD ->
            StreamErrors.countedStopped(
                cause,
                line,
                appliedCount,
                mayHaveBegun(cause)
                    ? applied(appliedCount)
                        + " The lines from this one on may have been added, and count twice if you send them again."
                    : fix(appliedCount));
        case REMOVE ->
            StreamErrors.countedStopped(
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

    private static String applied(long count) {
      return RequestErrors.elementsWere(count) + " applied.";
    }

    /** A file with an invalid line fails at the same line again. */
    private static String fix(long appliedCount) {
      return appliedCount == 0
          ? "nothing was added. Fix the file and send it again."
          : RequestErrors.elementsWere(appliedCount)
              + " added. Fix the file and send the rest again.";
    }

    /** An invalid line is found before it is sent. */
    private static boolean mayHaveBegun(BloomException cause) {
      return !ErrorCode.INVALID_REQUEST.isOf(cause) && !ErrorCode.LIMIT_EXCEEDED.isOf(cause);
    }
  }

  /** The result for the elements of a JSON document. */
  public static ElementsResult of(
      Operation operation, ElementsQuery query, ElementsRequest body, Flags answers) {
    var elements = body.elements();
    return switch (query.returnMode().orElse(ReturnMode.FLAGS)) {
      case NONE ->
          summary(
              operation, elements.size(), answers.trueCount(), answers.replicas(), answers.age());
      case FLAGS -> flags(operation, answers);
      case LINES_IF_TRUE -> some(elements, answers, true);
      case LINES_IF_FALSE -> some(elements, answers, false);
    };
  }

  public static ElementsResult flags(Operation operation, Flags answers) {
    var fields = new LinkedHashMap<String, Object>();
    fields.put(operation.flags, answers.flags());
    fields.put(operation.flags + "Count", answers.trueCount());
    answers.replicas().ifPresent(replicas -> fields.put("replicas", replicas));
    putAge(fields, answers.age());
    return new ElementsResult(fields);
  }

  public static ElementsResult summary(
      Operation operation,
      long received,
      long trueCount,
      OptionalInt replicas,
      Optional<Duration> age) {
    var fields = new LinkedHashMap<String, Object>();
    fields.put("received", received);
    fields.put(operation.flags + "Count", trueCount);
    if (operation != Operation.REMOVE && operation != Operation.TEST) {
      // A window without refresh does not begin with these adds.
      fields.put("knownCount", received - trueCount);
    }
    replicas.ifPresent(some -> fields.put("replicas", some));
    putAge(fields, age);
    return new ElementsResult(fields);
  }

  private static ElementsResult some(List<String> elements, Flags answers, boolean wanted) {
    var some =
        IntStream.range(0, elements.size())
            .filter(i -> answers.flags()[i] == wanted)
            .mapToObj(elements::get)
            .toList();
    var fields = new LinkedHashMap<String, Object>();
    fields.put("elements", some);
    putAge(fields, answers.age());
    return new ElementsResult(fields);
  }

  private static void putAge(Map<String, Object> fields, Optional<Duration> age) {
    age.ifPresent(some -> fields.put("ageSeconds", seconds(some)));
  }

  /** The greatest age of some answers, in seconds; empty if they have none. */
  public static Optional<Double> ageSeconds(Collection<Flags> answers) {
    return answers.stream()
        .flatMap(some -> some.age().stream())
        .max(Comparator.naturalOrder())
        .map(ElementsResult::seconds);
  }

  /** Rounded up to milliseconds, because an answer must not seem younger than it is. */
  static double seconds(Duration age) {
    return age.plusNanos(999_999).toMillis() / 1e3;
  }
}
