package io.github.bloomgate.console;

import static io.github.bloomgate.support.Chromium.element;
import static io.restassured.RestAssured.get;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.http.Api;
import io.github.bloomgate.support.RawRedis;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The list of filters in the console in a browser: the details of each filter, and paging. */
@QuarkusTest
class ConsoleListInChromiumTest extends ConsoleInChromium {

  @Inject RawRedis redis;

  /**
   * With over 1,000 filters, which other tests may leave, the list is searched by the start of
   * names.
   */
  @BeforeEach
  void beginWithoutFilters() {
    redis.run("FLUSHALL");
    open("");
  }

  @Test
  void theListShowsTheCondition() {
    var prefix = Api.newName();
    create(prefix + ".1full", "{\"expectedInsertions\": 3, \"whenFull\": \"reject\"}");
    Api.add(prefix + ".1full", "a", "b", "c");
    create(prefix + ".2over", "{\"expectedInsertions\": 2}");
    Api.add(prefix + ".2over", "a", "b", "c", "d", "e", "f");
    create(prefix + ".3soon", "{\"expectedInsertions\": 1000, \"ttlSeconds\": 7000}");
    create(prefix + ".4rebuild", "{\"expectedInsertions\": 1000}");
    Api.post(prefix + ".4rebuild", "rebuild", "{}").statusCode(201);
    create(prefix + ".5source", "{\"expectedInsertions\": 1000}");
    Api.source(prefix + ".5source", Map.of("redisKey", "nothing:" + prefix)).statusCode(200);
    Api.raw().post(Api.FILTERS + prefix + ".5source/rebuild/run?wait=true");
    create(prefix + ".6damaged", "{\"expectedInsertions\": 1000}");
    Api.add(prefix + ".6damaged", "a").statusCode(200);
    redis.run("DEL", Api.fields(prefix + ".6damaged").getString("redisKey"));
    create(prefix + ".7ready", "{\"expectedInsertions\": 4, \"counting\": true}");
    Api.add(prefix + ".7ready", "a");

    search(prefix.substring(5).toUpperCase(Locale.ROOT));
    awaitRows(7);
    awaitRow(prefix + ".1full", "full");
    awaitRow(prefix + ".2over", "above target");
    awaitRow(prefix + ".2over", "over capacity");
    awaitRow(prefix + ".3soon", "expires in 2 hours");
    awaitRow(prefix + ".4rebuild", "rebuilding, 0 %");
    awaitRow(prefix + ".5source", "source failed");
    awaitRow(prefix + ".6damaged", "damaged");
    awaitRow(prefix + ".7ready", "1 of 4");
    awaitRow(prefix + ".7ready", "counting");
    awaitRow(prefix + ".7ready", "target 1 %");

    var firstByTitle =
        List.of("1full", "1full", "2over", "2over", "1full", "3soon", "3soon", "6damaged");
    for (var title = firstByTitle.size(); title > 0; title--) {
      sortBy(title);
      awaitFirst(prefix + "." + firstByTitle.get(title - 1));
    }
    sortBy(1);
    awaitFirst(prefix + ".7ready");
    assertEquals("descending", page.evaluate(element("#list th") + ".ariaSort").asText());
    sortBy(1);
    awaitFirst(prefix + ".1full");

    // Loading a rebuild shows its progress.
    Api.post(prefix + ".4rebuild", "rebuild/add", "{\"elements\": [\"a\", \"b\", \"c\"]}")
        .statusCode(200);
    awaitRow(prefix + ".4rebuild", "rebuilding, 0.3 %");

    // It updates without a click, and the focused row keeps the focus.
    var row = "#rows [data-name=\"" + prefix + ".7ready\"] a";
    page.evaluate(element(row) + ".focus()");
    Api.add(prefix + ".7ready", "b", "c");
    awaitRow(prefix + ".7ready", "3 of 4");
    assertTrue(page.evaluate("document.activeElement === " + element(row)).asBoolean());
  }

  /**
   * The figures of a large filter with a library's scheme are unknown, even if it is not adopted.
   */
  @Test
  void filtersOfOtherLibrariesAreShownAsSuch() {
    var prefix = Api.newName();
    create(prefix + ".1small", "{\"hashScheme\": \"guava-mitz-64\", \"expectedInsertions\": 1000}");
    create(
        prefix + ".2large", "{\"hashScheme\": \"guava-mitz-64\", \"expectedInsertions\": 3000000}");
    create(
        prefix + ".3adopted",
        "{\"hashScheme\": \"go-zero\", \"bitSize\": 2000, \"redisKey\": \"" + prefix + "\"}");
    create(prefix + ".4own", "{\"expectedInsertions\": 1000}");
    search(prefix);
    awaitRow(prefix + ".1small", "other library");
    awaitRow(prefix + ".2large", "other library");
    awaitRow(prefix + ".3adopted", "other library");
    awaitRow(prefix + ".4own", "fixed size");
  }

  /** A screen of 900 pixels shows 25 rows with right-aligned numbers. */
  @Test
  void theListIsDense() {
    var prefix = Api.newName();
    IntStream.range(0, 40)
        .forEach(n -> create(prefix + ".%02d".formatted(n), "{\"expectedInsertions\": 10}"));
    search(prefix);
    awaitRows(40);
    var inView =
        "[...document.querySelectorAll('#rows tr')]"
            + ".filter(row => row.getBoundingClientRect().bottom <= innerHeight).length";
    assertTrue(page.evaluate(inView).asInt() >= 25, page.evaluate(inView).asText());
    for (var cell : List.of("figures-cell", "rate", "pace", "size", "expiry")) {
      var style = "getComputedStyle(" + element("#rows ." + cell) + ")";
      assertEquals("right", page.evaluate(style + ".textAlign").asText(), cell);
      assertEquals("tabular-nums", page.evaluate(style + ".fontVariantNumeric").asText(), cell);
    }
    // The whole row is a link.
    page.await(
        "(r => document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2).closest('a'))("
            + element("#rows .size")
            + ".getBoundingClientRect())");
    page.await(element("#totals") + ".innerText.includes('left')");
    page.await("/Added\\/s\\s+[\\d.,]+/.test(" + element("#totals") + ".innerText)");
    page.type("#search", prefix + ".no");
    awaitText("#empty", "No filter name contains");
  }

  private void sortBy(int title) {
    page.click("#list thead th:nth-child(" + title + ") button");
  }

  private void awaitFirst(String name) {
    page.await(element("#rows tr") + ".dataset.name === '" + name + "'");
  }

  /** On a service without filters, each of the three steps can be done in place. */
  @Test
  void anEmptyServiceShowsTheFirstSteps() {
    var name = Api.newName();
    page.type("#first-name", name);
    assertTrue(page.evaluate(element("#first-element") + ".disabled").asBoolean());
    page.click("#first-create button");
    awaitText("#first-create", name + " was created");
    page.await("document.activeElement.id === 'first-element'");
    // The figures of the list may be a minute old.
    page.evaluate(
        """
        const real = window.fetch;
        window.fetch = async (url, options) => {
          const answer = await real(url, options);
          return url.pathname === '/v1/filters' && answer.status === 200
            ? new Response((await answer.text()).replace(/(insertions|approximateElementCount)":\\d+/g, '$1":0'), answer)
            : answer;
        };
        undefined""");
    page.type("#first-element", "bob");
    page.click("#first-add button");
    awaitText("#first-add", "“bob” was added");
    page.await("document.activeElement.id === 'first-test'");
    awaitRow(name, "1 of 100,000");
    page.type("#first-test", "bob");
    page.click("#first-ask button");
    awaitText("#first-ask", "Maybe: “bob”");
    page.type("#first-test", "carol");
    page.click("#first-ask button");
    awaitText("#first-ask", "Certainly not: “carol”");
    assertAccessible("first steps");
    Api.test(name, "bob").body("mightContainCount", equalTo(1));
    page.click("#first-create a");
    awaitShown(name);
    page.await("document.title === '" + name + " · Bloomgate'");
    list();
    page.await("!" + element("#first-steps"));
  }

  @Test
  void warningsAboutRedisAreShown() {
    redis.run("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
    try {
      get("/q/health/ready").then().statusCode(200);
      open("");
      page.await("!" + element("#warnings") + ".hidden");
      assertTrue(page.text("#warnings").contains("maxmemory-policy is allkeys-lru"));
      assertAccessible("warnings");
    } finally {
      redis.run("CONFIG", "SET", "maxmemory-policy", "noeviction");
      get("/q/health/ready").then().statusCode(200);
    }
  }

  private static void create(String name, String body) {
    Api.put(name, body).statusCode(201);
  }

  private void awaitRow(String name, String text) {
    awaitText("#rows [data-name=\"" + name + "\"]", text);
  }
}
