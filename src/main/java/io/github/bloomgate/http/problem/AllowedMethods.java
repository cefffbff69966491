package io.github.bloomgate.http.problem;

import io.github.bloomgate.model.error.RequestErrors;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.spi.Bean;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.inject.Singleton;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;

/**
 * The methods of each path. The framework has those of all paths of a class for each of them, and
 * none in its answer 405.
 */
@Singleton
class AllowedMethods {

  private final BeanManager beans;
  private volatile Map<String, SortedSet<String>> byTemplate;

  AllowedMethods(BeanManager beans) {
    this.beans = beans;
  }

  /** Answers OPTIONS. */
  @ServerRequestFilter(preMatching = true)
  Optional<Response> options(ContainerRequestContext request) {
    if (!request.getMethod().equals(HttpMethod.OPTIONS)) {
      return Optional.empty();
    }
    var allowed = of(request.getUriInfo().getPath()).orElseThrow(RequestErrors::noSuchResource);
    return Optional.of(Response.ok().header(HttpHeaders.ALLOW, allowed).build());
  }

  /**
   * The methods of a path, as the header {@code Allow} has them; empty if there is no such path.
   */
  Optional<String> of(String path) {
    var methods = new TreeSet<String>();
    templates()
        .forEach(
            (template, some) -> {
              if (Pattern.matches(template, path)) {
                methods.addAll(some);
              }
            });
    if (methods.isEmpty()) {
      return Optional.empty();
    }
    methods.add(HttpMethod.OPTIONS);
    if (methods.contains(HttpMethod.GET)) {
      methods.add(HttpMethod.HEAD);
    }
    return Optional.of(String.join(", ", methods));
  }

  /** Read when first asked for, which is seldom. */
  private Map<String, SortedSet<String>> templates() {
    if (byTemplate == null) {
      var all = new TreeMap<String, SortedSet<String>>();
      beans.getBeans(Object.class, Any.Literal.INSTANCE).stream()
          .map(Bean::getBeanClass)
          .filter(type -> type.isAnnotationPresent(Path.class))
          .distinct()
          .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
          .forEach(
              operation ->
                  verb(operation)
                      .ifPresent(
                          verb ->
                              all.computeIfAbsent(template(operation), none -> new TreeSet<>())
                                  .add(verb)));
      byTemplate = all;
    }
    return byTemplate;
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
