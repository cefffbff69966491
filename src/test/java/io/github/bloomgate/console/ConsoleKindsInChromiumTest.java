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

/**
 * One filter of each kind in the console in a browser: its plots, or what it has in their place.
 */
@QuarkusTest
class ConsoleKindsInChromiumTest extends ConsoleInChromium {

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
    ConsolePage.awaitDrawn(page, "curve");
    ConsolePage.awaitDrawn(page, "past");
    Api.add(name, IntStream.range(0, 100).mapToObj(n -> "e" + n).toArray(String[]::new));
    page.await(element("#curve-text") + ".textContent.includes('With 100 it is about 1 in')");
    page.await(element("#past-text") + ".textContent.includes('went from 0 %')");
    assertEquals(
        page.text("#curve-text"), attribute("curve", "aria-label"), "for who does not see it");
    assertEquals(List.of(), page.complaints());
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
    ConsolePage.awaitDrawn(page, "sizes");
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
    ConsolePage.awaitText(page, "#sizing", "for 8 slices; without forgetting");
    ConsolePage.awaitText(page, "#create-curl", "\"window\":{\"seconds\":172800}");
    page.click("#create button[type=submit]");
    ConsolePage.awaitShown(page, name);
    var made = Api.describe(name).jsonPath();
    assertEquals(172_800, made.getInt("window.seconds"));
    assertEquals("accept", made.getString("whenFull"));
    Api.add(name, "a", "b");
    ConsolePage.awaitText(page, "#figures", "Slice since");
    ConsolePage.awaitText(page, "#figures", "2 elements");
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
}
