package io.github.bloomgate.console;

import static io.github.bloomgate.support.Chromium.element;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.http.Api;
import io.github.bloomgate.support.Chromium;
import io.github.bloomgate.support.RawRedis;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The list of the console in a browser: what it tells of each filter, and its pages. */
@QuarkusTest
class ConsoleListInChromiumTest extends ConsoleInChromium {

  @Inject RawRedis redis;

  @Test
  void theListTellsWhatMatters() {
    var prefix = Api.newName();
    create(prefix + ".1full", "{\"expectedInsertions\": 3, \"whenFull\": \"reject\"}");
    Api.add(prefix + ".1full", "a", "b", "c");
    create(prefix + ".2over", "{\"expectedInsertions\": 2}");
    Api.add(prefix + ".2over", "a", "b", "c", "d", "e", "f");
    create(prefix + ".3soon", "{\"expectedInsertions\": 1000, \"ttlSeconds\": 7000}");
    create(prefix + ".4rebuild", "{\"expectedInsertions\": 1000}");
    Api.post(prefix + ".4rebuild", "rebuild", "{}").then().statusCode(201);
    create(prefix + ".5source", "{\"expectedInsertions\": 1000}");
    Api.json(Map.of("redisKey", "nothing:" + prefix))
        .put(Api.FILTERS + prefix + ".5source/source")
        .then()
        .statusCode(200);
    Api.raw().post(Api.FILTERS + prefix + ".5source/rebuild/run?wait=true");
    create(prefix + ".6damaged", "{\"expectedInsertions\": 1000}");
    Api.add(prefix + ".6damaged", "a").statusCode(200);
    redis.run("DEL", Api.describe(prefix + ".6damaged").jsonPath().getString("redisKey"));
    create(prefix + ".7ready", "{\"expectedInsertions\": 4}");
    Api.add(prefix + ".7ready", "a");

    page.type("#prefix", prefix);
    page.click("#search button");
    page.await("document.querySelectorAll('#rows a').length === 7");
    awaitRow(prefix + ".1full", "full, refuses");
    awaitRow(prefix + ".2over", "rate above promise");
    awaitRow(prefix + ".3soon", "vanishes in 2 hours");
    awaitRow(prefix + ".4rebuild", "rebuild 0 %");
    awaitRow(prefix + ".5source", "source failed");
    awaitRow(prefix + ".6damaged", "damaged");
    awaitRow(prefix + ".7ready", "25 % of 4 elements");
    awaitRow(prefix + ".7ready", "promised 1 in 100");

    var firstByTitle = List.of("1full", "2over", "2over", "3soon", "3soon", "6damaged");
    for (var title = firstByTitle.size(); title > 0; title--) {
      sortBy(title);
      awaitFirst(prefix + "." + firstByTitle.get(title - 1));
    }

    // What is loaded into a rebuild shows how far it is.
    Api.post(prefix + ".4rebuild", "rebuild/add", "{\"elements\": [\"a\", \"b\", \"c\"]}")
        .then()
        .statusCode(200);
    awaitRow(prefix + ".4rebuild", "rebuild 0.3 %");

    // It moves by itself, and the row in focus stays so.
    var row = "#rows a[data-name=\"" + prefix + ".7ready\"]";
    page.evaluate(element(row) + ".focus()");
    Api.add(prefix + ".7ready", "b", "c");
    awaitRow(prefix + ".7ready", "75 % of 4 elements");
    assertTrue(page.evaluate("document.activeElement === " + element(row)).asBoolean());
    assertEquals(List.of(), page.complaints());
  }

  @Test
  void theListIsTurnedPageByPage() {
    var prefix = Api.newName();
    IntStream.range(0, 60)
        .forEach(n -> create(prefix + ".%02d".formatted(n), "{\"expectedInsertions\": 10}"));
    page.type("#prefix", prefix);
    page.click("#search button");
    awaitPage("Filters 1 to 50", prefix + ".00", 50);
    page.pick("#page-size", "25");
    awaitPage("Filters 1 to 25", prefix + ".00", 25);
    page.click("#forward");
    awaitPage("Filters 26 to 50", prefix + ".25", 25);
    page.click("#forward");
    awaitPage("Filters 51 to 60", prefix + ".50", 10);
    assertTrue(page.evaluate(element("#forward") + ".disabled").asBoolean());
    page.click("#back");
    awaitPage("Filters 26 to 50", prefix + ".25", 25);
    page.click("#first");
    awaitPage("Filters 1 to 25", prefix + ".00", 25);
    // Only the rows of the page are sorted, and it stays the same page.
    page.click("#forward");
    awaitPage("Filters 26 to 50", prefix + ".25", 25);
    Api.add(prefix + ".57", "a", "b", "c");
    Api.add(prefix + ".33", "a");
    sortBy(2);
    awaitPage("Filters 26 to 50", prefix + ".33", 25);
    sortBy(1);
    awaitPage("Filters 26 to 50", prefix + ".25", 25);
    page.click("#first");
    page.pick("#page-size", "50");
    page.await(element("#totals") + ".innerText.includes('left')");
    page.await("/added\\n[\\d.,]+ tested/.test(" + element("#totals") + ".innerText)");
    assertEquals(List.of(), page.complaints());
  }

  private void sortBy(int title) {
    page.click(".titles button:nth-child(" + title + ")");
  }

  private void awaitFirst(String name) {
    page.await(element("#rows a") + ".dataset.name === '" + name + "'");
  }

  private static void awaitPage(String range, String first, int count) {
    page.await(
        element("#range")
            + ".textContent === '"
            + range
            + "' && document.querySelectorAll('#rows a').length === "
            + count
            + " && "
            + element("#rows a")
            + ".dataset.name === '"
            + first
            + "'");
  }

  @Test
  void whatReadinessWarnsOfIsTold() {
    redis.run("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
    try {
      ConsolePage.open(page, "");
      page.await("!" + element("#warnings") + ".hidden");
      assertTrue(page.text("#warnings").contains("maxmemory-policy is allkeys-lru"));
    } finally {
      redis.run("CONFIG", "SET", "maxmemory-policy", "noeviction");
    }
  }

  private static void create(String name, String body) {
    Api.put(name, body).then().statusCode(201);
  }

  private void awaitRow(String name, String text) {
    page.await(
        element("#rows a[data-name=\"" + name + "\"]")
            + ".innerText.includes("
            + Chromium.quoted(text)
            + ")");
  }
}
