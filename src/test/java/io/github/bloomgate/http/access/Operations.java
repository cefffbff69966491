package io.github.bloomgate.http.access;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.github.bloomgate.http.request.QueryNames;
import io.github.bloomgate.http.security.Role;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The operations of the service, as its classes have them: a new one is in every test here. */
public final class Operations {

  private static final List<JavaClass> RESOURCES =
      new ClassFileImporter()
              .withImportOption(new ImportOption.DoNotIncludeTests())
              .importPackages("io.github.bloomgate")
              .stream()
              .filter(type -> type.isAnnotatedWith(Path.class))
              .toList();

  private Operations() {}

  /**
   * A method of a resource.
   *
   * @param roles all that its annotations name
   * @param mediaTypes of its body; empty if it has none
   * @param query the parameters of its query; those that may be repeated end in {@code []}
   */
  public record Operation(
      String verb,
      String path,
      List<String> roles,
      List<String> mediaTypes,
      Set<String> query,
      String method) {

    Role role() {
      return Role.named(roles.get(0)).orElseThrow();
    }

    boolean namesAFilter() {
      return path.contains("{name}");
    }

    @Override
    public String toString() {
      return verb + " " + path + " " + mediaTypes;
    }
  }

  /** All of them. */
  public static List<Operation> all() {
    return RESOURCES.stream().flatMap(Operations::of).toList();
  }

  private static Stream<Operation> of(JavaClass resource) {
    return resource.getMethods().stream()
        .flatMap(method -> verb(method).map(verb -> operation(resource, method, verb)).stream());
  }

  private static Optional<String> verb(JavaMethod method) {
    return method.getAnnotations().stream()
        .filter(annotation -> annotation.getRawType().isAnnotatedWith(HttpMethod.class))
        .map(annotation -> annotation.getRawType().getSimpleName())
        .findFirst();
  }

  private static Set<String> query(JavaMethod method) {
    return method
        .tryGetAnnotationOfType(QueryNames.class)
        .map(
            names ->
                Stream.concat(
                        Arrays.stream(names.value()),
                        Arrays.stream(names.repeated()).map(name -> name + "[]"))
                    .collect(Collectors.toSet()))
        .orElse(Set.of());
  }

  private static Operation operation(JavaClass resource, JavaMethod method, String verb) {
    var path =
        resource.getAnnotationOfType(Path.class).value()
            + method.tryGetAnnotationOfType(Path.class).map(Path::value).orElse("");
    var consumes =
        method
            .tryGetAnnotationOfType(Consumes.class)
            .or(() -> resource.tryGetAnnotationOfType(Consumes.class))
            .map(annotation -> List.of(annotation.value()))
            .orElse(List.of());
    var roles =
        method
            .tryGetAnnotationOfType(RolesAllowed.class)
            .map(annotation -> List.copyOf(new TreeSet<>(List.of(annotation.value()))))
            .orElse(List.of());
    return new Operation(verb, path, roles, consumes, query(method), method.getFullName());
  }
}
