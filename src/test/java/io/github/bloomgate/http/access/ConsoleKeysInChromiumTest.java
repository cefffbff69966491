package io.github.bloomgate.http.access;

import static io.github.bloomgate.support.Chromium.element;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.console.ConsoleInChromium;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The console of a service with keys asks for a key, and offers only the actions that it allows.
 */
@QuarkusTest
@TestProfile(TestKeys.class)
class ConsoleKeysInChromiumTest extends ConsoleInChromium {

  /** Without a valid key, the service refuses the requests of the page. */
  @Override
  protected boolean isExpected(String complaint) {
    return complaint.matches("(?s).*status of 40[13] .*");
  }

  private static void use(String key) {
    page.type("#key", key);
    page.click("#use-key");
  }

  @Test
  void itAsksForAKeyAndRefusesAnUnknownOne() {
    awaitText("#key-text", "requires an API key");
    assertFalse(
        page.has("#filters, #outcome, #connection:not([hidden])"),
        "the page explains it only once");
    assertTrue(page.evaluate("document.activeElement.id === 'key'").asBoolean());
    use(TestKeys.UNKNOWN);
    awaitText("#key-text", "does not know this key");
    use(TestKeys.ADMIN);
    awaitText("#who", "Key admin, role admin");
    page.await("!" + element("#sign-in"));
    assertFalse(page.has("#outcome"), "the error of the other key is gone");
    page.await(element("#connection") + ".hidden");
  }

  @Test
  void aCopiedKeyMayHaveInvisibleCharacters() {
    use("no\u2026key");
    awaitText("#key-text", "No key contains such characters");
    use("\u200b" + TestKeys.ADMIN + "\u00a0\ufeff");
    awaitText("#who", "Key admin, role admin");
    assertFalse(page.has("#outcome"));
  }

  @Test
  void aBrowserMayBlockTheStorageOfTheTab() {
    var script =
        page.addScript(
            "Object.defineProperty(window, 'sessionStorage', {get() {"
                + " throw new DOMException('blocked', 'SecurityError'); }})");
    try {
      open("");
      awaitText("#key-text", "requires an API key");
      use(TestKeys.ADMIN);
      awaitText("#who", "Key admin, role admin");
    } finally {
      page.removeScript(script);
      open("");
    }
  }

  @Test
  void theSignInPageIsAccessibleAndFitsTheWindow() {
    for (var isDark : new boolean[] {false, true}) {
      page.dark(isDark);
      for (var width : new int[] {360, 1280, 2560}) {
        page.resize(width, 900);
        assertTrue(page.evaluate("document.documentElement.scrollWidth").asInt() <= width);
        assertAccessible("sign in " + width);
      }
    }
  }

  /** The key stays in the tab, and is not stored anywhere that outlives it. */
  @Test
  void theKeyIsKeptForTheTabOnly() {
    use(TestKeys.ADMIN);
    awaitText("#who", "Key admin");
    assertEquals(0, page.evaluate("localStorage.length").asInt());
    assertEquals("", page.evaluate("document.cookie").asText());
    assertFalse(page.evaluate("location.href").asText().contains(TestKeys.ADMIN));
    open("");
    awaitText("#who", "Key admin");
    page.click("#authorize");
    awaitText("#key-text", "replaces the one in use");
    page.click("#keep-key");
    page.await(element("#filters"));
    page.click("#authorize");
    page.click("#forget-key");
    awaitText("#key-text", "requires an API key");
    assertTrue(page.evaluate("sessionStorage.getItem('bloomgate-key /')").isNull());
  }

  @Test
  void aReaderSeesWhyChangesAreOff() {
    var name = TestKeys.newFilter();
    use(TestKeys.READER);
    awaitText("#who", "Key reader, role reader");
    assertHidden("#new");
    assertHidden("#import-new");
    show(name, "load");
    assertHidden("#load-form");
    show(name, "rebuild");
    assertHidden("#open-rebuild");
    show(name, "settings");
    awaitText("#described", "requires a key with the admin role");
    assertHidden("#delete");
    assertHidden("#export");
    show(name, "elements");
    awaitText("#described", "can test elements, but not add or load them");
    assertHidden("#elements button[value=add]");
    send("test", "a");
    awaitText("#answers", "0 of 1");
  }

  private static void assertHidden(String selector) {
    assertFalse(page.evaluate(element(selector) + ".checkVisibility()").asBoolean(), selector);
  }

  @Test
  void aWriterAddsAndLoadsButChangesNoWholeFilter() {
    var name = TestKeys.newFilter();
    use(TestKeys.WRITER);
    awaitText("#who", "Key writer, role writer");
    show(name, "elements");
    send("add", "a");
    awaitText("#answers", "1 of 1 were new");
    show(name, "load");
    assertTrue(page.evaluate(element("#load-form") + ".checkVisibility()").asBoolean());
    show(name, "settings");
    assertHidden("#delete");
  }

  @Test
  void aFollowerExportsButChangesNothing() {
    var name = TestKeys.newFilter();
    use(TestKeys.FOLLOWER);
    awaitText("#who", "Key follower, role follower");
    assertHidden("#new");
    show(name, "settings");
    awaitText("#described", "requires a key with the admin role");
    assertTrue(page.evaluate(element("#export") + ".checkVisibility()").asBoolean());
    for (var change : List.of("#expire", "#rename", "#copy", "#merge", "#import", "#delete")) {
      assertHidden(change);
    }
    show(name, "load");
    assertHidden("#load-form");
    show(name, "elements");
    assertHidden("#elements button[value=add]");
  }

  @Test
  void aLimitedKeySeesItsNamesAndWhyOthersAreRefused() {
    var own = TestKeys.newFilter(TestKeys.PREFIX);
    var other = TestKeys.newFilter();
    use(TestKeys.LIMITED);
    awaitText("#who", "names that begin with " + TestKeys.PREFIX + " or " + TestKeys.LATER_PREFIX);
    show(own);
    go("#/" + other);
    awaitText("#outcome", "limited to names that begin with");
    awaitPolls();
    assertTrue(page.evaluate(element("#connection") + ".hidden").asBoolean(), "only one message");
    awaitText("#outcome", "“Change key” switches to another one");
    assertFalse(page.text("#totals").contains("Redis"), "a limited key sees nothing of Redis");
  }

  @Test
  void aRateLimitIsExplained() {
    use(TestKeys.ADMIN);
    awaitText("#who", "Key admin");
    page.evaluate(
        "window.real = fetch; window.fetch = async () => new Response(JSON.stringify({title: 'Too"
            + " many requests', detail: 'At most 10 a second.'}), {status: 429}); undefined");
    awaitText("#connection", "too many requests");
    page.evaluate("window.fetch = window.real; undefined");
    page.await(element("#connection") + ".hidden");
  }
}
