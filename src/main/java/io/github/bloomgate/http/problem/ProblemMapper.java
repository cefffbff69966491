package io.github.bloomgate.http.problem;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.InputCoercionException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.exc.StreamReadException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.PropertyBindingException;
import io.github.bloomgate.elements.ElementService;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.error.NearestName;
import io.github.bloomgate.model.error.RequestErrors;
import io.github.bloomgate.model.error.Violation;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.MediaType;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jboss.logging.Logger;
import org.jboss.resteasy.reactive.RestResponse;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;

/**
 * Turns every exception into a problem document. Client errors are not logged; errors for the
 * operator are, with the cause and without any element.
 */
public class ProblemMapper {

  private static final Logger LOG = Logger.getLogger(ProblemMapper.class);

  private static final ObjectMapper NAMES = new ObjectMapper();

  /** What the fields of requests must be, by their types; all others are objects and enums. */
  private static final Map<Class<?>, String> TYPES =
      Map.of(
          Long.class, "must be a whole number",
          Integer.class, "must be a whole number",
          Double.class, "must be a number",
          boolean.class, "must be true or false",
          Boolean.class, "must be true or false",
          String.class, "must be a string",
          List.class, "must be an array of strings",
          Instant.class, "must be a time with its zone, such as 2027-01-31T12:00:00Z");

  private final FailureLog failures;

  ProblemMapper(FailureLog failures) {
    this.failures = failures;
  }

  @ServerExceptionMapper
  RestResponse<Problem> bloom(BloomException error) {
    if (error.code().status() < 500 || !failures.isFirst(error)) {
      return response(error);
    }
    if (error.code() == ErrorCode.INTERNAL) {
      LOG.error("A request failed: " + error.getMessage(), error);
    } else {
      LOG.warnf("A request failed with %s: %s", error.code(), error.getMessage());
    }
    return response(error);
  }

  /**
   * Refusals by the framework: paths outside the API, invalid names in paths, unreadable bodies.
   */
  @ServerExceptionMapper
  RestResponse<Problem> framework(WebApplicationException refused) {
    if (refused.getCause() instanceof JsonProcessingException json) {
      return json(json);
    }
    if (refused.getCause() instanceof BloomException known) {
      return bloom(known);
    }
    var status = refused.getResponse().getStatus();
    return bloom(
        switch (status) {
          case 400 ->
              RequestErrors.invalid(
                  "The request cannot be read. Compare it with the examples in /q/swagger-ui.");
          case 404 -> RequestErrors.noSuchResource();
          case 413 -> RequestErrors.tooLarge("The body is larger than this service accepts.");
          default -> RequestErrors.internal("The framework answered " + status, refused);
        });
  }

  /**
   * Does not use the parser's message, which quotes the input and so elements. Names mismatches,
   * too, because the framework's own mapper for them would give no details.
   */
  @ServerExceptionMapper({JsonProcessingException.class, MismatchedInputException.class})
  RestResponse<Problem> json(JsonProcessingException malformed) {
    var place = malformed.getLocation();
    var where =
        place == null
            ? ""
            : " (line %d, column %d)".formatted(place.getLineNr(), place.getColumnNr());
    var beyond = malformed.getCause() == null ? malformed : malformed.getCause();
    if (beyond instanceof StreamConstraintsException) {
      return response(beyondTheParser(beyond, where));
    }
    if (isSyntax(malformed) || isSyntax(malformed.getCause())) {
      var isRepeated = malformed.getOriginalMessage().startsWith("Duplicate field");
      return response(
          RequestErrors.invalid(
              "The body %s%s. Nothing was changed; correct it and repeat the request."
                  .formatted(isRepeated ? "has a field twice" : "is not well-formed JSON", where)));
    }
    if (malformed instanceof PropertyBindingException unknown) {
      return response(
          RequestErrors.invalid(
              List.of(
                  new Violation(
                      "body",
                      field(unknown),
                      "is not a field of this request; " + meant(unknown)))));
    }
    if (malformed instanceof JsonMappingException mismatch && !mismatch.getPath().isEmpty()) {
      return response(
          RequestErrors.invalid(
              List.of(new Violation("body", field(mismatch), expected(mismatch) + where))));
    }
    return response(
        RequestErrors.invalid(
            "The body must be a single JSON object%s. Nothing was changed; correct it and repeat the request."
                .formatted(where)));
  }

  /**
   * False for a number that is too large for its field, which the parser reports as a syntax error
   * too.
   */
  private static boolean isSyntax(Throwable failure) {
    return failure instanceof StreamReadException && !(failure instanceof InputCoercionException);
  }

  private static String expected(JsonMappingException mismatch) {
    if (mismatch.getCause() instanceof InputCoercionException beyond) {
      return beyond.getTargetType() == int.class
          ? "must be from %d to %d".formatted(Integer.MIN_VALUE, Integer.MAX_VALUE)
          : "must be from %d to %d".formatted(Long.MIN_VALUE, Long.MAX_VALUE);
    }
    var type = mismatch instanceof MismatchedInputException typed ? typed.getTargetType() : null;
    if (type == null) {
      return "has the wrong type";
    }
    if (type.isEnum()) {
      return "must be one of "
          + String.join(", ", NAMES.convertValue(type.getEnumConstants(), String[].class));
    }
    return TYPES.getOrDefault(type, "must be a JSON object");
  }

  /**
   * A text is too long for an element, or another limit of the parser is exceeded, which no valid
   * request does.
   */
  private static BloomException beyondTheParser(Throwable beyond, String where) {
    return String.valueOf(beyond.getMessage()).startsWith("String value")
        ? RequestErrors.limitExceeded(
            "The body has a string that is longer than the longest possible element%s, which has %d bytes. Nothing was changed; correct it and repeat the request."
                .formatted(where, ElementService.MAX_ELEMENT_BYTES))
        : RequestErrors.invalid(
            "The body has a number or a name that is too long, or is nested too deeply%s. Nothing was changed; correct it and repeat the request."
                .formatted(where));
  }

  /** The field that is meant by an unknown one, or all fields if none is similar. */
  private static String meant(PropertyBindingException unknown) {
    var known = unknown.getKnownPropertyIds().stream().map(Object::toString).sorted().toList();
    return NearestName.to(unknown.getPropertyName(), known)
        .map("did you mean %s?"::formatted)
        .orElseGet(() -> "its fields are " + String.join(", ", known));
  }

  private static String field(JsonMappingException mismatch) {
    var field = new StringBuilder();
    for (var step : mismatch.getPath()) {
      if (step.getFieldName() == null) {
        field.append('[').append(step.getIndex()).append(']');
      } else {
        field.append(field.isEmpty() ? "" : ".").append(printable(step.getFieldName()));
      }
    }
    return field.toString();
  }

  /** Replaces all characters of a client's field name that are not harmless. */
  private static String printable(String name) {
    var shown = name.replaceAll("[^A-Za-z0-9_$-]", "?");
    return shown.length() <= 64 ? shown : shown.substring(0, 64) + "...";
  }

  /** A response that cannot be written because its client has gone is not a defect. */
  @ServerExceptionMapper
  RestResponse<Problem> unexpected(Throwable failure, RoutingContext context) {
    var error =
        failure instanceof OutOfMemoryError
            ? RequestErrors.outOfMemory(failure)
            : RequestErrors.internal("unexpected exception", failure);
    if (failure instanceof IOException && context.response().closed()) {
      LOG.debugf("The client of a request disconnected: %s", failure.getMessage());
      return response(error);
    }
    return bloom(error);
  }

  public static RestResponse<Problem> response(BloomException error) {
    var response =
        RestResponse.ResponseBuilder.<Problem>create(error.code().status())
            .entity(Problem.of(error))
            .type(MediaType.valueOf(Problem.MEDIA_TYPE));
    Problem.headers(error).forEach(response::header);
    return response.build();
  }
}
