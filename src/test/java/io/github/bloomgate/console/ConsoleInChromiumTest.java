package io.github.bloomgate.console;

import static io.github.bloomgate.support.Chromium.element;
import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.http.Api;
import io.github.bloomgate.support.Chromium;
import io.github.bloomgate.support.RawRedis;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.io.TempDirFactory;

/** The console in a browser: numbers as people write them, the list, and what does not answer. */
@QuarkusTest
@Tag("faults")
class ConsoleInChromiumTest {

  /** A browser from a snap sees no files in the folder for temporary ones. */
  static class InTarget implements TempDirFactory {
    @Override
    public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext context)
        throws IOException {
      return Files.createTempDirectory(Files.createDirectories(Path.of("target")), "chromium-");
    }
  }

  private static final String REQUESTS =
      "performance.getEntriesByType('resource').filter(r => r.name.includes('/v1/'))";

  @Inject RawRedis redis;

  @TempDir(factory = InTarget.class)
  private static Path folder;

  private static Chromium page;

  @BeforeAll
  static void start() throws Exception {
    page = Chromium.start(folder);
  }

  @BeforeEach
  void openThePage() {
    page.forgetComplaints();
    page.resize(1280, 900);
    openAnew("");
    page.await(element("#empty:not([hidden]), #rows a"));
  }

  /** Another hash alone would not load the page again. */
  private static void openAnew(String hash) {
    page.open("about:blank");
    page.open("http://localhost:" + RestAssured.port + "/" + hash);
    page.await("document.readyState === 'complete' && " + element("#rows"));
  }

  @AfterAll
  static void close() {
    if (page != null) {
      page.close();
    }
  }

  /** What was written, and what the page shows beside the field before anything is sent. */
  @Test
  void numbersAreUnderstoodAsPeopleWriteThem() {
    page.click("#new");
    var counts =
        Map.ofEntries(
            Map.entry("1.5M", "1,500,000 elements"),
            Map.entry("1,5M", "1,500,000 elements"),
            Map.entry("1,500,000", "1,500,000 elements"),
            Map.entry("1.500.000", "1,500,000 elements"),
            Map.entry("1 500 000", "1,500,000 elements"),
            Map.entry("1_500_000", "1,500,000 elements"),
            Map.entry("1.5e6", "1,500,000 elements"),
            Map.entry("1e6", "1,000,000 elements"),
            Map.entry("1,500", "1,500 elements"),
            Map.entry("1,500.5k", "1,500,500 elements"),
            Map.entry("50k", "50,000 elements"),
            Map.entry(" 7 ", "7 elements"));
    var rates =
        Map.of(
            "0.1%", "0.1 %: 1 in 1,000",
            "0,1 %", "0.1 %: 1 in 1,000",
            "0,001", "0.1 %: 1 in 1,000",
            "1e-3", "0.1 %: 1 in 1,000",
            "1 in 1000", "0.1 %: 1 in 1,000",
            "1%", "1 %: 1 in 100",
            "5‰", "0.5 %: 1 in 200");
    assertAll(
        () -> counts.forEach((text, understood) -> assertUnderstood("expected", text, understood)),
        () -> rates.forEach((text, understood) -> assertUnderstood("rate", text, understood)),
        () -> assertUnderstood("ttl", "1,5", "Vanishes in 2 days"),
        () -> assertUnderstood("ttl", "", "Never vanishes"));
  }

  private void assertUnderstood(String field, String text, String understood) {
    page.type("#" + field, text);
    var hint = page.text("#" + field + "-hint");
    assertTrue(hint.startsWith(understood), text + ": " + hint);
    assertEquals("false", attribute(field, "aria-invalid"), text);
  }

  @Test
  void whatIsNoNumberIsRefusedInPlaceAndNothingIsSent() {
    page.click("#new");
    page.type("#name", Api.newName());
    var wrong =
        Map.of(
            "expected",
            List.of(
                "",
                "many",
                "1.500",
                "1,500M",
                "1,50,000",
                "1500,000",
                "0",
                "-5",
                "1.5",
                "1 2",
                "1e30"),
            "rate",
            List.of("", "0", "1", "2", "100%", "-0.1", "1 in 0", "often", "0.1 0.2"),
            "ttl",
            List.of("soon", "0", "-1"));
    wrong.forEach(
        (field, texts) -> {
          var before = page.evaluate(element("#" + field) + ".value").asText();
          for (var text : texts) {
            page.type("#" + field, text);
            assertEquals("true", attribute(field, "aria-invalid"), field + " " + text);
            assertFalse(page.text("#" + field + "-hint").isBlank(), text);
            page.click("#create button[type=submit]");
            page.await("document.activeElement.id === '" + field + "'");
          }
          page.type("#" + field, before);
          assertEquals("false", attribute(field, "aria-invalid"), field);
        });
    assertEquals(
        0,
        page.evaluate(REQUESTS + ".filter(r => r.name.includes('/v1/filters/')).length").asInt());
    assertTrue(page.evaluate(element("#problem") + ".hidden").asBoolean());
  }

  @Test
  void aFilterIsCreatedAsItWasUnderstood() {
    var name = Api.newName();
    page.click("#new");
    page.type("#name", name);
    page.type("#expected", "1.5M");
    page.type("#rate", "0,1 %");
    page.type("#ttl", "1,5");
    page.click("#create button[type=submit]");
    page.await(element("#described-heading") + ".textContent === '" + name + "'");
    var made = Api.describe(name).jsonPath();
    assertEquals(1_500_000, made.getInt("expectedInsertions"));
    assertEquals(0.001, made.getDouble("falsePositiveProbability"), 1e-9);
    assertFalse(made.getString("expiresAt").isEmpty());
    assertEquals(List.of(), page.complaints());
  }

  /** The formulas of the page are those of the service: the plot would else show another filter. */
  @Test
  void theSizingPlotMovesWithWhatIsTyped() {
    page.click("#new");
    for (var text : List.of("1,000", "20k", "5M", "300M")) {
      for (var rate : List.of("5%", "1 in 1000", "1e-6")) {
        page.type("#expected", text);
        page.type("#rate", rate);
        page.await(
            element("#sizing dd")
                + " && "
                + element("#sizes-text")
                + ".textContent.startsWith("
                + element("#expected-hint")
                + ".textContent) && "
                + element("#sizes-text")
                + ".textContent.includes(' take ' + "
                + element("#sizing dd")
                + ".textContent + ',')");
        assertDrawn("sizes");
      }
    }
    assertEquals(2, page.evaluate("document.querySelectorAll('#others dt').length").asInt());
    page.type("#rate", "often");
    page.await(element("#sizing-plot") + ".hidden");
    assertEquals(List.of(), page.complaints());
  }

  @Test
  void theFilterIsPlottedAndToldInWords() {
    var name = Api.newName();
    create(name, "{\"expectedInsertions\": 100}");
    show(name);
    page.await(
        element("#curve-text") + ".textContent.startsWith('Now, with about 0 elements, none')");
    var words = page.text("#promise");
    assertTrue(words.contains("Made for 100 elements."), words);
    assertTrue(words.contains("1 in 100 is let through by mistake"), words);
    assertDrawn("curve");
    assertDrawn("past");
    Api.add(name, IntStream.range(0, 100).mapToObj(n -> "e" + n).toArray(String[]::new));
    page.await(element("#curve-text") + ".textContent.includes('With 100 it is about 1 in')");
    page.await(element("#past-text") + ".textContent.includes('went from 0 %')");
    assertEquals(
        page.text("#curve-text"), attribute("curve", "aria-label"), "for who does not see it");
    assertEquals(List.of(), page.complaints());
  }

  private static void show(String name) {
    page.evaluate("location.hash = '#/" + name + "'");
    page.await(element("#described-heading") + ".textContent === '" + name + "'");
  }

  /** Not all of the canvas is of one colour. */
  private static void assertDrawn(String canvas) {
    page.await(
        "(c => c.width > 0 && new Set(new Uint32Array(c.getContext('2d')"
            + ".getImageData(0, 0, c.width, c.height).data.buffer)).size > 3)("
            + element("#" + canvas)
            + ")");
  }

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
    redis.run("DEL", "bloom:{" + prefix + ".6damaged}:bits");
    create(prefix + ".7ready", "{\"expectedInsertions\": 4}");
    Api.add(prefix + ".7ready", "a");

    page.type("#prefix", prefix);
    page.click("#search button");
    page.await("document.querySelectorAll('#rows a').length === 7");
    awaitRow(prefix + ".1full", "full, refuses");
    awaitRow(prefix + ".2over", "rate above promise");
    awaitRow(prefix + ".3soon", "vanishes in 2 hours");
    awaitRow(prefix + ".4rebuild", "rebuild open");
    awaitRow(prefix + ".5source", "source failed");
    awaitRow(prefix + ".6damaged", "damaged");
    awaitRow(prefix + ".7ready", "25 % of 4 elements");
    awaitRow(prefix + ".7ready", "promised 1 in 100");

    var orders =
        Map.of(
            "trouble", "2over",
            "fullness", "2over",
            "memory", "3soon",
            "deadline", "3soon",
            "name", "1full");
    orders.forEach(
        (order, first) -> {
          page.pick("#sort", order);
          var name = page.evaluate("document.querySelector('#rows a').dataset.name").asText();
          assertEquals(prefix + "." + first, name, order);
        });

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
    page.pick("#page-size", "50");
    page.await(element("#totals") + ".innerText.includes('left')");
    page.await("/added\\n[\\d.,]+ tested/.test(" + element("#totals") + ".innerText)");
    assertEquals(List.of(), page.complaints());
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
      openAnew("");
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

  @Test
  void aMessageStaysUntilItIsDismissedThoughThePageIsKeptUpToDate() {
    var name = Api.newFilter();
    show(name);
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
    show(name);
    Api.raw().delete(Api.FILTERS + name).then().statusCode(204);
    page.await(element("#state") + ".textContent === 'gone'");
    page.await("!" + element("#rows a[data-name=\"" + name + "\"]"));
    Api.put(name, "{\"expectedInsertions\": 7}").then().statusCode(201);
    page.await(element("#summary") + ".textContent.includes('room for 7')");
    page.await(element("#state") + ".textContent === 'ready'");
    page.await("!" + element("#ask") + ".hidden");
  }

  @Test
  void aLostConnectionIsToldAndRecoversByItself() {
    var name = Api.newFilter();
    show(name);
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
    show(name);
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
    openAnew("#/" + name);
    page.await("!" + element("#connection") + ".hidden");
    assertTrue(page.evaluate(element("#problem") + ".hidden").asBoolean());
    signal("CONT", process);
    page.await(element("#described-heading") + ".textContent === '" + name + "'");
    page.await("!" + element("#described") + ".hidden");
  }

  private static void signal(String signal, String process) throws Exception {
    assertEquals(0, new ProcessBuilder("kill", "-" + signal, process).start().waitFor());
  }

  /** In all widths and both themes nothing is cut off or overlaps the edge. */
  @Test
  void nothingIsWiderThanTheWindow() throws Exception {
    var name = Api.newFilter();
    Api.add(name, "a", "b");
    var shots = Path.of("target", "console-shots");
    Files.createDirectories(shots);
    for (var dark : List.of(false, true)) {
      page.dark(dark);
      for (var width : List.of(320, 1280)) {
        page.resize(width, 1000);
        for (var hash : List.of("", "#/" + name)) {
          page.evaluate("location.hash = '" + hash + "'");
          page.await(
              hash.isEmpty()
                  ? "!" + element("#welcome") + ".hidden"
                  : element("#described-heading") + ".textContent === '" + name + "'");
          assertFits(width);
          page.screenshot(
              shots.resolve((hash.isEmpty() ? "list" : "filter") + width + dark + ".png"));
        }
        page.click("#new");
        page.type("#expected", "1.500");
        assertFits(width);
        page.screenshot(shots.resolve("create" + width + dark + ".png"));
        page.type("#expected", "1.5M");
        page.click("#create [data-cancel]");
      }
    }
    assertEquals(List.of(), page.complaints());
  }

  private void assertFits(int width) {
    var wide = page.evaluate("document.documentElement.scrollWidth").asInt();
    assertTrue(wide <= width, wide + " > " + width);
  }

  private String attribute(String id, String attribute) {
    return page.evaluate(element("#" + id) + ".getAttribute('" + attribute + "')").asText();
  }
}
