package io.github.bloomgate.console;

import static io.github.bloomgate.support.Chromium.element;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.http.Api;
import io.github.bloomgate.support.Following;
import io.github.bloomgate.support.RawRedis;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Checks every view of the console in a browser for accessibility and layout, and draws the
 * pictures of the docs.
 */
@QuarkusTest
class ConsoleViewsInChromiumTest extends ConsoleInChromium {

  /** {@code -Dtest.write-images=true} draws the pictures of the docs again. */
  private static final Path IMAGES = Path.of("docs", "images");

  private static final String FORGETTING =
      "{\"expectedInsertions\": 2000, \"window\": {\"insertions\": 2000}}";
  private static final String COUNTING = "{\"expectedInsertions\": 2000, \"counting\": true}";

  @Inject RawRedis redis;

  @Test
  void everyViewIsAccessibleInBothThemesAndFitsTheWindow() throws Exception {
    var name = Api.newFilter("{\"expectedInsertions\": 1000, \"ttlSeconds\": 9000}");
    Api.add(name, "a", "b");
    Api.post(name, "rebuild", "{}").statusCode(201);
    var growing = Api.newFilter("{\"expectedInsertions\": 2, \"whenFull\": \"grow\"}");
    Api.add(growing, "a", "b", "c", "d");
    var forgetting = Api.newFilter(FORGETTING);
    Api.add(forgetting, "a", "b");
    var counting = Api.newFilter(COUNTING);
    Api.add(counting, "a", "b");
    try (var follower = Following.of(name)) {
      follower.awaitFrames();
      assertViews(name, growing, forgetting, counting);
    }
    // The refused rename logs an error in the browser, as intended.
    assertComplaints(3);
  }

  private static void assertViews(String name, String growing, String forgetting, String counting) {
    // Contrast only depends on the theme, and layout on the width.
    for (var dark : List.of(false, true)) {
      page.dark(dark);
      for (var width : dark ? List.of(1280) : List.of(360, 2560)) {
        page.resize(width, 900);
        search(name);
        page.await(
            element("#totals dt") + " && document.querySelectorAll('#rows tr').length === 1");
        assertView("list", width);
        show(growing);
        awaitText("#layers", "Layer 2");
        assertView("growing filter", width);
        show(forgetting);
        awaitText("#slices", "newest");
        assertView("window filter", width);
        show(counting);
        awaitText("#counters", "Counters at maximum");
        assertView("counting filter", width);
        show(name);
        awaitText("#curve-text", "Now");
        awaitText("#figures", "1 follower");
        assertView("filter", width);
        show(name, "elements");
        send("test", "a");
        awaitText("#answers", "1 of 1");
        assertView("elements", width);
        show(name, "load");
        assertView("load", width);
        show(name, "rebuild");
        assertView("rebuild", width);
        show(name, "settings");
        assertView("settings", width);
        page.click("#rename");
        page.await(element("#confirm") + ".open");
        page.type("#ask-to", forgetting);
        page.click("#confirm-yes");
        awaitText("#confirm #outcome", "exists");
        assertView("dialog", width);
        page.click("#confirm-no");
        go("#test?filter=" + name + "&filter=" + counting);
        page.await("document.activeElement.id === 'text'");
        page.type("#text", "a");
        page.click("#several button[type=submit]");
        awaitText("#several-answers", "1 in all of them");
        assertView("several", width);
        go("#new");
        awaitText("#sizes-text", "1,000,000 elements");
        assertView("new", width);
        page.click("#kind-grows");
        awaitText("#sizes-text", "It starts with");
        page.type("#most-bytes", "much");
        awaitText("#sizing-old", "last valid values");
        assertView("new, grows, not understood", width);
        page.click("#kind-forgets");
        awaitText("#sizing", "without a window");
        assertView("new, forgets", width);
        page.click("#kind-library");
        page.await(element("#redis-key"));
        assertView("new, library", width);
      }
    }
  }

  private static void assertView(String view, int width) {
    var wide = page.evaluate("document.documentElement.scrollWidth").asInt();
    assertTrue(wide <= width, view + ": " + wide + " > " + width);
    assertAccessible(view + " " + width);
  }

  @Test
  void thousandsOfFiltersArePaged() {
    var prefix = Api.newName();
    createCopies(prefix, 3_000);
    Api.add(prefix + ".02777", "a", "b");
    page.resize(1280, 1000);
    page.await("!" + element("#pages") + ".hidden");
    page.type("#search", prefix);
    // The search no longer uses the character that was typed before.
    page.type("#search", prefix + ".");
    page.await(REQUESTS + ".some(r => r.name.includes('prefix=" + prefix + ".&'))");
    for (var shown = 100; shown <= 1_000; shown += 100) {
      page.await(element("#range") + ".textContent.replace(/\\D/g, '').endsWith('" + shown + "')");
      page.click("#forward");
    }
    page.await(element("#range") + ".textContent === 'Filters 1,001 to 1,100'");
    assertEquals(
        prefix + ".01099",
        page.evaluate("[...document.querySelectorAll('#rows tr')].at(-1).dataset.name").asText());
    page.click("#back");
    page.await(element("#range") + ".textContent === 'Filters 901 to 1,000'");
    page.click("#first");
    page.await(element("#range") + ".textContent === 'Filters 1 to 100'");
    page.await(element("#first") + ".disabled");
    page.type("#search", prefix + ".0277");
    awaitRows(10);
    awaitText("#rows [data-name=\"" + prefix + ".02777\"]", "2 of 10");
    page.await("/^\\d[,.]/.test(" + element("#totals dd") + ".textContent)");
    redis.run("FLUSHALL");
  }

  /**
   * Creates one filter with a request and copies its keys, because requests would take a minute.
   */
  private void createCopies(String prefix, int count) {
    create(prefix + ".00000", "{\"expectedInsertions\": 10}", 0);
    redis.run(
        "EVAL",
        """
        for i = 1, ARGV[2] - 1 do
          local name = string.format('%s.%05d', ARGV[1], i)
          redis.call('COPY', 'bloom:{' .. ARGV[1] .. '.00000}', 'bloom:{' .. name .. '}')
          redis.call('ZADD', KEYS[1], 0, name)
        end
        """,
        1,
        "bloom:{=names}",
        prefix,
        count);
  }

  @EnabledIfSystemProperty(named = "test.write-images", matches = "true")
  @Test
  void picturesForTheDocsAreDrawn() throws IOException {
    redis.run("FLUSHALL");
    page.hideScrollbars();
    create("crawled-urls", "{\"expectedInsertions\": 20000}", 12_500);
    create("coupons-redeemed", "{\"expectedInsertions\": 500, \"whenFull\": \"reject\"}", 500);
    create("mails-sent", "{\"expectedInsertions\": 50000, \"ttlSeconds\": 864000}", 21_000);
    create("blocked-ips", "{\"expectedInsertions\": 1000}", 1_900);
    create("visitors", "{\"expectedInsertions\": 5000, \"whenFull\": \"grow\"}", 60_000);
    create("alerts-sent", FORGETTING, 3_000);
    create("signed-in", COUNTING, 1_400);
    create(
        "leaked-passwords",
        "{\"expectedInsertions\": 3000000, \"falsePositiveProbability\": 0.001}",
        1_200_000);
    Api.post("leaked-passwords", "rebuild", "{}").statusCode(201);
    for (var dark : List.of(false, true)) {
      var theme = dark ? "dark" : "light";
      page.dark(dark);
      page.resize(1280, 420);
      open("");
      awaitRows(8);
      page.await("/Tested\\/s\\s+\\d/.test(" + element("#totals") + ".innerText)");
      page.screenshotOfWindow(IMAGES.resolve("console-overview-" + theme + ".png"));
      page.resize(1280, 840);
      show("crawled-urls");
      awaitText("#curve-text", "Now");
      var looks = 5;
      for (var look = 0; look < looks; look++) {
        add("crawled-urls", theme, look * 400, 400);
        var insertions = Api.fields("crawled-urls").getLong("insertions");
        page.await(
            element("#figures") + ".innerText.replace(/[.,]/g, '').includes('" + insertions + "')");
      }
      page.screenshotOfWindow(IMAGES.resolve("console-filter-" + theme + ".png"));
      page.resize(1280, 640);
      show("alerts-sent");
      awaitText("#slices", "newest");
      page.screenshotOfWindow(IMAGES.resolve("console-window-" + theme + ".png"));
      page.resize(1280, 440);
      show("signed-in");
      awaitText("#counters", "none");
      page.screenshotOfWindow(IMAGES.resolve("console-counting-" + theme + ".png"));
      page.resize(1280, 860);
      go("#new");
      awaitDrawn("curve");
      awaitDrawn("sizes");
      page.type("#name", "visitors");
      page.screenshotOfWindow(IMAGES.resolve("console-new-" + theme + ".png"));
      page.click("#kind-grows");
      page.type("#most-bytes", "100 MiB");
      awaitText("#sizes-text", "It is full at");
      page.screenshotOfWindow(IMAGES.resolve("console-grow-" + theme + ".png"));
    }
    redis.run("FLUSHALL");
  }

  private static void create(String name, String body, int elements) {
    Api.put(name, body).statusCode(201);
    if (elements > 0) {
      add(name, "e", 0, elements);
    }
  }

  private static void add(String name, String word, int first, int count) {
    var lines =
        IntStream.range(first, first + count)
            .mapToObj(n -> word + n)
            .collect(Collectors.joining("\n"));
    Api.lines("text/plain", lines).post(Api.FILTERS + name + "/add").then().statusCode(200);
  }
}
