package io.github.bloomgate.console;

import static io.github.bloomgate.support.Chromium.element;
import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.http.Api;
import io.github.bloomgate.support.Chromium;
import io.quarkus.test.junit.QuarkusTest;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The console in a browser: numbers as people write them, and what is made of them. */
@QuarkusTest
@Tag("faults")
class ConsoleInChromiumTest {

  private static final String REQUESTS =
      "performance.getEntriesByType('resource').filter(r => r.name.includes('/v1/'))";

  @TempDir(factory = ConsolePage.InTarget.class)
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
    ConsolePage.open(page, "");
    page.await(element("#empty:not([hidden]), #rows a"));
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
            List.of("soon", "0", "-1"),
            "factor",
            List.of("", "0", "1.5", "11", "twice"),
            "most-bytes",
            List.of("much", "0", "-1", "9 GiB", "1 TB", "1 KiB", "1.000"));
    page.pick("#when-full", "grow");
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
    ConsolePage.show(page, name);
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

  /** Not all of the canvas is of one colour. */
  private static void assertDrawn(String canvas) {
    page.await(
        "(c => c.width > 0 && new Set(new Uint32Array(c.getContext('2d')"
            + ".getImageData(0, 0, c.width, c.height).data.buffer)).size > 3)("
            + element("#" + canvas)
            + ")");
  }

  @Test
  void aFilterThatGrowsShowsItsLayersAndNoCurve() {
    var name = Api.newName();
    page.click("#new");
    page.type("#name", name);
    page.type("#expected", "100");
    page.pick("#when-full", "grow");
    page.type("#factor", "3");
    page.type("#most-bytes", "10 kB");
    ConsolePage.awaitText(page, "#most-bytes-hint", "10,000 bytes, 9.77 KiB");
    ConsolePage.awaitText(page, "#sizes-text", "It is full with 4,000 elements in 4 layers");
    assertDrawn("sizes");
    page.click("#create button[type=submit]");
    ConsolePage.awaitShown(page, name);
    var made = Api.describe(name).jsonPath();
    assertEquals(3, made.getInt("growthFactor"));
    assertEquals(10_000, made.getInt("maxSizeBytes"));
    Api.add(name, IntStream.range(0, 250).mapToObj(n -> "e" + n).toArray(String[]::new));
    ConsolePage.awaitText(page, "#figures", "Layer 2");
    ConsolePage.awaitText(page, "#promise", "it opens a further layer");
    assertFalse(page.has("#curve"));
    assertFalse(page.text("#summary").contains("above the promised"));
    assertEquals(List.of(), page.complaints());
  }

  @Test
  void aFilterThatForgetsShowsItsSlicesAndNoCurve() {
    var name = Api.newName();
    page.click("#new");
    page.type("#name", name);
    page.type("#expected", "1000");
    page.pick("#when-full", "reject");
    page.type("#window", "soon");
    ConsolePage.awaitText(page, "#window-hint", "This is not a number");
    page.type("#window", "2");
    ConsolePage.awaitText(page, "#window-hint", "remembered for 2 days to 2.25 days");
    ConsolePage.awaitText(page, "#sizing", "for 8 slices and one more");
    ConsolePage.awaitText(page, "#create-curl", "\"window\":{\"seconds\":172800}");
    page.click("#create button[type=submit]");
    ConsolePage.awaitShown(page, name);
    var made = Api.describe(name).jsonPath();
    assertEquals(172_800, made.getInt("window.seconds"));
    assertEquals("accept", made.getString("whenFull"));
    Api.add(name, "a", "b");
    ConsolePage.awaitText(page, "#figures", "Slice since");
    ConsolePage.awaitText(page, "#figures", "about 2 elements");
    ConsolePage.awaitText(page, "#summary", "Remembers about 2 elements");
    ConsolePage.awaitText(page, "#promise", "for at least 2 days, at most 2.25 days");
    assertFalse(page.has("#curve"));
    assertEquals(List.of(), page.complaints());
  }

  @Test
  void fromAFilterThatCountsElementsAreRemoved() {
    var name = Api.newName();
    page.click("#new");
    page.type("#name", name);
    page.type("#expected", "1000");
    page.pick("#when-full", "grow");
    page.pick("#counting", "yes");
    ConsolePage.awaitText(page, "#sizing", "as bits");
    ConsolePage.awaitText(page, "#create-curl", "\"whenFull\":\"accept\",\"counting\":true");
    page.click("#create button[type=submit]");
    ConsolePage.awaitShown(page, name);
    assertEquals(true, Api.describe(name).jsonPath().getBoolean("counting"));
    Api.add(name, "a", "a", "b");
    ConsolePage.awaitText(page, "#figures", "Additions less removals");
    ConsolePage.awaitText(page, "#figures", "none of them is full");
    ConsolePage.awaitText(page, "#promise", "Elements can be removed");
    page.type("#text", "a\nc");
    ConsolePage.awaitText(page, "#remove-curl", "/remove");
    page.click("#elements button[value=test]");
    ConsolePage.awaitText(page, "#answers", "maybe, 2 times at most");
    ConsolePage.awaitText(page, "#answers", "certainly not");
    page.click("#elements button[value=remove]");
    ConsolePage.awaitText(page, "#answers", "was not there");
    ConsolePage.awaitText(page, "#answers", "1 of 2 were removed");
    assertEquals(2, Api.describe(name).jsonPath().getInt("insertions"));
    assertEquals(List.of(), page.complaints());
  }

  /** What the plot of a new filter shows is what becomes of one. */
  @Test
  void thePlotOfAFilterThatGrowsHasTheLayersThatTheServiceMakes() {
    var name = Api.newName();
    create(
        name,
        "{\"expectedInsertions\": 100, \"falsePositiveProbability\": 0.001,"
            + " \"whenFull\": \"grow\", \"growthFactor\": 4, \"maxSizeBytes\": 50000}");
    Api.lines(
            "text/plain",
            IntStream.range(0, 20_000).mapToObj(n -> "e" + n).collect(Collectors.joining("\n")))
        .post(Api.FILTERS + name + "/add")
        .then()
        .statusCode(409);
    page.evaluate(
        "import('/console/growth.js').then(m => window.layers = m.layersOf(100, 0.001, 4, 50000));"
            + " undefined");
    page.await("window.layers");
    var made = Api.describe(name).jsonPath();
    for (var field : List.of("expectedInsertions", "sizeBytes")) {
      assertEquals(
          made.getList("layers." + field).toString().replace(" ", ""),
          page.evaluate(
                  "JSON.stringify(window.layers.map(l => l."
                      + (field.equals("sizeBytes") ? "bytes" : "elements")
                      + "))")
              .asText());
    }
  }

  private static void create(String name, String body) {
    Api.put(name, body).then().statusCode(201);
  }

  private String attribute(String id, String attribute) {
    return page.evaluate(element("#" + id) + ".getAttribute('" + attribute + "')").asText();
  }
}
