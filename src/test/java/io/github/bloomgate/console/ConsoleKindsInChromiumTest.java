package io.github.bloomgate.console;

import static io.github.bloomgate.support.Chromium.element;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.http.Api;
import io.github.bloomgate.support.Following;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** One filter of each kind in the console in a browser, with plots and without them. */
@QuarkusTest
class ConsoleKindsInChromiumTest extends ConsoleInChromium {

  @Test
  void theFilterIsShownAsPlotsAndText() {
    var name = Api.newFilter("{\"expectedInsertions\": 100}");
    show(name);
    awaitText("#curve-text", "Now 0 % at 0 elements. 1 % at 100 elements");
    awaitText("#promise", "The false-positive rate stays at or below 1 % up to 100 elements");
    awaitText("#rate-now", "target 1 %");
    awaitText("#size-now", "bits per element at capacity");
    awaitText("#expiry-now", "never");
    for (var canvas : List.of("curve", "past-rate", "past-elements")) {
      awaitDrawn(canvas);
    }
    Api.add(name, IntStream.range(0, 100).mapToObj(n -> "e" + n).toArray(String[]::new));
    page.await(
        "/^Now [01]\\.\\d+\\s% at \\d+ elements/.test(" + element("#curve-text") + ".textContent)");
    page.await(element("#past-rate-text") + ".textContent.includes('From 0\u00a0%')");
    page.await(element("#past-elements-text") + ".textContent.includes('From 0 at')");
    // The plot of the rate has a logarithmic axis of elements, and each plot has one axis of
    // values.
    assertEquals(
        "logarithmic;2;2;2",
        page.evaluate(
                "(charts => [charts[0].options.scales.y.type, ...charts.map(c => Object.keys(c.scales).length)]"
                    + ".join(';'))(['curve', 'past-rate', 'past-elements'].map(id => Chart.getChart(id)))")
            .asText());
    assertEquals(
        "false-positive rate,target 1\u00a0%,capacity 100,now",
        page.evaluate("Chart.getChart('curve').data.datasets.map(d => d.label).join()").asText());
    assertEquals(
        "false-positive rate,target 1\u00a0%",
        page.evaluate("Chart.getChart('past-rate').data.datasets.map(d => d.label).join()")
            .asText());
    assertEquals(
        1,
        page.evaluate(
                "new Set(['curve', 'past-rate'].map(id => Chart.getChart(id).data.datasets"
                    + ".slice(0, 2).map(d => d.borderColor).join())).size")
            .asInt(),
        "the same colours in both");
    assertEquals(page.text("#curve-text"), attribute("curve", "aria-label"), "without the picture");
  }

  @Test
  void oneElementIsNotPlural() {
    var name = Api.newFilter("{\"expectedInsertions\": 1, \"whenFull\": \"reject\"}");
    show(name);
    awaitText("#promise", "at 1 element, the filter refuses new ones");
    awaitText("#curve-text", "at 1 element,");
  }

  @Test
  void aGrowingFilterShowsItsLayersAndNoCurve() {
    var name = Api.newName();
    openForm(name, "100", "grows");
    page.type("#factor", "3");
    page.type("#most-bytes", "10 kB");
    awaitText("#most-bytes-hint", "10,000 bytes, 9.77 KiB");
    awaitText("#sizes-text", "It is full at 4,000 elements in 4 layers");
    awaitDrawn("sizes");
    create(name);
    var made = Api.fields(name);
    assertEquals(3, made.getInt("growthFactor"));
    assertEquals(10_000, made.getInt("maxSizeBytes"));
    Api.add(name, IntStream.range(0, 250).mapToObj(n -> "e" + n).toArray(String[]::new));
    awaitText("#layers", "Layer 2");
    awaitText("#layers", "100 of 100 elements");
    assertEquals(2, page.evaluate("document.querySelectorAll('#layers .value').length").asInt());
    awaitText("#promise", "when the layers are full, the filter adds another");
    awaitText("#elements-now", "of 400 in 2 layers");
    var bits = page.text("#size-now");
    assertTrue(bits.matches("(?s).*\\b1\\d(\\.\\d)? bits per element at capacity"), bits);
    assertFalse(page.has("#curve"));
    awaitText("#state", "ready");
  }

  @Test
  void aWindowFilterShowsItsSlicesAndNoCurve() {
    var name = Api.newName();
    openForm(name, "1000", "forgets");
    page.type("#window", "soon");
    awaitText("#window-hint", "This is not a number");
    page.type("#window", "2");
    awaitText("#window-hint", "At least 2 days, at most 54 hours");
    awaitText("#sizing", "in 8 slices; without a window");
    awaitDrawn("remembered");
    awaitText("#remembered-text", "All for 2 days, none after 54 hours");
    assertTrue(curl("#create-curl").contains("\"window\":{\"seconds\":172800}"));
    create(name);
    var made = Api.fields(name);
    assertEquals(172_800, made.getInt("window.seconds"));
    assertEquals("accept", made.getString("whenFull"));
    Api.add(name, "a", "b");
    awaitText("#slices", "Since");
    awaitText("#slices", "2 of 63 elements");
    awaitText("#slices-heading + p", "A new slice starts every 6 hours, or earlier");
    awaitText("#elements-now", "of 1,000 in 2 days");
    awaitText("#promise", "for at least 2 days and at most 54 hours");
    assertFalse(page.has("#curve"));
  }

  @Test
  void aWatchedFilterShowsItsCopies() throws Exception {
    var name = Api.newFilter();
    Api.add(name, "a");
    show(name);
    awaitText("#figures", "Hash scheme");
    assertFalse(page.text("#figures").contains("Copy in memory"));
    Api.raw().get("/v1/filters/" + name + "/test?element=a&maxAge=60").then().statusCode(200);
    awaitText("#figures", "Copy in memory");
    awaitText("#figures", " s old");
    assertFalse(page.text("#figures").contains("Edge copies"), "without followers");
    try (var one = Following.of(name);
        var other = Following.of(name)) {
      one.awaitFrames();
      other.awaitFrames();
      awaitText("#figures", "2 followers");
      awaitText("#figures", " s behind, ");
      awaitText("#figures", " sent by this instance");
    }
    awaitText("#figures", "0 followers");
  }

  /** A problem that the list flags is also flagged on the page of the filter. */
  @Test
  void aFilterOverItsCapacityOrAboveItsTargetIsNotReady() {
    var elements = IntStream.range(0, 200).mapToObj(n -> "e" + n).toArray(String[]::new);
    for (var body :
        List.of(
            "{\"expectedInsertions\": 20}",
            "{\"expectedInsertions\": 10, \"window\": {\"seconds\": 3600}}")) {
      var name = Api.newFilter(body);
      Api.add(name, elements);
      show(name);
      awaitText("#state", "above target");
      awaitText("#state", "over capacity");
      assertFalse(page.text("#state").contains("ready"), body);
    }
  }

  @Test
  void elementsAreRemovedFromACountingFilter() {
    var name = Api.newName();
    openForm(name, "1000", "counts");
    awaitText("#sizing", "counters; without them");
    var creation = curl("#create-curl");
    assertTrue(creation.contains("\"counting\":true,\"whenFull\":\"accept\""), creation);
    create(name);
    assertEquals(true, Api.fields(name).getBoolean("counting"));
    Api.add(name, "a", "a", "b");
    awaitText("#kind", "counting");
    awaitText("#figures", "Adds minus removals");
    awaitText("#counters", "Counters at maximum");
    awaitText("#promise", "Remove only elements that were added");
    show(name, "elements");
    page.type("#text", "a\nc");
    assertTrue(curl("#remove-curl").contains("/remove"));
    page.click("#elements button[value=test]");
    awaitText("#answers", "maybe, at most 2 times");
    awaitText("#answers", "certainly not");
    page.click("#elements button[value=remove]");
    awaitText("#answers", "was not there");
    awaitText("#answers", "1 of 2 were removed");
    assertEquals(2, Api.fields(name).getInt("insertions"));
    Api.add(name, Stream.generate(() -> "often").limit(15).toArray(String[]::new));
    page.type("#text", "often\nb");
    page.click("#elements button[value=test]");
    awaitText("#answers", "maybe, 15 times or more");
    awaitText("#answers", "maybe, at most once");
  }

  /** The plot of a new filter shows the rates that the created filter will have. */
  @Test
  void thePlotOfAGrowingFilterShowsTheLayersOfTheService() {
    var name =
        Api.newFilter(
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
    var made = Api.fields(name);
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
}
