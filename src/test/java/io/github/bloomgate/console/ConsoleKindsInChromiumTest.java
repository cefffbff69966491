package io.github.bloomgate.console;

import static io.github.bloomgate.support.Chromium.element;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.http.Api;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** One filter of each kind in the console in a browser, with plots and without them. */
@QuarkusTest
class ConsoleKindsInChromiumTest extends ConsoleInChromium {

  @Test
  void theFilterIsShownAsPlotsAndText() {
    var name = Api.newName();
    create(name, "{\"expectedInsertions\": 100}");
    ConsolePage.show(page, name);
    ConsolePage.awaitText(page, "#curve-text", "Now 0 % at 0 elements. 1 % at 100 elements");
    ConsolePage.awaitText(
        page, "#promise", "The false-positive rate stays at or below 1 % up to 100 elements");
    ConsolePage.awaitText(page, "#rate-now", "target 1 %");
    ConsolePage.awaitText(page, "#memory-now", "bits per element at capacity");
    ConsolePage.awaitText(page, "#expiry-now", "never");
    for (var canvas : List.of("curve", "past-rate", "past-elements")) {
      ConsolePage.awaitDrawn(page, canvas);
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
    assertEquals(List.of(), page.complaints());
  }

  @Test
  void oneElementIsNotPlural() {
    var name = Api.newFilter("{\"expectedInsertions\": 1, \"whenFull\": \"reject\"}");
    ConsolePage.show(page, name);
    ConsolePage.awaitText(page, "#promise", "at 1 element, the filter refuses new ones");
    ConsolePage.awaitText(page, "#curve-text", "at 1 element,");
  }

  @Test
  void aGrowingFilterShowsItsLayersAndNoCurve() {
    var name = Api.newName();
    page.click("#new");
    page.type("#name", name);
    page.type("#expected", "100");
    page.click("#kind-grows");
    page.type("#factor", "3");
    page.type("#most-bytes", "10 kB");
    ConsolePage.awaitText(page, "#most-bytes-hint", "10,000 bytes, 9.77 KiB");
    ConsolePage.awaitText(page, "#sizes-text", "It is full at 4,000 elements in 4 layers");
    ConsolePage.awaitDrawn(page, "sizes");
    page.click("#create button[type=submit]");
    ConsolePage.awaitShown(page, name);
    var made = Api.fields(name);
    assertEquals(3, made.getInt("growthFactor"));
    assertEquals(10_000, made.getInt("maxSizeBytes"));
    Api.add(name, IntStream.range(0, 250).mapToObj(n -> "e" + n).toArray(String[]::new));
    ConsolePage.awaitText(page, "#layers", "Layer 2");
    ConsolePage.awaitText(page, "#layers", "100 of 100 elements");
    assertEquals(2, page.evaluate("document.querySelectorAll('#layers .value').length").asInt());
    ConsolePage.awaitText(page, "#promise", "when the layers are full, the filter adds another");
    ConsolePage.awaitText(page, "#elements-now", "of 400 in 2 layers");
    var bits = page.text("#memory-now");
    assertTrue(bits.matches("(?s).*\\b1\\d(\\.\\d)? bits per element at capacity"), bits);
    assertFalse(page.has("#curve"));
    ConsolePage.awaitText(page, "#state", "ready");
    assertEquals(List.of(), page.complaints());
  }

  @Test
  void aWindowFilterShowsItsSlicesAndNoCurve() {
    var name = Api.newName();
    page.click("#new");
    page.type("#name", name);
    page.type("#expected", "1000");
    page.click("#kind-forgets");
    page.type("#window", "soon");
    ConsolePage.awaitText(page, "#window-hint", "This is not a number");
    page.type("#window", "2");
    ConsolePage.awaitText(page, "#window-hint", "At least 2 days, at most 54 hours");
    ConsolePage.awaitText(page, "#sizing", "in 8 slices; without a window");
    ConsolePage.awaitDrawn(page, "remembered");
    ConsolePage.awaitText(page, "#remembered-text", "All for 2 days, none after 54 hours");
    assertTrue(ConsolePage.curl(page, "#create-curl").contains("\"window\":{\"seconds\":172800}"));
    page.click("#create button[type=submit]");
    ConsolePage.awaitShown(page, name);
    var made = Api.fields(name);
    assertEquals(172_800, made.getInt("window.seconds"));
    assertEquals("accept", made.getString("whenFull"));
    Api.add(name, "a", "b");
    ConsolePage.awaitText(page, "#slices", "Since");
    ConsolePage.awaitText(page, "#slices", "2 of 63 elements");
    ConsolePage.awaitText(page, "#slices-heading + p", "2 days in 8 slices of 6 hours or less");
    ConsolePage.awaitText(page, "#elements-now", "of 1,000 in 2 days");
    ConsolePage.awaitText(page, "#promise", "for at least 2 days and at most 54 hours");
    assertFalse(page.has("#curve"));
    assertEquals(List.of(), page.complaints());
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
      ConsolePage.show(page, name);
      ConsolePage.awaitText(page, "#state", "above target");
      ConsolePage.awaitText(page, "#state", "over capacity");
      assertFalse(page.text("#state").contains("ready"), body);
    }
  }

  @Test
  void elementsAreRemovedFromACountingFilter() {
    var name = Api.newName();
    page.click("#new");
    page.type("#name", name);
    page.type("#expected", "1000");
    page.click("#kind-counts");
    ConsolePage.awaitText(page, "#sizing", "counters; without them");
    var creation = ConsolePage.curl(page, "#create-curl");
    assertTrue(creation.contains("\"whenFull\":\"accept\",\"counting\":true"), creation);
    page.click("#create button[type=submit]");
    ConsolePage.awaitShown(page, name);
    assertEquals(true, Api.fields(name).getBoolean("counting"));
    Api.add(name, "a", "a", "b");
    ConsolePage.awaitText(page, "#kind", "counting");
    ConsolePage.awaitText(page, "#figures", "Adds minus removals");
    ConsolePage.awaitText(page, "#counters", "Counters at maximum");
    ConsolePage.awaitText(page, "#promise", "Remove only elements that were added");
    ConsolePage.show(page, name, "elements");
    page.type("#text", "a\nc");
    assertTrue(ConsolePage.curl(page, "#remove-curl").contains("/remove"));
    page.click("#elements button[value=test]");
    ConsolePage.awaitText(page, "#answers", "maybe, at most 2 times");
    ConsolePage.awaitText(page, "#answers", "certainly not");
    page.click("#elements button[value=remove]");
    ConsolePage.awaitText(page, "#answers", "was not there");
    ConsolePage.awaitText(page, "#answers", "1 of 2 were removed");
    assertEquals(2, Api.fields(name).getInt("insertions"));
    assertEquals(List.of(), page.complaints());
  }

  /** The plot of a new filter shows the rates that the created filter will have. */
  @Test
  void thePlotOfAGrowingFilterShowsTheLayersOfTheService() {
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

  private static void create(String name, String body) {
    Api.put(name, body).statusCode(201);
  }
}
