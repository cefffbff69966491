package io.github.bloomgate.http.access;

import static io.github.bloomgate.console.ConsolePage.awaitText;
import static io.github.bloomgate.console.ConsolePage.show;
import static io.github.bloomgate.support.Chromium.element;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.console.ConsolePage;
import io.github.bloomgate.support.Chromium;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The console of a service that asks for keys: it asks for one, and offers what that may do. */
@QuarkusTest
@TestProfile(TestKeys.class)
@Tag("faults")
class ConsoleKeysInChromiumTest {

  @TempDir(factory = ConsolePage.InTarget.class)
  private static Path folder;

  private static Chromium page;

  @BeforeAll
  static void start() throws Exception {
    page = Chromium.start(folder);
    page.resize(1280, 900);
  }

  @BeforeEach
  void openThePageWithoutAKey() {
    ConsolePage.open(page, "");
    page.evaluate("sessionStorage.clear()");
    ConsolePage.open(page, "");
    page.await(element("#key-dialog") + ".open");
  }

  @AfterAll
  static void close() {
    if (page != null) {
      page.close();
    }
  }

  private static void use(String key) {
    page.type("#key", key);
    page.click("#key-dialog button[value=use]");
  }

  @Test
  void itAsksForAKeyAndTellsThatOneIsNotKnown() {
    awaitText(page, "#key-text", "asks for an API key");
    use(TestKeys.UNKNOWN);
    awaitText(page, "#key-text", "not known");
    use(TestKeys.ADMIN);
    awaitText(page, "#who", "Key admin, admin");
    page.await("!" + element("#key-dialog") + ".open");
    page.await(element("#connection") + ".hidden");
  }

  /** The tab keeps it, and nothing that outlives the tab. */
  @Test
  void theKeyIsKeptForTheTabOnly() {
    use(TestKeys.ADMIN);
    awaitText(page, "#who", "Key admin");
    assertEquals(0, page.evaluate("localStorage.length").asInt());
    assertEquals("", page.evaluate("document.cookie").asText());
    assertFalse(page.evaluate("location.href").asText().contains(TestKeys.ADMIN));
    ConsolePage.open(page, "");
    awaitText(page, "#who", "Key admin");
    page.click("#authorize");
    page.click("#key-dialog button[value=forget]");
    awaitText(page, "#key-text", "asks for an API key");
    assertTrue(page.evaluate("sessionStorage.getItem('bloomgate-key /')").isNull());
  }

  @Test
  void aReaderIsOfferedNoChangeAndToldWhy() {
    var name = TestKeys.newFilter();
    use(TestKeys.READER);
    awaitText(page, "#who", "Key reader, reader");
    show(page, name);
    awaitText(page, "#described", "may test elements, and neither add nor load them");
    awaitText(page, "#described", "with a key of the role admin only");
    for (var hidden :
        new String[] {
          "#new",
          "#import-new",
          "#elements button[value=add]",
          "#load-form",
          "#open-rebuild",
          "#delete"
        }) {
      assertFalse(page.evaluate(element(hidden) + ".checkVisibility()").asBoolean(), hidden);
    }
    page.type("#text", "a");
    page.click("#elements button[value=test]");
    awaitText(page, "#answers", "0 of 1");
  }

  @Test
  void aWriterAddsAndLoadsButChangesNoWholeFilter() {
    var name = TestKeys.newFilter();
    use(TestKeys.WRITER);
    awaitText(page, "#who", "Key writer, writer");
    show(page, name);
    page.type("#text", "a");
    page.click("#elements button[value=add]");
    awaitText(page, "#answers", "1 of 1 were new");
    assertTrue(page.evaluate(element("#load-form") + ".checkVisibility()").asBoolean());
    assertFalse(page.evaluate(element("#delete") + ".checkVisibility()").asBoolean());
  }

  @Test
  void aLimitedKeySeesItsNamesAndIsToldOfOthers() {
    var own = TestKeys.newFilter(TestKeys.PREFIX);
    var other = TestKeys.newFilter();
    use(TestKeys.LIMITED);
    awaitText(
        page, "#who", "names that begin with " + TestKeys.PREFIX + " or " + TestKeys.LATER_PREFIX);
    show(page, own);
    page.evaluate("location.hash = '#/" + other + "'");
    awaitText(page, "#problem", "limited to names that begin with");
    awaitText(page, "#problem", "“Key …” takes another one");
    assertFalse(page.text("#totals").contains("Memory"), "of Redis it learns nothing");
  }

  @Test
  void whoAsksTooOftenIsToldSo() {
    use(TestKeys.ADMIN);
    awaitText(page, "#who", "Key admin");
    page.evaluate(
        "window.real = fetch; window.fetch = async () => new Response(JSON.stringify({title: 'Too many"
            + " requests', detail: 'At most 10 a second.'}), {status: 429}); undefined");
    awaitText(page, "#connection", "has asked too often");
    page.click("#refresh");
    page.evaluate("window.fetch = window.real; undefined");
    page.await(element("#connection") + ".hidden");
  }
}
