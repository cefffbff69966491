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

/** The console in a browser, while something does not answer or is gone. */
@QuarkusTest
class ConsoleFaultsInChromiumTest extends ConsoleInChromium {

  @Inject RawRedis redis;

  @Test
  void aMessageStaysUntilItIsDismissedThoughThePageIsKeptUpToDate() {
    var name = Api.newFilter();
    ConsolePage.show(page, name);
    page.type("#text", "no hex");
    page.pick("#encoding", "hex");
    page.click("#elements button[value=test]");
    page.await("!" + element("#problem") + ".hidden");
    var told = page.text("#problem");
    var looks = page.evaluate(REQUESTS + ".length").asInt();
    page.await(REQUESTS + ".length > " + (looks + 4));
    assertTrue(told.contains("The request is not valid"), told);
    assertEquals(told, page.text("#problem"));
    Api.add(name, "a", "b");
    page.await(element("#summary") + ".textContent.includes('about 2 of')");
    assertEquals(told, page.text("#problem"));
    page.click("#problem [data-close]");
    page.await(element("#problem") + ".hidden");
  }

  @Test
  void aFilterThatIsDeletedElsewhereIsToldAndComesBackByItself() {
    var name = Api.newFilter();
    ConsolePage.show(page, name);
    Api.raw().delete(Api.FILTERS + name).then().statusCode(204);
    page.await(element("#state") + ".textContent === 'gone'");
    page.await("!" + element("#rows a[data-name=\"" + name + "\"]"));
    Api.put(name, "{\"expectedInsertions\": 7}").then().statusCode(201);
    page.await(element("#summary") + ".textContent.includes('room for 7')");
    page.await(element("#state") + ".textContent === 'ready'");
    page.await("!" + element("#ask") + ".hidden");
  }

  @Test
  void aFilterThatIsNotWholeCanBeDeletedAndNotMuchElse() {
    var name = Api.newFilter();
    Api.add(name, "a").statusCode(200);
    redis.run("DEL", Api.describe(name).jsonPath().getString("redisKey"));
    page.type("#prefix", name);
    page.click("#search button");
    // The list may still be the one before the search, and others in it are full, which looks
    // alike.
    var row = "#rows a[data-name=\"" + name + "\"]";
    page.await(element(row + " .badge.damaged"));
    page.click(row);
    ConsolePage.awaitShown(page, name);
    ConsolePage.awaitText(page, "#summary", "not known any more");
    assertFalse(page.has("#ask"));
    for (var button : new String[] {"#clear", "#rename", "#copy", "#merge", "#export", "#expire"}) {
      assertTrue(page.evaluate(element(button) + ".disabled").asBoolean(), button);
    }
    ConsolePage.ask(page, "#delete", name);
    ConsolePage.yes(page);
    page.await("!" + element("#welcome") + ".hidden");
    Api.describe(name).then().statusCode(404);
  }

  /** The time of three looks passes by the clock of the page. */
  @Test
  void aTabThatNobodySeesAsksForNothingUntilItIsSeen() {
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
  void aLostConnectionIsToldAndRecoversByItself() {
    var name = Api.newFilter();
    ConsolePage.show(page, name);
    page.offline(true);
    page.await("!" + element("#connection") + ".hidden");
    var told = page.text("#connection");
    assertTrue(told.matches("No answer since \\d\\d:\\d\\d:\\d\\d, trying again\\..*"), told);
    // What is asked for meanwhile fails with a message of its own, which the looks leave alone.
    page.click("#refresh");
    page.await("!" + element("#problem") + ".hidden");
    page.offline(false);
    page.await(element("#connection") + ".hidden");
    assertTrue(page.text("#problem").contains("cannot be reached"), page.text("#problem"));
    Api.add(name, "a", "b", "c");
    page.await(element("#summary") + ".textContent.includes('about 3 of')");
  }

  @Test
  void aRedisThatStandsStillIsToldAndThePageGoesOnWithIt() throws Exception {
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
      assertTrue(page.text("#connection").startsWith("No answer since "));
      assertOpensMeanwhile(name, process);
    } finally {
      signal("CONT", process);
    }
    page.await(element("#connection") + ".hidden");
    Api.add(name, "a", "b", "c");
    page.await(element("#summary") + ".textContent.includes('about 3 of')");
  }

  /** Whoever opens it while Redis stands still sees the filter as soon as that goes on. */
  private void assertOpensMeanwhile(String name, String process) throws Exception {
    ConsolePage.open(page, "#/" + name);
    page.await("!" + element("#connection") + ".hidden");
    assertTrue(page.evaluate(element("#problem") + ".hidden").asBoolean());
    signal("CONT", process);
    page.await(element("#described-heading") + ".textContent === '" + name + "'");
    page.await("!" + element("#described") + ".hidden");
  }

  private static void signal(String signal, String process) throws Exception {
    assertEquals(0, new ProcessBuilder("kill", "-" + signal, process).start().waitFor());
  }
}
