package io.github.bloomgate.console;

import static io.github.bloomgate.support.Chromium.element;

import io.github.bloomgate.support.Chromium;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the console in a browser of their own, which opens the page before each. */
@Tag("faults")
abstract class ConsoleInChromium {

  /** The requests of the page to the API so far, as an expression. */
  static final String REQUESTS =
      "performance.getEntriesByType('resource').filter(r => r.name.includes('/v1/'))";

  @TempDir(factory = ConsolePage.InTarget.class)
  static Path folder;

  static Chromium page;

  @BeforeAll
  static void start() throws Exception {
    page = Chromium.start(folder);
  }

  @BeforeEach
  void openThePage() {
    page.forgetComplaints();
    page.resize(1280, 900);
    page.dark(false);
    ConsolePage.open(page, "");
    page.await(element("#first-steps, #rows a"));
  }

  /** So that a page whose service or proxy is gone does not complain about it in the next test. */
  @AfterEach
  void leaveThePage() {
    page.open("about:blank");
  }

  @AfterAll
  static void close() {
    if (page != null) {
      page.close();
    }
  }

  /** An attribute of the element with an id. */
  static String attribute(String id, String attribute) {
    return page.evaluate(element("#" + id) + ".getAttribute('" + attribute + "')").asText();
  }

  /** Waits until an element with a text is in the part of the page that the window shows. */
  static void awaitInView(String selector, String text) {
    ConsolePage.awaitText(page, selector, text);
    page.await(
        "(r => r.top >= 0 && r.bottom <= innerHeight)("
            + element(selector)
            + ".getBoundingClientRect())");
  }

  /** A file with one element a line. */
  static Path lines(int count) throws IOException {
    var file = folder.toAbsolutePath().resolve("lines.txt");
    return Files.writeString(
        file,
        IntStream.range(0, count).mapToObj(n -> "line-" + n).collect(Collectors.joining("\n")));
  }
}
