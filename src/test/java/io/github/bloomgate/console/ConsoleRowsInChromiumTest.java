package io.github.bloomgate.console;

import static io.github.bloomgate.support.Chromium.element;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.http.Api;
import io.github.bloomgate.support.RawRedis;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The rows of the list in a browser: pages, the tree of names, and filters chosen at once. */
@QuarkusTest
class ConsoleRowsInChromiumTest extends ConsoleInChromium {

  @Inject RawRedis redis;

  @BeforeEach
  void beginWithoutFilters() {
    redis.run("FLUSHALL");
    open("");
  }

  private static void put(String name) {
    Api.put(name, "{\"expectedInsertions\": 1000}").statusCode(201);
  }

  private static String names() {
    return page.evaluate(
            "[...document.querySelectorAll('#rows tr')].map(row => row.dataset.folder ?? row.dataset.name).join(' ')")
        .asText();
  }

  private static void awaitNames(String... names) {
    page.await(
        "[...document.querySelectorAll('#rows tr')].map(row => row.dataset.folder ?? row.dataset.name).join(' ') === '"
            + String.join(" ", names)
            + "'");
  }

  @Test
  void aPageHasAHundredRows() {
    IntStream.range(0, 250).forEach(n -> put("f%03d".formatted(n)));
    open("");
    awaitRows(100);
    awaitText("#range", "Filters 1 to 100 of 250");
    page.click("#forward");
    page.click("#forward");
    awaitRows(50);
    awaitText("#range", "Filters 201 to 250 of 250");
    assertTrue(page.evaluate(element("#forward") + ".disabled").asBoolean());
    page.click("#list thead th:first-of-type button");
    awaitRows(100);
    assertTrue(names().startsWith("f249 f248 "), "a new order starts at its first page");
    page.click("#forward");
    awaitText("#range", "Filters 101 to 200 of 250");
    page.type("#search", "f11");
    awaitRows(10);
    assertFalse(page.evaluate(element("#pages") + ".checkVisibility()").asBoolean());
  }

  @Test
  void namesWithColonsAreATree() {
    for (var name :
        List.of(
            "a", "shop:eu:users", "shop:eu:orders", "shop:us:users", "crawl:x:1", "crawl:x:2")) {
      put(name);
    }
    Api.add("shop:eu:users", "1", "2");
    Api.add("shop:us:users", "1");
    redis.run("DEL", Api.fields("shop:us:users").getString("redisKey"));
    open("");
    awaitRows(6);
    page.click("#tree");
    awaitNames("a", "crawl:x:", "shop:");
    awaitText("[data-folder='shop:']", "3 filters");
    awaitText("[data-folder='shop:']", "1 not ready");
    page.click("[data-folder='shop:'] .folder");
    awaitNames("a", "crawl:x:", "shop:", "shop:eu:", "shop:us:users");
    page.click("[data-folder='shop:eu:'] .folder");
    awaitNames(
        "a", "crawl:x:", "shop:", "shop:eu:", "shop:eu:orders", "shop:eu:users", "shop:us:users");
    assertAccessible("tree");
    page.resize(360, 800);
    assertTrue(page.evaluate("document.documentElement.scrollWidth").asInt() <= 360);
    page.click("[data-folder='shop:'] .folder");
    awaitNames("a", "crawl:x:", "shop:");
    page.type("#search", "users");
    awaitNames("shop:", "shop:eu:users", "shop:us:users");
    page.click("[data-name='shop:eu:users'] a");
    awaitShown("shop:eu:users");
  }

  @Test
  void chosenFiltersExpireAndAreDeletedTogether() {
    for (var name : List.of("a:1", "a:2", "a:3", "b")) {
      put(name);
    }
    open("");
    awaitRows(4);
    page.click("#choose");
    awaitText("#chosen-count", "0 filters chosen");
    assertTrue(page.evaluate(element("#chosen-delete") + ".disabled").asBoolean());
    page.click("[data-name='a:1'] .choose input");
    page.click("[data-name='b'] .choose input");
    awaitText("#chosen-count", "2 filters chosen");
    assertAccessible("chosen filters");
    ask("#chosen-expire", "2 filters");
    awaitText("#confirm-text", "a:1, b");
    var line = curl("#confirm-curl");
    assertTrue(line.contains("/v1/filters/a%3A1/expiry' 'http"), line);
    page.type("#ask-ttl", "2");
    yes();
    awaitText("#chosen #outcome", "2 filters: the expiry was set");
    Api.describe("b").body("expiresAt", notNullValue());
    Api.describe("a:2").body("expiresAt", nullValue());

    page.click("#tree");
    page.await(element("[data-folder='a:'] .choose input"));
    page.click("[data-folder='a:'] .choose input");
    awaitText("#chosen-count", "3 filters chosen");
    page.await(
        element("[data-folder='a:'] .choose input")
            + ".checked && "
            + element("#chosen .choose input")
            + ".indeterminate");
    // One that is gone does not stop the others.
    Api.raw().delete(Api.FILTERS + "a:2").then().statusCode(204);
    confirm("#chosen-delete", "filters");
    awaitText("#chosen #outcome", "deleted");
    awaitNames("b");
    for (var name : List.of("a:1", "a:2", "a:3")) {
      Api.describe(name).statusCode(404);
    }
    awaitText("#chosen-count", "0 filters chosen");
    page.click("#choose");
    page.await("!" + element("#chosen"));
    page.takeComplaints();
  }

  @Test
  void theListBeginsNearTheTopOfAPhone() {
    put("a");
    open("");
    awaitRows(1);
    awaitText("#totals", "Tested/s");
    var totals = element("#totals") + ".getBoundingClientRect().height";
    assertTrue(page.evaluate(totals).asInt() < 30, "the totals are one line");
    page.resize(360, 800);
    var top = page.evaluate(element("#rows tr") + ".getBoundingClientRect().top").asInt();
    // The Redis of this test may have settings that the page warns of.
    var warnings = page.evaluate(element("#warnings") + ".getBoundingClientRect().height").asInt();
    assertTrue(top - warnings < 250, top + " pixels, " + warnings + " of them warnings");
  }

  /**
   * The list counts new elements up to a minute late, so their pace is the one between two counts.
   */
  @Test
  void thePaceIsMeasuredBetweenTwoCounts() {
    page.evaluate(
        """
        window.paces = [];
        import('/console/pace.js').then(({ notePaces, paceOf }) => {
          for (const [seconds, insertions] of [[0, 500], [5, 800], [65, 6800], [66, 6800], [200, 6800], [500, 7400], [501, 0]]) {
            const filter = { name: 'f', createdAt: 'x', figures: { insertions } };
            notePaces([filter], 1000 * seconds);
            window.paces.push(paceOf(filter));
          }
          window.isDone = true;
        });
        undefined""");
    page.await("window.isDone");
    assertEquals(
        "[null,null,100,100,0,10,null]", page.evaluate("JSON.stringify(window.paces)").asText());
  }
}
