package io.github.bloomgate.http;

import static io.restassured.RestAssured.given;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.fasterxml.jackson.databind.JsonNode;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.github.bloomgate.support.Contract;
import io.github.bloomgate.support.ProjectFiles;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The service serves {@code openapi.yaml}, which matches the resources. */
@QuarkusTest
class ContractTest {

  @Inject io.github.bloomgate.http.contract.Contract contract;

  private static final JsonNode DOCUMENT = ProjectFiles.yaml("openapi.yaml");

  private static final String TAKES = "takes";
  private static final String ANSWERS = "answers";

  private static final Pattern CONSTANT = Pattern.compile("String ([A-Z_]+) = \"(\\w+)\";");
  private static final Pattern READ =
      Pattern.compile(
          "(?:query|sent|context\\))\\s*\\.(?:text|texts|whole|number|flag)\\("
              + "(?:\"(\\w+)\"|([A-Z_]+))\\)");

  @Test
  void theContractIsServedUnchanged() {
    var served = given().get("/q/openapi?format=json").then().statusCode(200).extract().asString();

    assertEquals(DOCUMENT, Api.tree(served));
  }

  /** An operation's own list would override the document's. */
  @Test
  void everyOperationTakesAKeyAsBearerOrBasic() {
    for (var scheme : List.of("bearer", "basic")) {
      var described = DOCUMENT.at("/components/securitySchemes/" + scheme);
      assertEquals("http", described.path("type").asText());
      assertEquals(scheme, described.path("scheme").asText());
    }
    assertEquals("[{\"bearer\":[]},{\"basic\":[]}]", DOCUMENT.path("security").toString());
    assertEquals(List.of(), DOCUMENT.path("paths").findValues("security"));
    for (var operation : Contract.read().operations()) {
      assertTrue(operation.answers().keySet().containsAll(Set.of(401, 403)), operation.id());
    }
  }

  /** The service takes the roles from the contract, so nothing else would notice a wrong one. */
  @Test
  void onlyAdminsMayDoMoreThanCopyFiltersAndChangeElements() {
    for (var operation : Contract.read().operations()) {
      var last = operation.path().substring(operation.path().lastIndexOf('/') + 1);
      var role =
          switch (last) {
            case "add", "remove" -> "writer";
            case "test", "count" -> "reader";
            case "export", "follow" -> "follower";
            default -> Set.of("GET", "HEAD").contains(operation.method()) ? "reader" : "admin";
          };
      assertEquals(role, operation.role(), operation.id());
    }
  }

  @Test
  void theResourcesMatchItsOperationsAndMediaTypes() {
    var inContract = new TreeMap<String, Map<String, Set<String>>>();
    for (var operation : Contract.read().operations()) {
      if (operation.method().equals("HEAD")) {
        continue;
      }
      var read = contract.at(operation.path()).orElseThrow().operations().get(operation.method());
      var types = of(inContract, operation.method(), operation.path());
      types.get(TAKES).addAll(read.takes());
      types.get(ANSWERS).addAll(read.answers());
    }
    var inCode = new TreeMap<String, Map<String, Set<String>>>();
    for (var resource : resources()) {
      for (var method : resource.getMethods()) {
        verb(method)
            .ifPresent(
                verb -> {
                  var types = of(inCode, verb, path(resource, method));
                  types.get(TAKES).addAll(takes(resource, method));
                  types.get(ANSWERS).addAll(answers(resource, method));
                });
      }
    }

    assertEquals(inContract, inCode);
  }

  private static List<JavaClass> resources() {
    return new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.github.bloomgate")
            .stream()
            .filter(type -> type.isAnnotatedWith(Path.class))
            .toList();
  }

  private static Optional<String> verb(JavaMethod method) {
    return method.getAnnotations().stream()
        .filter(annotation -> annotation.getRawType().isAnnotatedWith(HttpMethod.class))
        .map(annotation -> annotation.getRawType().getSimpleName())
        .findFirst();
  }

  private static String path(JavaClass resource, JavaMethod method) {
    return resource.getAnnotationOfType(Path.class).value()
        + method.tryGetAnnotationOfType(Path.class).map(Path::value).orElse("");
  }

  private static List<String> takes(JavaClass resource, JavaMethod method) {
    return method
        .tryGetAnnotationOfType(Consumes.class)
        .or(() -> resource.tryGetAnnotationOfType(Consumes.class))
        .map(annotation -> List.of(annotation.value()))
        .orElse(List.of());
  }

  /** The media types of successful responses; empty without a body. */
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

  @TestFactory
  Stream<DynamicTest> everyPathListsItsMethods() {
    return methodsByPath().entrySet().stream()
        .map(
            path ->
                dynamicTest(
                    path.getKey(),
                    () -> {
                      var url = path.getKey().replace("{name}", Api.newName());
                      var methods = String.join(", ", path.getValue());
                      given().options(url).then().statusCode(200).header("Allow", methods);
                      var refused = given().patch(url);
                      assertEquals(405, refused.statusCode());
                      assertEquals("METHOD_NOT_ALLOWED", refused.path("code"));
                      assertEquals(methods, refused.header("Allow"));
                    }));
  }

  /**
   * The framework answers HEAD where there is GET. Paths for any method answer them like GET, even
   * OPTIONS, which a proxy may take for a yes.
   */
  private static Map<String, SortedSet<String>> methodsByPath() {
    var paths = new TreeMap<String, SortedSet<String>>();
    for (var operation : Contract.read().operations()) {
      if (DOCUMENT.path("paths").path(operation.path()).path("x-any-method").asBoolean()) {
        continue;
      }
      var methods = paths.computeIfAbsent(operation.path(), none -> new TreeSet<>());
      methods.add("OPTIONS");
      methods.add(operation.method());
      if (operation.method().equals("GET")) {
        methods.add("HEAD");
      }
    }
    return paths;
  }

  @Test
  void anUnknownPathHasNoMethods() {
    for (var path : new String[] {"/v1/filters/a/nothing", "/v1/nothing", "/v1/filters/a/add/b"}) {
      given().options(path).then().statusCode(404);
    }
  }

  /**
   * Resources read parameters by name. The service would ignore a documented parameter that no code
   * reads, and clients could not send one that is not documented.
   */
  @Test
  void theCodeReadsExactlyTheDocumentedQueryParameters() {
    var read = new TreeSet<String>();
    ProjectFiles.under("src/main/java/io/github/bloomgate/http")
        .forEach(file -> collect(ProjectFiles.text(file), read));
    var known =
        Contract.read().operations().stream()
            .flatMap(operation -> operation.query().stream())
            .map(parameter -> parameter.name())
            .collect(Collectors.toCollection(TreeSet::new));

    assertEquals(known, read);
  }

  /** Collects the names in calls of {@code Query}: literals, or constants of the same file. */
  private static void collect(String source, Set<String> names) {
    var constants =
        CONSTANT
            .matcher(source)
            .results()
            .collect(Collectors.toMap(found -> found.group(1), found -> found.group(2)));
    READ.matcher(source)
        .results()
        .map(found -> found.group(1) == null ? constants.get(found.group(2)) : found.group(1))
        .forEach(names::add);
  }

  private static Map<String, Set<String>> of(
      Map<String, Map<String, Set<String>>> operations, String method, String path) {
    return operations.computeIfAbsent(
        method + " " + path, absent -> Map.of(TAKES, new TreeSet<>(), ANSWERS, new TreeSet<>()));
  }
}
