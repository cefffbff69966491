package io.github.bloomgate.console;

import static io.github.bloomgate.support.Chromium.element;

import io.github.bloomgate.support.Chromium;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Tests of the console in a browser, which opens the page before each test. */
@Tag("faults")
@ExtendWith(ConsoleInChromium.Browser.class)
abstract class ConsoleInChromium {

  /** A JavaScript expression for the requests of the page to the API so far. */
  static final String REQUESTS =
      "performance.getEntriesByType('resource').filter(r => r.name.includes('/v1/'))";

  static Chromium page;

  /** One for all classes, because it takes longer to start than most of their tests. */
  static final class Browser implements BeforeAllCallback {
    @Override
    public void beforeAll(ExtensionContext context) throws Exception {
      var store = context.getRoot().getStore(ExtensionContext.Namespace.GLOBAL);
      page = store.get(Chromium.class, Chromium.class);
      if (page == null) {
        page = Chromium.start();
        store.put(Chromium.class, page);
      }
    }
  }

  @BeforeEach
  void openThePage() {
    page.forgetComplaints();
    page.resize(1280, 900);
    page.dark(false);
    page.offline(false);
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
    var file = page.folder().resolve("lines.txt");
    return Files.writeString(
        file,
        IntStream.range(0, count).mapToObj(n -> "line-" + n).collect(Collectors.joining("\n")));
  }
}
