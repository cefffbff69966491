package io.github.bloomgate.docs;

import static io.restassured.RestAssured.delete;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.support.Interpreter;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The programs of the page on clients print what it says. Runs those for whose language the machine
 * has what it takes.
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
  void theProgramPrintsWhatThePageShows(
      String language, String interpreter, String version, String command) throws Exception {
    Interpreter.assume(interpreter, version);
    delete("/v1/filters/visitors");
    var program = block(language).replace("localhost:8080", service.getAuthority());
    var words = command.split(" ");
    Files.writeString(folder.resolve(words[words.length - 1]), program);

    assertEquals("0 " + block("text").strip(), Interpreter.run(folder, words));
  }

  private static String block(String language) {
    var block =
        Pattern.compile("^```" + language + "\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL)
            .matcher(MarkdownFile.read("docs/clients.md").text());
    assertTrue(block.find(), language);
    return block.group(1);
  }
}
