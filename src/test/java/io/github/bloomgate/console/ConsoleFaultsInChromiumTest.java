package io.github.bloomgate.console;

import static io.github.bloomgate.support.Chromium.element;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.http.Api;
import io.github.bloomgate.support.Found;
import io.github.bloomgate.support.RawRedis;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The console in a browser, while the service, Redis or a filter is unavailable. */
@QuarkusTest
class ConsoleFaultsInChromiumTest extends ConsoleInChromium {

  private static final Pattern PROCESS = Pattern.compile("process_id:(\\d+)");

  @Inject RawRedis redis;

  /** The browser logs each request that fails. */
  @Override
  protected boolean isExpected(String complaint) {
    return complaint.contains("\"source\":\"network\"");
  }

  @Test
  void aMessageStaysUntilItIsDismissed() {
    var name = Api.newFilter();
    show(name, "elements");
    page.type("#text", "no hex");
    page.pick("#encoding", "hex");
    page.click("#elements button[value=test]");
    page.await(element("#outcome"));
    var reported = page.text("#outcome");
    awaitPolls();
    assertTrue(reported.contains("The request is not valid"), reported);
    assertEquals(reported, page.text("#outcome"));
    Api.add(name, "a", "b");
    awaitElements(2);
    assertEquals(reported, page.text("#outcome"));
    page.click("#outcome [data-close]");
    page.await("!" + element("#outcome"));
  }

  @Test
  void aFilterDeletedElsewhereIsReportedAndReappears() {
    var name = Api.newFilter();
    show(name);
    Api.raw().delete(Api.FILTERS + name).then().statusCode(204);
    page.await(element("#state") + ".textContent.includes('gone')");
    Api.put(name, "{\"expectedInsertions\": 7}").statusCode(201);
    awaitText("#elements-now", "of 7");
    page.await(element("#state") + ".textContent.includes('ready')");
    assertFalse(page.has("#summary"));
  }

  @Test
  void aDamagedFilterCanOnlyBeRepairedOrDeleted() {
    var name = Api.newFilter();
    Api.add(name, "a").statusCode(200);
    redis.run("DEL", Api.fields(name).getString("redisKey"));
    search(name);
    var row = "#rows [data-name=\"" + name + "\"]";
    awaitText(row, "damaged");
    page.click(row + " a");
    awaitShown(name);
    awaitText("#summary", "Check whether Redis evicts keys");
    awaitText("#repairs", "replace all its elements");
    assertAccessible("damaged filter");
    show(name, "elements");
    assertFalse(page.has("#ask"));
    awaitText("#repairs", "import or delete");
    show(name, "settings");
    for (var button : new String[] {"#clear", "#rename", "#copy", "#merge", "#export", "#expire"}) {
      assertTrue(page.evaluate(element(button) + ".disabled").asBoolean(), button);
    }
    confirm("#delete", name);
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
    show(name, "elements");
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
    awaitElements(3);
  }

  @Test
  void aFrozenRedisIsShownAndRecovers() throws Exception {
    var name = Api.newFilter();
    show(name);
    var process = Found.in(redis.run("INFO", "server").toString(), PROCESS).first();
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
    awaitElements(3);
  }

  /** A page that is opened while Redis hangs shows the filter once Redis resumes. */
  private void assertOpensWhenResumed(String name, String process) throws Exception {
    open("#/" + name);
    page.await("!" + element("#connection") + ".hidden");
    assertTrue(page.text("#connection").startsWith("No response yet, retrying."));
    assertFalse(page.has("#outcome"));
    signal("CONT", process);
    page.await(element("#described-heading") + "?.textContent === '" + name + "'");
  }

  private static void signal(String signal, String process) throws Exception {
    assertEquals(0, new ProcessBuilder("kill", "-" + signal, process).start().waitFor());
  }
}
