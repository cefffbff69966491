package io.github.bloomgate.console;

import static io.github.bloomgate.support.Chromium.element;
import static io.github.bloomgate.support.Chromium.quoted;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.bloomgate.support.Chromium;
import io.restassured.RestAssured;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Properties;

/** The console in a browser: the actions and checks that several tests use. */
public final class ConsolePage {

  private ConsolePage() {}

  /** Loads the page, because a new hash alone would not, and waits for its script. */
  public static void open(Chromium page, String hash) {
    page.open("about:blank");
    page.open("http://localhost:" + RestAssured.port + "/" + hash);
    page.await("document.readyState === 'complete' && " + element("#main"));
  }

  public static void show(Chromium page, String name) {
    page.evaluate("location.hash = '#/" + name + "'");
    awaitShown(page, name);
  }

  public static void show(Chromium page, String name, String tab) {
    page.evaluate("location.hash = '#/" + name + "/" + tab + "'");
    awaitShown(page, name);
    page.await(element("#tabs [aria-current]") + ".hash === '#/" + name + "/" + tab + "'");
  }

  public static void list(Chromium page) {
    page.evaluate("location.hash = ''");
    page.await(element("#filters"));
  }

  /** Searches the list for filters by the start of their names or a part of them. */
  public static void search(Chromium page, String text) {
    list(page);
    page.type("#search", text);
  }

  /** Returns the curl command in an element, which may be folded. */
  public static String curl(Chromium page, String place) {
    page.await(element(place + " code"));
    page.evaluate(element(place) + ".open = true");
    return page.text(place + " code");
  }

  public static void awaitShown(Chromium page, String name) {
    page.await(element("#described-heading") + "?.textContent === " + quoted(name));
  }

  /** Waits until a visible element has a text. No-break spaces count as spaces. */
  public static void awaitText(Chromium page, String selector, String text) {
    page.await(
        "(e => e && e.checkVisibility() && e.innerText.replaceAll('\u00a0', ' ').includes("
            + quoted(text)
            + "))("
            + element(selector)
            + ")");
  }

  /** Waits until the filter on the page has a number of elements. */
  public static void awaitElements(Chromium page, int count) {
    page.await("/^Elements\\s+" + count + "\\b/.test(" + element("#elements-now") + "?.innerText)");
  }

  /** Opens a dialog, and checks that it names the filter. */
  public static void ask(Chromium page, String button, String name) {
    page.await(element(button) + ".checkVisibility() && !" + element(button) + ".disabled");
    page.click(button);
    page.await(element("#confirm") + ".open");
    awaitText(page, "#confirm-heading", name);
  }

  public static void yes(Chromium page) {
    page.click("#confirm-yes");
    page.await("!" + element("#confirm") + ".open");
  }

  /** Waits until a canvas has more than one color. */
  public static void awaitDrawn(Chromium page, String canvas) {
    page.await(
        "(c => c?.width > 0 && new Set(new Uint32Array(c.getContext('2d')"
            + ".getImageData(0, 0, c.width, c.height).data.buffer)).size > 3)("
            + element("#" + canvas)
            + ")");
  }

  /** Asserts that the accessibility checker finds no problem in what is shown. */
  public static void assertAccessible(Chromium page, String view) {
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
    var loader = ConsolePage.class.getClassLoader();
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
}
