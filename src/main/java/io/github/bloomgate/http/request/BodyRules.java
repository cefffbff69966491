package io.github.bloomgate.http.request;

import io.github.bloomgate.model.error.RequestErrors;
import io.github.bloomgate.model.error.Violation;
import jakarta.inject.Singleton;
import jakarta.validation.ConstraintViolation;
import jakarta.validation.Path;
import jakarta.validation.Validator;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/**
 * Validates a body by the rules of its type. The framework's validation would intercept resource
 * methods and read all their annotations at the start.
 */
@Singleton
final class BodyRules {

  private final Validator validator;

  BodyRules(Validator validator) {
    this.validator = validator;
  }

  /** Fails with INVALID_REQUEST if a required body is missing. */
  static void requireMayBeMissing(Class<?> type) {
    if (!OptionalBody.class.isAssignableFrom(type)) {
      throw RequestErrors.invalid(
          List.of(
              new Violation(
                  "body",
                  "body",
                  "is missing; send a JSON object, with curl: -H 'Content-Type: application/json' -d"
                      + " '{...}'")));
    }
  }

  /** Fails with INVALID_REQUEST if a body is invalid. */
  void require(Object body) {
    var violations = validator.validate(body);
    if (!violations.isEmpty()) {
      throw RequestErrors.invalid(
          violations.stream()
              .map(BodyRules::violation)
              .sorted(Comparator.comparing(Violation::field))
              .toList());
    }
  }

  private static Violation violation(ConstraintViolation<Object> violation) {
    var field =
        StreamSupport.stream(violation.getPropertyPath().spliterator(), false)
            .map(BodyRules::name)
            .collect(Collectors.joining("."));
    return new Violation("body", field, violation.getMessage());
  }

  private static String name(Path.Node node) {
    var name = node.getName() == null ? "" : node.getName();
    return node.getIndex() == null ? name : "%s[%d]".formatted(name, node.getIndex());
  }
}
