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

/** Tests of the console in their own browser, which opens the page before each test. */
@Tag("faults")
abstract class ConsoleInChromium {

  /** A JavaScript expression for the requests of the page to the API so far. */
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

  /**
   * Without this, a page whose service or proxy has stopped would log errors during the next test.
   */
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

  /** Returns an attribute of the element with this id. */
  static String attribute(String id, String attribute) {
    return page.evaluate(element("#" + id) + ".getAttribute('" + attribute + "')").asText();
  }

  /** Waits until an element with this text is in the visible part of the page. */
  static void awaitInView(String selector, String text) {
    ConsolePage.awaitText(page, selector, text);
    page.await(
        "(r => r.top >= 0 && r.bottom <= innerHeight)("
            + element(selector)
            + ".getBoundingClientRect())");
  }

  /** Writes a file with one element per line. */
  static Path lines(int count) throws IOException {
    var file = folder.toAbsolutePath().resolve("lines.txt");
    return Files.writeString(
        file,
        IntStream.range(0, count).mapToObj(n -> "line-" + n).collect(Collectors.joining("\n")));
  }
}
