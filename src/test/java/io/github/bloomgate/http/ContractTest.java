package io.github.bloomgate.http;

import static io.restassured.RestAssured.given;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.github.bloomgate.http.access.Operations;
import io.github.bloomgate.support.Contract;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The service serves {@code openapi.yaml}, which names the parameters of its resources. */
@QuarkusTest
class ContractTest {

  @Inject io.github.bloomgate.http.contract.Contract contract;

  private static final String TAKES = "takes";
  private static final String ANSWERS = "answers";

  private static final Pattern CONSTANT = Pattern.compile("String ([A-Z_]+) = \"(\\w+)\";");
  private static final Pattern READ =
      Pattern.compile(
          "(?:query|sent|context\\))\\s*\\.(?:text|texts|whole|number|flag)\\("
              + "(?:\"(\\w+)\"|([A-Z_]+))\\)");

  @Test
  void itIsServedAsItStands() throws IOException {
    var served = given().get("/q/openapi?format=json").then().statusCode(200).extract().asString();

    assertEquals(
        new ObjectMapper(new YAMLFactory()).readTree(Path.of("openapi.yaml").toFile()),
        new ObjectMapper().readTree(served));
  }

  @Test
  void theResourcesHaveItsOperationsAndMediaTypes() throws IOException {
    var inContract = new TreeMap<String, Map<String, Set<String>>>();
    for (var operation : Contract.read().operations()) {
      var read = contract.at(operation.path()).orElseThrow().operations().get(operation.method());
      var types = of(inContract, operation.method(), operation.path());
      types.get(TAKES).addAll(read.takes());
      types.get(ANSWERS).addAll(read.answers());
    }
    var inCode = new TreeMap<String, Map<String, Set<String>>>();
    for (var operation : Operations.all()) {
      var types = of(inCode, operation.verb(), operation.path());
      types.get(TAKES).addAll(operation.mediaTypes());
      types.get(ANSWERS).addAll(operation.answers());
    }

    assertEquals(inContract, inCode);
  }

  /**
   * Resources read parameters by name. A name that nothing reads would be accepted and ignored, and
   * one that no operation has is never given.
   */
  @Test
  void itsQueryParametersAreThoseThatTheSourcesRead() throws IOException {
    var read = new TreeSet<String>();
    try (var files = Files.walk(Path.of("src/main/java/io/github/bloomgate/http"))) {
      files.filter(Files::isRegularFile).map(ContractTest::text).forEach(it -> collect(it, read));
    }
    var known =
        Contract.read().operations().stream()
            .flatMap(operation -> operation.query().stream())
            .map(parameter -> parameter.name())
            .collect(Collectors.toCollection(TreeSet::new));

    assertEquals(known, read);
  }

  /** The names in calls of {@code Query}, as literals or as constants of the same file. */
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

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private static Map<String, Set<String>> of(
      Map<String, Map<String, Set<String>>> operations, String method, String path) {
    return operations.computeIfAbsent(
        method + " " + path, absent -> Map.of(TAKES, new TreeSet<>(), ANSWERS, new TreeSet<>()));
  }
}
