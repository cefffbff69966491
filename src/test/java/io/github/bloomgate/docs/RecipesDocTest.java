package io.github.bloomgate.docs;

import static io.restassured.RestAssured.get;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.http.Api;
import io.github.bloomgate.support.Interpreter;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The programs of the recipes do what their pages say. Skips languages that are not installed. */
@QuarkusTest
class RecipesDocTest {

  private static final Path EXAMPLES = Path.of("examples").toAbsolutePath();
  private static final Path CHECKS = Path.of("src/test/resources/recipes").toAbsolutePath();

  @TestHTTPResource URI service;

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    "python3, guard.py, ''",
    // The request has several ids, or one that cannot be decoded.
    "node, guard.mjs, 'two ids 404 404 404\nbad id 500 500 500\n'"
  })
  void aGuardRefusesElementsThatCertainlyDoNotExist(String interpreter, String check, String more)
      throws Exception {
    Interpreter.assume(interpreter, "--version");
    fill("recipe-guard", "a known/one");

    assertEquals(
        """
        0 filter 200 404 200
        no filter 200 200 200
        no filter, closed 503 503 200
        %ssilent, closed 503 503 200
        closing, closed 200 200 200\
        """
            .formatted(more),
        run(interpreter, check, "guard"));
  }

  @Test
  void theGuardsInJavaWork() throws Exception {
    fill("recipe-guard", "a known/one");
    compile("guard/BloomgateFilter.java", "guard/JakartaGuard.java");

    try (var loader = new URLClassLoader(new URL[] {folder.toUri().toURL()})) {
      var type = loader.loadClass("BloomgateFilter");
      var url = "http://" + service.getAuthority();
      var make = type.getConstructor(String.class, String.class, Duration.class);
      var ask = type.getMethod("mightContain", String.class);
      var filter = make.newInstance(url, "recipe-guard", Duration.ofSeconds(30));
      assertEquals(true, ask.invoke(filter, "a known/one"));
      assertEquals(false, ask.invoke(filter, "another"));
      var none = make.newInstance(url, "recipe-no-filter", Duration.ofSeconds(30));
      var unknown =
          assertThrows(InvocationTargetException.class, () -> ask.invoke(none, "another"));
      assertTrue(unknown.getCause() instanceof IOException, unknown.getCause().toString());
    }
  }

  @Test
  void eachLineIsProcessedByOneConsumer() throws Exception {
    Interpreter.assume("python3", "--version");
    fill("recipe-once", "known");
    Files.writeString(folder.resolve("ids"), "new\nknown\nnew\nlast");
    var program = EXAMPLES.resolve("deduplicate/once.py");

    assertEquals("0 new\nlast", once(program, "recipe-once"));
    assertEquals("0", once(program, "recipe-once").strip());
    Files.writeString(folder.resolve("ids"), "one\rother\n");
    assertEquals("0 one\rother", once(program, "recipe-once"));
    Files.writeString(folder.resolve("ids"), "other\n");
    assertEquals("0 other", once(program, "recipe-once"));
    Files.writeString(folder.resolve("ids"), "new\nknown\nnew\nlast");
    var unknown = once(program, "recipe-no-filter");
    assertTrue(unknown.startsWith("75 It is unknown whether these were added"), unknown);
    assertTrue(unknown.endsWith("new\nknown\nnew\nlast"), unknown);
  }

  @Test
  void aCrawlerVisitsEachPageOnce() throws Exception {
    Interpreter.assume("python3", "--version");
    fill("recipe-crawl", "other");

    var check = String.join(" ", "python3", CHECKS.resolve("dupefilter.py").toString());
    var arguments =
        " %s %s recipe-crawl 2> log"
            .formatted(EXAMPLES.resolve("deduplicate"), service.getAuthority());
    assertEquals(
        """
        0 open False False True
        closed while idle False False True True
        no filter False False""",
        shell(check + arguments));
    var warnings = Files.readString(folder.resolve("log"));
    assertEquals(2, warnings.lines().count(), warnings);
    assertTrue(warnings.contains("FILTER_NOT_FOUND"), warnings);
  }

  private String once(Path program, String filter) throws Exception {
    var host = "BLOOMGATE_HOST=" + service.getAuthority();
    return shell(String.join(" ", host, "python3", program.toString(), filter, "< ids"));
  }

  @Test
  void aRefreshThatFailsKeepsTheOldContent() throws Exception {
    Interpreter.assume("bash", "--version");
    Interpreter.assume("curl", "--version");
    fill("recipe-refresh", "old");

    assertTrue(refresh("sh -c 'echo new; exit 3'").startsWith("3 "));
    assertTrue(refresh("echo new").contains("REBUILD_TOO_SMALL"));
    Api.post("recipe-refresh", "rebuild", "{}").statusCode(201);
    assertTrue(refresh("echo new").contains("REBUILD_IN_PROGRESS"));
    Api.delete("recipe-refresh/rebuild").statusCode(204);
    assertEquals("[true, false]", oldAndNew());

    assertTrue(refresh("printf 'new\\nother\\n'").startsWith("0 "));
    assertEquals("[false, true]", oldAndNew());
    get("/v1/filters/recipe-refresh/rebuild").then().statusCode(404);
  }

  private String refresh(String command) throws Exception {
    var url = "BLOOMGATE_URL=http://" + service.getAuthority();
    var program = EXAMPLES.resolve("refresh/refresh.sh").toString();
    return shell(String.join(" ", url, program, "recipe-refresh 2", command));
  }

  private static String oldAndNew() {
    return get("/v1/filters/recipe-refresh/test?element=old&element=new")
        .path("mightContain")
        .toString();
  }

  private String shell(String command) throws Exception {
    return Interpreter.run(folder, "sh", "-c", command);
  }

  private String run(String interpreter, String check, String recipe) throws Exception {
    return Interpreter.run(
        folder,
        interpreter,
        CHECKS.resolve(check).toString(),
        EXAMPLES.resolve(recipe).toString(),
        service.getAuthority());
  }

  private static void fill(String name, String element) {
    Api.delete(name);
    Api.put(name, "{\"expectedInsertions\": 1000}").statusCode(201);
    Api.add(name, element).statusCode(200);
  }

  private void compile(String... files) throws IOException {
    var compiler = ToolProvider.getSystemJavaCompiler();
    try (var manager = compiler.getStandardFileManager(null, null, null)) {
      var sources =
          manager.getJavaFileObjects(
              List.of(files).stream().map(EXAMPLES::resolve).toArray(Path[]::new));
      var options =
          List.of(
              "-d", folder.toString(), "-cp", System.getProperty("java.class.path"), "-proc:none");
      assertTrue(compiler.getTask(null, manager, null, options, null, sources).call());
    }
  }
}
