package io.github.bloomgate.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.bloomgate.http.Api;
import io.github.bloomgate.support.Interpreter;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The programs of the recipes work in their frameworks. Skips languages that are not installed,
 * except Java, and prints which frameworks were tested.
 */
@QuarkusTest
@Tag("long")
class FrameworksTest {

  private static final Path EXAMPLES = Path.of("examples").toAbsolutePath();
  private static final Path CHECKS = Path.of("src/test/resources/recipes").toAbsolutePath();
  private static final List<String> WORKED = new ArrayList<>();

  @TestHTTPResource URI service;

  @TempDir Path folder;

  @AfterAll
  static void printWhichWorked() {
    System.out.println("Recipes that were run in their frameworks: " + String.join(", ", WORKED));
  }

  @BeforeEach
  void fill() {
    fill("recipe-guard", "[\"a known/one\", \"known\"]");
  }

  @Test
  void spring() throws Exception {
    copyGuard("SpringGuard.java");
    assertEquals(
        "0 /products/known 200 known\n/products/unknown 404 \n/other 200 other",
        java("SpringCheck"));
    WORKED.add("Spring MVC");
  }

  @Test
  void jakartaRest() throws Exception {
    copyGuard("JakartaGuard.java");
    assertEquals("0 200 404 200", java("JakartaCheck", "known", "unknown", ""));
    WORKED.add("Jakarta REST");
  }

  /** Copies the guard, with the address of this service and a timeout that is long enough. */
  private void copyGuard(String guard) throws IOException {
    fill("products", "[\"known\"]");
    Files.writeString(
        folder.resolve(guard),
        Files.readString(EXAMPLES.resolve("guard").resolve(guard))
            .replace("http://localhost:8080", url())
            .replace("ofMillis(100)", "ofSeconds(30)"));
    copy("guard/BloomgateFilter.java");
  }

  /** A compose file can set an empty variable. */
  @Test
  void anEmptyKeyIsNotSent() throws Exception {
    copy("guard/BloomgateFilter.java");
    assertEquals("0 null\ntrue", java("KeyCheck"));
  }

  @Test
  void kafka() throws Exception {
    copy("deduplicate/KafkaOnce.java");
    var name = "recipe-kafka-" + UUID.randomUUID();
    assertEquals("0 unknown\ncommitted 0", java("KafkaCheck", url(), name, "one"));
    fill(name, "[\"known\"]");
    assertEquals(
        "0 sent one 0\nsent two 3\ncommitted 1",
        java("KafkaCheck", url(), name, "one", "known", "one", "two"));
    assertEquals("0 committed 1", java("KafkaCheck", url(), name, "one", "two"));
    // A key with a line break is one element, so the key "four" is still new.
    assertEquals(
        "0 sent three\nfour 0\nsent four 1\ncommitted 1",
        java("KafkaCheck", url(), name, "three\nfour", "four"));
    assertEquals("0 unknown\ncommitted 0", java("KafkaCheck", url(), name, "five", ""));
    WORKED.add("Kafka");
  }

  @Test
  void express() throws Exception {
    Interpreter.assume("node", "--version");
    var install = "install --silent --no-audit --no-fund express@5 --prefix " + folder;
    assumeTrue(Interpreter.isThere("npm", install.split(" ")), "express is not installed");
    assertEquals("0 200 404", script("node", "express.mjs"));
    WORKED.add("Express");
  }

  @Test
  void fastApi() throws Exception {
    assumeTrue(
        Interpreter.isThere("python3", "-c", "import fastapi.testclient"),
        "There is no python3 with FastAPI and httpx");
    assertEquals("0 200 404\n200 200 503 503", script("python3", "fastapi.py"));
    WORKED.add("FastAPI");
  }

  @Test
  void go() throws Exception {
    Interpreter.assume("go", "version");
    Files.writeString(folder.resolve("go.mod"), "module check\n\ngo 1.19\n");
    Files.createDirectory(folder.resolve("guard"));
    Files.writeString(
        folder.resolve("guard/guard.go"),
        Files.readString(EXAMPLES.resolve("guard/guard.go"))
            .replace("100 * time.Millisecond", "30 * time.Second"));
    Files.copy(CHECKS.resolve("guard_check.go"), folder.resolve("main.go"));
    var output = Interpreter.run(folder, "go", "run", ".", url());
    assertTrue(output.endsWith("200 404 200 200 404 200 200 200 200 503 503 200"), output);
    WORKED.add("Go");
  }

  private String script(String interpreter, String check) throws Exception {
    return Interpreter.run(
        folder,
        interpreter,
        CHECKS.resolve(check).toString(),
        EXAMPLES.resolve("guard").toString(),
        service.getAuthority());
  }

  /**
   * Compiles a check with the files of the folder, runs it, and returns its exit code and output.
   */
  private String java(String check, String... arguments) throws Exception {
    var classPath =
        String.join(
            File.pathSeparator,
            folder.toString(),
            RecipeParts.FOLDER + "/*",
            System.getProperty("java.class.path"));
    var sources = new ArrayList<>(List.of(CHECKS.resolve(check + ".java").toString()));
    try (var files = Files.list(folder)) {
      files.map(Path::toString).filter(file -> file.endsWith(".java")).forEach(sources::add);
    }
    var command =
        new ArrayList<>(List.of(Interpreter.jdk("javac"), "-parameters", "-proc:none", "-nowarn"));
    command.addAll(List.of("-d", folder.toString(), "-cp", classPath));
    command.addAll(sources);
    var compiled = Interpreter.run(folder, command.toArray(String[]::new));
    assertTrue(compiled.startsWith("0"), compiled);
    // Quarkus's log manager is on the classpath and must be selected.
    var logging = "-Djava.util.logging.manager=org.jboss.logmanager.LogManager";
    command = new ArrayList<>(List.of(Interpreter.jdk("java"), logging, "-cp", classPath, check));
    command.addAll(List.of(arguments));
    return Interpreter.run(folder, command.toArray(String[]::new));
  }

  private void copy(String example) throws IOException {
    var file = EXAMPLES.resolve(example);
    Files.copy(file, folder.resolve(file.getFileName()));
  }

  private String url() {
    return "http://" + service.getAuthority();
  }

  private static void fill(String name, String elements) {
    Api.delete(name);
    Api.put(name, "{\"expectedInsertions\": 1000}").statusCode(201);
    Api.post(name, "add", "{\"elements\": " + elements + "}").statusCode(200);
  }
}
