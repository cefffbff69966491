package io.github.bloomgate.console;

import static io.github.bloomgate.support.Chromium.element;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.bloomgate.http.Api;
import io.github.bloomgate.support.Interpreter;
import io.quarkus.test.junit.QuarkusTest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The curl commands that the console shows, run in a shell. */
@QuarkusTest
class ConsoleCurlInChromiumTest extends ConsoleInChromium {

  private static final String KEY = "bg_shown_nowhere";

  @BeforeAll
  static void lookForCurl() throws Exception {
    assumeTrue(Interpreter.isThere("curl", "--version"), "curl is not installed");
  }

  @Test
  void typedElementsAreSent() throws Exception {
    var name = Api.newName();
    openForm(name, "5k", "fixed");
    page.type("#rate", "0.1%");
    run("#create-curl");
    Api.describe(name).body("expectedInsertions", equalTo(5000));

    page.click("#create [data-cancel]");
    show(name, "elements");
    page.type("#text", "it's \"a\" \\ $HOME `b`\nline 2");
    run("#add-curl");
    Api.test(name, "it's \"a\" \\ $HOME `b`", "line 2").body("mightContainCount", equalTo(2));
    assertTrue(run("#test-curl").contains("\"mightContainCount\":2"));
  }

  @Test
  void anExportIsSavedToAFile() throws Exception {
    var name = Api.newFilter();
    show(name, "settings");
    cancelled("#export", name, Map.of());
    assertTrue(Files.size(page.folder().resolve(name + ".bloom")) > 0);
  }

  @Test
  void rebuildsAreOpenedLoadedAndCommitted() throws Exception {
    var name = Api.newFilter();
    Files.writeString(page.folder().resolve("elements.txt"), "one\ntwo\n");
    show(name, "rebuild");
    cancelled("#open-rebuild", name, Map.of("#ask-n", "2000"));
    page.await("!" + element("#commit") + ".hidden");
    show(name, "load");
    assertTrue(run("#load-curl").contains("\"received\":2"));
    show(name, "rebuild");
    awaitText("#rebuild", "Elements received\n2");
    cancelled("#commit", name, Map.of());
    Api.test(name, "one", "two").body("mightContainCount", equalTo(2));
    Api.describe(name).body("expectedInsertions", equalTo(2000));
    page.await("!" + element("#open-rebuild") + ".hidden");
    cancelled("#open-rebuild", name, Map.of());
    page.await("!" + element("#abort") + ".hidden");
    cancelled("#abort", name, Map.of());
    Api.describe(name).body("rebuild", nullValue());
  }

  /** Commands contain the variable instead of the key. */
  @Test
  void noCommandContainsTheKey() {
    var name = Api.newFilter();
    show(name, "elements");
    page.evaluate("sessionStorage.setItem('bloomgate-key /', '" + KEY + "')");
    page.type("#text", "a");
    for (var id : List.of("#test-curl", "#add-curl")) {
      var line = curl(id);
      assertTrue(line.contains("\"Authorization: Bearer $BLOOMGATE_KEY\""), line);
    }
    assertFalse(page.evaluate("document.documentElement.outerHTML").asText().contains(KEY));
  }

  @Test
  void aButtonCopiesTheCommand() {
    show(Api.newFilter(), "load");
    page.evaluate(
        "navigator.clipboard.writeText = text => { window.copied = text; return Promise.resolve(); };"
            + " undefined");
    assertFalse(
        page.evaluate(element("#load-curl code") + ".checkVisibility()").asBoolean(),
        "folded away");
    page.click("#load-curl button");
    page.await("window.copied");
    assertEquals(curl("#load-curl"), page.evaluate("window.copied").asText());
  }

  /** Cancels the dialog, and runs its curl command instead. */
  private static void cancelled(String button, String name, Map<String, String> typed)
      throws Exception {
    ask(button, name);
    typed.forEach(page::type);
    var line = curl("#confirm-curl");
    page.click("#confirm-no");
    page.await("!" + element("#confirm") + ".open");
    sh(line);
  }

  private static String run(String place) throws Exception {
    return sh(curl(place));
  }

  /** Runs a command in a shell and returns its output. */
  private static String sh(String line) throws Exception {
    var process =
        new ProcessBuilder("sh", "-c", line.replaceFirst("^curl", "curl -sS --fail-with-body"))
            .directory(page.folder().toFile())
            .redirectErrorStream(true)
            .start();
    var printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), line + "\n" + printed);
    return printed;
  }
}
