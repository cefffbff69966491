package io.github.bloomgate.docs;

import static io.restassured.RestAssured.delete;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.bloomgate.support.Interpreter;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.File;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The commands in docs/clients.md generate clients that compile and work, with strict validation of
 * responses. Skips and names languages that are not installed, except Java.
 */
@QuarkusTest
@Tag("long")
class GeneratedClientsTest {

  private static final Path FLOWS = Path.of("src/test/resources/clients");
  private static final File GENERATOR = new File("target/generator/openapi-generator-cli.jar");
  private static final String QUICK = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -jar ";
  private static final List<String> WORKED = new ArrayList<>();

  @TempDir static Path folder;

  @TestHTTPResource URI service;

  /** Runs all generators in parallel, because each takes seconds to start. */
  @BeforeAll
  static void generate() throws Exception {
    assertTrue(GENERATOR.exists(), "The Maven profile slow fetches " + GENERATOR);
    Files.copy(Path.of("openapi.yaml"), folder.resolve("openapi.yaml"));
    var commands = new ArrayList<String>();
    Pattern.compile("^java -jar openapi-generator-cli.jar .*$", Pattern.MULTILINE)
        .matcher(page())
        .results()
        .forEach(command -> commands.add(command.group()));
    assertEquals(3, commands.size(), "commands of the page");
    commands.stream()
        .filter(command -> command.contains("--library native"))
        .map(
            command ->
                command
                    .replace("native", "okhttp-gson")
                    .replace("-o bloomgate-java", "-o bloomgate-okhttp"))
        .findFirst()
        .ifPresent(commands::add);
    var running = new ArrayList<Process>();
    for (var command : commands) {
      var words =
          command.replace("-jar openapi-generator-cli.jar", QUICK + GENERATOR.getAbsolutePath())
              + " --global-property apiDocs=false,modelDocs=false,apiTests=false,modelTests=false";
      running.add(
          new ProcessBuilder(words.split(" "))
              .directory(folder.toFile())
              .redirectErrorStream(true)
              .redirectOutput(folder.resolve(running.size() + ".log").toFile())
              .start());
    }
    for (var i = 0; i < running.size(); i++) {
      assertEquals(0, running.get(i).waitFor(), Files.readString(folder.resolve(i + ".log")));
    }
  }

  @AfterAll
  static void printWhichWorked() {
    System.out.println("Generated clients that were run: " + String.join(", ", WORKED));
  }

  @Test
  void java() throws Exception {
    var client = folder.resolve("bloomgate-java");
    compile(client, "updateBaseUri", "Start.java", program("java"));
    runJava(client, "Start");
    runJava(client, "Flow");
    WORKED.add("Java (native)");
  }

  @Test
  void javaWithOkHttp() throws Exception {
    var client = folder.resolve("bloomgate-okhttp");
    compile(client, "setBasePath", "Nothing.java", "class Nothing {}");
    runJava(client, "Flow");
    WORKED.add("Java (okhttp-gson)");
  }

  @Test
  void python() throws Exception {
    assumeTrue(
        Interpreter.isThere(
            "python3", "-c", "import dateutil, pydantic.v1, typing_extensions, urllib3"),
        "There is no python3 with pydantic 2, python-dateutil and urllib3");
    var client = folder.resolve("bloomgate-python");
    Files.writeString(client.resolve("start.py"), program("python"));
    Files.copy(FLOWS.resolve("flow.py"), client.resolve("flow.py"));
    run(client, "python3", "start.py");
    run(client, "python3", "flow.py", service(), newName());
    WORKED.add("Python");
  }

  @Test
  void typescript() throws Exception {
    Interpreter.assume("node", "--version");
    assumeTrue(
        Interpreter.isThere(
            "npm",
            "install",
            "--silent",
            "--no-audit",
            "--no-fund",
            "--prefix",
            folder.toString(),
            "typescript@5.8.3"),
        "typescript is not installed");
    Files.writeString(folder.resolve("start.ts"), program("typescript"));
    Files.copy(FLOWS.resolve("flow.ts"), folder.resolve("flow.ts"));
    var compile =
        Pattern.compile("^npx -p typescript (tsc .* start.ts)$", Pattern.MULTILINE).matcher(page());
    assertTrue(compile.find(), "the command that compiles");
    run(folder, ("node_modules/.bin/" + compile.group(1) + " flow.ts").split(" "));
    run(folder, "node", "built/start.js");
    run(folder, "node", "built/flow.js", service(), newName());
    WORKED.add("TypeScript");
  }

  private void compile(Path client, String setAddress, String name, String program)
      throws Exception {
    Files.writeString(client.resolve(name), program);
    Files.writeString(
        client.resolve("Flow.java"),
        Files.readString(FLOWS.resolve("Flow.java")).replace("setAddress", setAddress));
    var command =
        new ArrayList<>(
            List.of(
                Interpreter.jdk("javac"),
                "-J-XX:TieredStopAtLevel=1",
                "-proc:none",
                "-nowarn",
                "-d",
                "classes",
                "-cp",
                classPath()));
    command.addAll(List.of(name, "Flow.java"));
    try (Stream<Path> sources = Files.walk(client.resolve("src/main/java"))) {
      sources.map(Path::toString).filter(path -> path.endsWith(".java")).forEach(command::add);
    }
    run(client, command.toArray(String[]::new));
  }

  private void runJava(Path client, String program) throws Exception {
    run(
        client,
        Interpreter.jdk("java"),
        "-cp",
        "classes" + File.pathSeparator + classPath(),
        program,
        service(),
        newName());
  }

  /** The test classpath, plus a folder for this test. */
  private static String classPath() {
    return System.getProperty("java.class.path")
        + File.pathSeparator
        + new File(GENERATOR.getParentFile(), "okhttp").getAbsolutePath()
        + "/*";
  }

  private static void run(Path directory, String... command) throws Exception {
    var output = Interpreter.run(directory, command);
    assertTrue(output.startsWith("0"), output);
  }

  private String service() {
    return "http://" + service.getAuthority();
  }

  private static String newName() {
    return "clients." + UUID.randomUUID();
  }

  private static String page() {
    return MarkdownFile.read("docs/clients.md").text();
  }

  /** The documented program in a language, with the address of this service. */
  private String program(String language) {
    delete("/v1/filters/visitors");
    return MarkdownFile.read("docs/clients.md")
        .section("Generated clients")
        .block(language, "")
        .replace("localhost:8080", service.getAuthority());
  }
}
