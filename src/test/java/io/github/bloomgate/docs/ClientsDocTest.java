package io.github.bloomgate.docs;

import static io.restassured.RestAssured.delete;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.bloomgate.support.Interpreter;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The programs in docs/clients.md print the documented output. Skips languages that are not
 * installed.
 */
@QuarkusTest
class ClientsDocTest {

  @TestHTTPResource URI service;

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    "python, python3, --version, python3 client.py",
    "javascript, node, --version, node client.mjs",
    "java, java, --version, java client.java",
    "go, go, version, go run client.go"
  })
  void theProgramPrintsTheOutputOnThePage(
      String language, String interpreter, String version, String command) throws Exception {
    Interpreter.assume(interpreter, version);
    assertPrints(blocks(language).get(0), command.split(" "));
  }

  @Test
  void theSameCallsWorkWithRequests() throws Exception {
    Interpreter.assume("python3", "-c", "import requests");
    var programs = blocks("python");
    var calls = programs.get(0).substring(programs.get(0).indexOf("\ncall("));
    assertPrints(programs.get(1) + calls, "python3", "client.py");
  }

  private void assertPrints(String program, String... command) throws Exception {
    delete("/v1/filters/visitors");
    Files.writeString(
        folder.resolve(command[command.length - 1]),
        program.replace("localhost:8080", service.getAuthority()));
    assertEquals("0 " + blocks("text").get(0).strip(), Interpreter.run(folder, command));
  }

  private static List<String> blocks(String language) {
    return MarkdownFile.read("docs/clients.md").blocks(language);
  }
}
