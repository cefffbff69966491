package io.github.bloomgate.console;

import static io.github.bloomgate.support.Chromium.element;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.http.Api;
import io.github.bloomgate.support.RawRedis;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import org.junit.jupiter.api.Test;

/** The console in a browser, while the service, Redis or a filter is unavailable. */
@QuarkusTest
class ConsoleFaultsInChromiumTest extends ConsoleInChromium {

  @Inject RawRedis redis;

  @Test
  void aMessageStaysUntilItIsDismissed() {
    var name = Api.newFilter();
    ConsolePage.show(page, name, "elements");
    page.type("#text", "no hex");
    page.pick("#encoding", "hex");
    page.click("#elements button[value=test]");
    page.await(element("#outcome"));
    var reported = page.text("#outcome");
    var looks = page.evaluate(REQUESTS + ".length").asInt();
    page.await(REQUESTS + ".length > " + (looks + 4));
    assertTrue(reported.contains("The request is not valid"), reported);
    assertEquals(reported, page.text("#outcome"));
    Api.add(name, "a", "b");
    ConsolePage.awaitElements(page, 2);
    assertEquals(reported, page.text("#outcome"));
    page.click("#outcome [data-close]");
    page.await("!" + element("#outcome"));
  }

  @Test
  void aFilterDeletedElsewhereIsReportedAndReappears() {
    var name = Api.newFilter();
    ConsolePage.show(page, name);
    Api.raw().delete(Api.FILTERS + name).then().statusCode(204);
    page.await(element("#state") + ".textContent.includes('gone')");
    Api.put(name, "{\"expectedInsertions\": 7}").statusCode(201);
    ConsolePage.awaitText(page, "#elements-now", "of 7");
    page.await(element("#state") + ".textContent.includes('ready')");
    assertFalse(page.has("#summary"));
  }

  @Test
  void aDamagedFilterCanOnlyBeRepairedOrDeleted() {
    var name = Api.newFilter();
    Api.add(name, "a").statusCode(200);
    redis.run("DEL", Api.fields(name).getString("redisKey"));
    ConsolePage.search(page, name);
    var row = "#rows [data-name=\"" + name + "\"]";
    ConsolePage.awaitText(page, row, "damaged");
    page.click(row + " a");
    ConsolePage.awaitShown(page, name);
    ConsolePage.awaitText(page, "#summary", "Check whether Redis evicts keys");
    ConsolePage.awaitText(page, "#repairs", "replace all its elements");
    ConsolePage.assertAccessible(page, "damaged filter");
    ConsolePage.show(page, name, "elements");
    assertFalse(page.has("#ask"));
    ConsolePage.awaitText(page, "#repairs", "import or delete");
    ConsolePage.show(page, name, "settings");
    for (var button : new String[] {"#clear", "#rename", "#copy", "#merge", "#export", "#expire"}) {
      assertTrue(page.evaluate(element(button) + ".disabled").asBoolean(), button);
    }
    ConsolePage.ask(page, "#delete", name);
    ConsolePage.yes(page);
    page.await(element("#filters"));
    Api.describe(name).statusCode(404);
  }

  /** Waits for the time of three polls, by the clock of the page. */
  @Test
  void aHiddenTabSendsNoRequests() {
    hide(true);
    page.evaluate("window.hiddenAt = performance.now(); undefined");
    page.await("performance.now() > window.hiddenAt + 3000");
    var since = REQUESTS + ".filter(r => r.startTime > window.hiddenAt).length";
    assertEquals(0, page.evaluate(since).asInt());
    hide(false);
    page.await(since + " > 0");
  }

  private static void hide(boolean isHidden) {
    page.evaluate(
        "Object.defineProperty(document, 'hidden', {configurable: true, value: "
            + isHidden
            + "}); document.dispatchEvent(new Event('visibilitychange')); undefined");
  }

  @Test
  void aLostConnectionIsShownAndRecovers() {
    var name = Api.newFilter();
    ConsolePage.show(page, name, "elements");
    page.type("#text", "a");
    page.offline(true);
    page.await("!" + element("#connection") + ".hidden");
    var reported = page.text("#connection");
    assertTrue(reported.matches("No response since \\d\\d:\\d\\d:\\d\\d, retrying\\..*"), reported);
    // The action fails with its own message, and polling must not remove it.
    page.click("#elements button[value=test]");
    page.await(element("#outcome"));
    page.offline(false);
    page.await(element("#connection") + ".hidden");
    assertTrue(page.text("#outcome").contains("cannot be reached"), page.text("#outcome"));
    Api.add(name, "a", "b", "c");
    ConsolePage.awaitElements(page, 3);
  }

  @Test
  void aFrozenRedisIsShownAndRecovers() throws Exception {
    var name = Api.newFilter();
    ConsolePage.show(page, name);
    var process =
        redis
            .run("INFO", "server")
            .toString()
            .lines()
            .filter(line -> line.startsWith("process_id:"))
            .map(line -> line.substring("process_id:".length()).strip())
            .findFirst()
            .orElseThrow();
    signal("STOP", process);
    try {
      page.await("!" + element("#connection") + ".hidden");
      assertTrue(page.text("#connection").startsWith("No response since "));
      assertOpensWhenResumed(name, process);
    } finally {
      signal("CONT", process);
    }
    page.await(element("#connection") + ".hidden");
    Api.add(name, "a", "b", "c");
    ConsolePage.awaitElements(page, 3);
  }

  /** A page that is opened while Redis hangs shows the filter once Redis resumes. */
  private void assertOpensWhenResumed(String name, String process) throws Exception {
    ConsolePage.open(page, "#/" + name);
    page.await("!" + element("#connection") + ".hidden");
    assertFalse(page.has("#outcome"));
    signal("CONT", process);
    page.await(element("#described-heading") + "?.textContent === '" + name + "'");
  }

  private static void signal(String signal, String process) throws Exception {
    assertEquals(0, new ProcessBuilder("kill", "-" + signal, process).start().waitFor());
  }
}
