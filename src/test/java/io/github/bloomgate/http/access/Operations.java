package io.github.bloomgate.http.access;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.github.bloomgate.http.security.Role;
import io.github.bloomgate.support.Contract;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The operations of the service, read from its classes, so that tests include new ones. */
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
   * @param mediaTypes media types of the request body; empty without a body
   * @param answers media types of successful responses; empty without a body
   */
  public record Operation(
      String verb, String path, List<String> mediaTypes, List<String> answers, String method) {

    /** Its role in the contract. */
    Role role() {
      var inContract = Contract.read().at(path).get(verb.equals("HEAD") ? "GET" : verb);
      return Role.named(inContract.role()).orElseThrow();
    }

    /** The same as HEAD, which the framework answers where there is GET. */
    Operation asHead() {
      return new Operation("HEAD", path, mediaTypes, List.of(), method);
    }

    boolean namesAFilter() {
      return path.contains("{name}");
    }

    @Override
    public String toString() {
      return verb + " " + path + " " + mediaTypes;
    }
  }

  /** All operations. */
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

  private static List<String> answers(JavaClass resource, JavaMethod method) {
    var hasNone =
        method.getRawReturnType().isEquivalentTo(void.class)
            || method.getReturnType().getName().contains("<" + Void.class.getName() + ">");
    return hasNone
        ? List.of()
        : method
            .tryGetAnnotationOfType(Produces.class)
            .or(() -> resource.tryGetAnnotationOfType(Produces.class))
            .map(annotation -> List.of(annotation.value()))
            .orElse(List.of());
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
    return new Operation(verb, path, consumes, answers(resource, method), method.getFullName());
  }
}
