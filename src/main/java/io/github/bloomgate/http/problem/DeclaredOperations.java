package io.github.bloomgate.http.problem;

import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.spi.Bean;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.inject.Singleton;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The methods of each path and their media types, from the resources. The framework mixes the
 * methods of all paths of a class, and sends none with 405.
 */
@Singleton
public class DeclaredOperations {

  private final BeanManager beans;
  private volatile Map<String, List<Operation>> byTemplate;

  private record Operation(String verb, List<String> consumes, List<String> produces) {}

  DeclaredOperations(BeanManager beans) {
    this.beans = beans;
  }

  /** The methods of a path, in the format of {@code Allow}; empty if there is no such path. */
  public Optional<String> methods(String path) {
    var methods = at(path).map(Operation::verb).collect(Collectors.toCollection(TreeSet::new));
    if (methods.isEmpty()) {
      return Optional.empty();
    }
    methods.add(HttpMethod.OPTIONS);
    if (methods.contains(HttpMethod.GET)) {
      methods.add(HttpMethod.HEAD);
    }
    return Optional.of(String.join(", ", methods));
  }

  /** The media types that an operation accepts. */
  List<String> consumed(String path, String verb) {
    return types(path, verb, Operation::consumes);
  }

  /** The media types that an operation sends. */
  List<String> produced(String path, String verb) {
    return types(path, verb, Operation::produces);
  }

  private List<String> types(String path, String verb, Function<Operation, List<String>> types) {
    var method = verb.equals(HttpMethod.HEAD) ? HttpMethod.GET : verb;
    return at(path)
        .filter(operation -> operation.verb.equals(method))
        .flatMap(operation -> types.apply(operation).stream())
        .distinct()
        .sorted()
        .toList();
  }

  private Stream<Operation> at(String path) {
    return templates().entrySet().stream()
        .filter(entry -> Pattern.matches(entry.getKey(), path))
        .flatMap(entry -> entry.getValue().stream());
  }

  /** Read on first use, which is rare. */
  private Map<String, List<Operation>> templates() {
    if (byTemplate == null) {
      byTemplate =
          beans.getBeans(Object.class, Any.Literal.INSTANCE).stream()
              .map(Bean::getBeanClass)
              .filter(type -> type.isAnnotationPresent(Path.class))
              .distinct()
              .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
              .filter(method -> verb(method).isPresent())
              .collect(
                  Collectors.groupingBy(
                      DeclaredOperations::template,
                      Collectors.mapping(DeclaredOperations::operation, Collectors.toList())));
    }
    return byTemplate;
  }

  private static Operation operation(Method method) {
    return new Operation(
        verb(method).orElseThrow(),
        declared(method, Consumes.class, Consumes::value),
        declared(method, Produces.class, Produces::value));
  }

  /** From the method or else its class. */
  private static <A extends Annotation> List<String> declared(
      Method method, Class<A> annotation, Function<A, String[]> value) {
    return Stream.of(method, method.getDeclaringClass())
        .flatMap(element -> Optional.ofNullable(element.getAnnotation(annotation)).stream())
        .map(value)
        .map(List::of)
        .findFirst()
        .orElse(List.of());
  }

  private static Optional<String> verb(Method operation) {
    return Arrays.stream(operation.getAnnotations())
        .flatMap(
            annotation ->
                Optional.ofNullable(annotation.annotationType().getAnnotation(HttpMethod.class))
                    .stream())
        .map(HttpMethod::value)
        .findFirst();
  }

  private static String template(Method operation) {
    var ofClass = operation.getDeclaringClass().getAnnotation(Path.class).value();
    var own = operation.getAnnotation(Path.class);
    return (ofClass + (own == null ? "" : own.value())).replaceAll("\\{[^/]*}", "[^/]+");
  }
}
