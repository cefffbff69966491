package io.github.bloomgate.docs;

import static io.restassured.RestAssured.delete;
import static java.util.stream.Collectors.joining;
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
import java.util.Arrays;
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
class GeneratedClientsTest {

  private static final Path FLOWS = Path.of("src/test/resources/clients");
  private static final File GENERATOR = new File("target/generator/openapi-generator-cli.jar");
  private static final List<String> WORKED = new ArrayList<>();

  @TempDir static Path folder;

  @TestHTTPResource URI service;

  @BeforeAll
  static void copyContract() throws Exception {
    assertTrue(GENERATOR.exists(), "The Maven profile slow fetches " + GENERATOR);
    Files.copy(Path.of("openapi.yaml"), folder.resolve("openapi.yaml"));
  }

  /** Runs the command on the page, and returns the folder of the client. */
  private static Path generate(String language) throws Exception {
    return generate(language, "");
  }

  /**
   * @param library instead of the one on the page; empty for that
   */
  private static Path generate(String language, String library) throws Exception {
    var command =
        Pattern.compile(
                "^java -jar openapi-generator-cli.jar (generate .* -g " + language + " .*)$",
                Pattern.MULTILINE)
            .matcher(page());
    assertTrue(command.find(), "the command for " + language);
    var words = command.group(1);
    if (!library.isEmpty()) {
      words = words.replaceFirst("--library \\S+", "--library " + library);
      words = words.replaceFirst("-o \\S+", "-o with-" + library);
    }
    runGenerator(
        words + " --global-property apiDocs=false,modelDocs=false,apiTests=false,modelTests=false");
    return folder.resolve(words.replaceFirst(".* -o (\\S+).*", "$1"));
  }

  private static void runGenerator(String words) throws Exception {
    var command = new ArrayList<>(List.of(Interpreter.jdk("java")));
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    command.addAll(List.of("-jar", GENERATOR.getAbsolutePath()));
    command.addAll(List.of(words.split(" ")));
    run(folder, command.toArray(String[]::new));
  }

  @AfterAll
  static void printWhichWorked() {
    System.out.println("Generated clients that were run: " + String.join(", ", WORKED));
  }

  @Test
  @Tag("slow")
  void theContractIsValidForTheGenerator() throws Exception {
    runGenerator("validate -i openapi.yaml --recommend");
  }

  @Test
  @Tag("slow")
  void java() throws Exception {
    var client = generate("java");
    compile(client, "updateBaseUri", "Start.java", program("java"));
    runJava(client, "Start");
    runJava(client, "Flow");
    WORKED.add("Java (native)");
  }

  @Test
  @Tag("long")
  void javaWithOkHttp() throws Exception {
    var client = generate("java", "okhttp-gson");
    compile(client, "setBasePath", "Nothing.java", "class Nothing {}");
    runJava(client, "Flow");
    WORKED.add("Java (okhttp-gson)");
  }

  @Test
  @Tag("long")
  void kotlin() throws Exception {
    var client = generate("kotlin");
    Files.writeString(client.resolve("start.kt"), program("kotlin"));
    Files.copy(FLOWS.resolve("flow.kt"), client.resolve("flow.kt"));
    var command = new ArrayList<>(List.of(Interpreter.jdk("java"), "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("-cp", parts("kotlin")));
    command.addAll(
        List.of(
            "org.jetbrains.kotlin.cli.jvm.K2JVMCompiler", "-no-stdlib", "-no-reflect", "-nowarn"));
    command.addAll(List.of("-d", "classes", "-cp", parts("okhttp")));
    command.addAll(List.of("start.kt", "flow.kt", "src/main/kotlin"));
    run(client, command.toArray(String[]::new));
    runJava(client, "StartKt");
    runJava(client, "FlowKt");
    WORKED.add("Kotlin");
  }

  @Test
  @Tag("slow")
  void go() throws Exception {
    Interpreter.assume("go", "version");
    generate("go");
    Files.writeString(folder.resolve("go.mod"), "module check\n\ngo 1.18\n");
    var edit = Pattern.compile("^go mod edit .*$", Pattern.MULTILINE).matcher(page());
    assertTrue(edit.find(), "the command that adds the client");
    run(folder, edit.group().split(" "));
    Files.writeString(folder.resolve("start.go"), program("go"));
    Files.copy(FLOWS.resolve("flow.go"), folder.resolve("flow.go"));
    run(folder, "go", "run", "start.go");
    run(folder, "go", "run", "flow.go", service(), newName());
    WORKED.add("Go");
  }

  @Test
  @Tag("slow")
  void python() throws Exception {
    assumeTrue(
        Interpreter.isThere(
            "python3", "-c", "import dateutil, pydantic.v1, typing_extensions, urllib3"),
        "There is no python3 with pydantic 2, python-dateutil and urllib3");
    var client = generate("python");
    Files.writeString(client.resolve("start.py"), program("python"));
    Files.copy(FLOWS.resolve("flow.py"), client.resolve("flow.py"));
    run(client, "python3", "start.py");
    run(client, "python3", "flow.py", service(), newName());
    WORKED.add("Python");
  }

  @Test
  @Tag("long")
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
    generate("typescript-fetch");
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
    return System.getProperty("java.class.path") + File.pathSeparator + parts("okhttp");
  }

  /** The class path of a folder of libraries for this test. */
  private static String parts(String name) {
    var libraries = new File(GENERATOR.getParentFile(), name).listFiles();
    return Arrays.stream(libraries).map(File::getAbsolutePath).collect(joining(File.pathSeparator));
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
