package io.github.bloomgate.console;

import static io.github.bloomgate.support.Chromium.element;
import static io.github.bloomgate.support.Chromium.quoted;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.bloomgate.support.Chromium;
import io.restassured.RestAssured;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Tests of the console in a browser, which opens the page before each test. */
@Tag("faults")
@ExtendWith(ConsoleInChromium.Browser.class)
public abstract class ConsoleInChromium {

  /** A JavaScript expression for the requests of the page to the API so far. */
  static final String REQUESTS =
      "performance.getEntriesByType('resource').filter(r => r.name.includes('/v1/'))";

  protected static Chromium page;

  /** One for all classes, because it takes longer to start than most of their tests. */
  static final class Browser implements ExecutionCondition, BeforeAllCallback {

    /** A class that is skipped later fails, because Quarkus ends what it has not begun. */
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
      return Chromium.isInstalled()
          ? ConditionEvaluationResult.enabled(null)
          : ConditionEvaluationResult.disabled("Chromium is not installed");
    }

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
    page.resize(1280, 900);
    page.dark(false);
    page.offline(false);
    open("");
    page.await(element("#first-steps, #rows a, #sign-in"));
  }

  /**
   * Leaves the page, because it would log errors during the next test if its service or proxy has
   * stopped.
   */
  @AfterEach
  protected void leaveThePage() {
    var complaints = page.takeComplaints().stream().filter(found -> !isExpected(found)).toList();
    page.evaluate("sessionStorage.clear()");
    page.open("about:blank");
    assertEquals(List.of(), complaints);
  }

  /** Whether an error in the console of the browser belongs to what the tests of a class do. */
  protected boolean isExpected(String complaint) {
    return false;
  }

  /** Asserts how many errors the browser has logged so far, as intended. */
  static void assertComplaints(int count) {
    var complaints = page.takeComplaints();
    assertEquals(count, complaints.size(), complaints.toString());
  }

  /** Loads the page, because a new hash alone would not, and waits for its script. */
  protected static void open(String hash) {
    page.open("about:blank");
    page.open("http://localhost:" + RestAssured.port + "/" + hash);
    page.await("document.readyState === 'complete' && " + element("#main"));
  }

  /** Follows a link within the page. */
  protected static void go(String hash) {
    page.evaluate("location.hash = " + quoted(hash));
  }

  protected static void show(String name) {
    go("#/" + name);
    awaitShown(name);
  }

  protected static void show(String name, String tab) {
    go("#/" + name + "/" + tab);
    awaitShown(name);
    page.await(element("#tabs [aria-current]") + ".hash === '#/" + name + "/" + tab + "'");
  }

  protected static void list() {
    go("");
    page.await(element("#filters"));
  }

  /** Searches the list for filters by the start of their names or a part of them. */
  protected static void search(String text) {
    list();
    page.type("#search", text);
  }

  /** Returns the curl command in an element, which may be folded. */
  protected static String curl(String place) {
    page.await(element(place + " code"));
    page.evaluate(element(place) + ".open = true");
    return page.text(place + " code");
  }

  protected static void awaitShown(String name) {
    page.await(element("#described-heading") + "?.textContent === " + quoted(name));
  }

  /** Waits until a visible element has a text. No-break spaces count as spaces. */
  protected static void awaitText(String selector, String text) {
    page.await(
        "(e => e && e.checkVisibility() && e.innerText.replaceAll('\u00a0', ' ').includes("
            + quoted(text)
            + "))("
            + element(selector)
            + ")");
  }

  /** Waits until the filter on the page has a number of elements. */
  protected static void awaitElements(int count) {
    page.await("/^Elements\\s+" + count + "\\b/.test(" + element("#elements-now") + "?.innerText)");
  }

  /** Opens a dialog, and checks that it names the filter. */
  protected static void ask(String button, String name) {
    page.await(element(button) + ".checkVisibility() && !" + element(button) + ".disabled");
    page.click(button);
    page.await(element("#confirm") + ".open");
    awaitText("#confirm-heading", name);
  }

  protected static void yes() {
    page.click("#confirm-yes");
    page.await("!" + element("#confirm") + ".open");
  }

  /** Opens a dialog and confirms it. */
  static void confirm(String button, String name) {
    ask(button, name);
    yes();
  }

  /** Opens the form for a new filter of a kind: fixed, grows, forgets or counts. */
  static void openForm(String name, String capacity, String kind) {
    page.click("#new");
    page.type("#name", name);
    page.type("#expected", capacity);
    page.click("#kind-" + kind);
  }

  /** Creates the filter that the form describes. */
  static void create(String name) {
    page.click("#create button[type=submit]");
    awaitShown(name);
  }

  /** Enters elements for the filter on the page, and clicks the button that adds or tests them. */
  protected static void send(String action, String elements) {
    page.type("#text", elements);
    page.click("#elements button[value=" + action + "]");
  }

  static void awaitRows(int count) {
    page.await("document.querySelectorAll('#rows tr').length === " + count);
  }

  /** Waits until the page has asked for changes several times. */
  protected static void awaitPolls() {
    var looks = page.evaluate(REQUESTS + ".length").asInt();
    page.await(REQUESTS + ".length > " + (looks + 4));
  }

  /** Waits until a canvas has more than one color. */
  protected static void awaitDrawn(String canvas) {
    page.await(
        "(c => c?.width > 0 && new Set(new Uint32Array(c.getContext('2d')"
            + ".getImageData(0, 0, c.width, c.height).data.buffer)).size > 3)("
            + element("#" + canvas)
            + ")");
  }

  /** Asserts that the accessibility checker finds no problem in what is shown. */
  protected static void assertAccessible(String view) {
    if (!page.evaluate("typeof axe === 'object'").asBoolean()) {
      page.evaluate(axe() + "; undefined");
    }
    page.evaluate(
        "window.found = null; axe.run().then(result => window.found = result.violations.map("
            + "v => v.id + ': ' + v.nodes.map(n => n.html).join(' ')), e => window.found = [String(e)]);"
            + " undefined");
    page.await("window.found");
    assertEquals("[]", page.evaluate("window.found").toString(), view);
  }

  private static String axe() {
    var loader = ConsoleInChromium.class.getClassLoader();
    var jar = "META-INF/maven/org.webjars.npm/axe-core/pom.properties";
    try (var versions = loader.getResourceAsStream(jar)) {
      var properties = new Properties();
      properties.load(versions);
      var version = properties.getProperty("version");
      var path = "META-INF/resources/webjars/axe-core/" + version + "/axe.min.js";
      try (var script = loader.getResourceAsStream(path)) {
        return new String(script.readAllBytes(), StandardCharsets.UTF_8);
      }
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  static String attribute(String id, String attribute) {
    return page.evaluate(element("#" + id) + ".getAttribute('" + attribute + "')").asText();
  }

  /** Waits until an element with this text is in the visible part of the page. */
  static void awaitInView(String selector, String text) {
    awaitText(selector, text);
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
