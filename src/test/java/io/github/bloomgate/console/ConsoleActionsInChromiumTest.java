package io.github.bloomgate.console;

import static io.github.bloomgate.console.ConsolePage.ask;
import static io.github.bloomgate.console.ConsolePage.awaitShown;
import static io.github.bloomgate.console.ConsolePage.awaitText;
import static io.github.bloomgate.console.ConsolePage.show;
import static io.github.bloomgate.console.ConsolePage.yes;
import static io.github.bloomgate.support.Chromium.element;
import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.http.Api;
import io.github.bloomgate.support.Chromium;
import io.github.bloomgate.support.StallingProxy;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Everything that the console does to a filter, pressed in a browser, and the same by curl. */
@QuarkusTest
@Tag("faults")
class ConsoleActionsInChromiumTest {

  @TempDir(factory = ConsolePage.InTarget.class)
  private static Path folder;

  private static Chromium page;

  @BeforeAll
  static void start() throws Exception {
    page = Chromium.start(folder);
    page.resize(1280, 900);
  }

  @BeforeEach
  void openThePage() {
    page.forgetComplaints();
    ConsolePage.open(page, "");
  }

  @AfterAll
  static void close() {
    if (page != null) {
      page.close();
    }
  }

  @Test
  void elementsAreAddedAndTestedAndTheAnswerIsExplained() {
    show(page, Api.newFilter());
    page.type("#text", "alice\nbob");
    page.click("#elements button[value=test]");
    awaitText(page, "#answers", "0 of 2 might be there");
    awaitText(page, "#answers", "certainly not");
    page.click("#elements button[value=add]");
    awaitText(page, "#answers", "2 of 2 were new");
    page.type("#text", "alice\nnobody");
    page.click("#elements button[value=test]");
    awaitText(page, "#answers", "1 of 2 might be there");
    assertEquals(List.of(), page.complaints());
  }

  @Test
  void aFilterIsChangedOnceThatIsConfirmed() {
    var name = Api.newFilter();
    Api.add(name, "a", "b");
    show(page, name);

    ask(page, "#clear", name);
    page.click("#confirm-no");
    page.await("!" + element("#confirm") + ".open");
    Api.test(name, "a").body("mightContainCount", equalTo(1));

    ask(page, "#expire", name);
    page.type("#ask-ttl", "soon");
    page.click("#confirm-yes");
    page.await("document.activeElement.id === 'ask-ttl'");
    page.type("#ask-ttl", "1.5");
    page.pick("#ask-unit", "3600");
    yes(page);
    page.await("!" + element("#keep") + ".hidden");
    Api.describe(name).then().body("expiresAt", notNullValue());

    ask(page, "#keep", name);
    yes(page);
    page.await(element("#keep") + ".hidden");
    Api.describe(name).then().body("expiresAt", nullValue());

    ask(page, "#clear", name);
    yes(page);
    awaitText(page, "#summary", "Empty.");
    Api.test(name, "a").body("mightContainCount", equalTo(0));

    ask(page, "#delete", name);
    yes(page);
    page.await("!" + element("#welcome") + ".hidden");
    Api.describe(name).then().statusCode(404);
    assertEquals(List.of(), page.complaints());
  }

  @Test
  void filtersAreCopiedMergedAndRenamed() {
    var name = Api.newFilter();
    var copy = Api.newName();
    Api.add(name, "a");
    show(page, name);

    ask(page, "#copy", name);
    page.type("#ask-to", "no name");
    awaitText(page, "#ask-to-hint", "A name has letters");
    page.type("#ask-to", copy);
    yes(page);
    awaitShown(page, copy);
    Api.add(copy, "b");

    show(page, name);
    ask(page, "#merge", name);
    page.type("#ask-from", copy);
    yes(page);
    awaitText(page, "#summary", "about 2 of");
    Api.test(name, "a", "b").body("mightContainCount", equalTo(2));

    ask(page, "#rename", name);
    page.type("#ask-to", copy);
    yes(page);
    awaitText(page, "#problem", "exists");
    ask(page, "#rename", name);
    page.type("#ask-to", copy);
    page.click("#ask-replace");
    yes(page);
    awaitShown(page, copy);
    Api.describe(name).then().statusCode(404);
    Api.test(copy, "a", "b").body("mightContainCount", equalTo(2));
  }

  @Test
  void aRebuildIsOpenedLoadedCommittedAndAborted() throws IOException {
    var name = Api.newFilter();
    Api.add(name, "old");
    show(page, name);
    ask(page, "#open-rebuild", name);
    page.type("#ask-n", "20k");
    page.type("#ask-p", "1 in 1000");
    yes(page);
    page.await("!" + element("#commit") + ".hidden");

    page.upload("#file", lines(5_000));
    assertEquals("rebuild", page.evaluate(element("#load-way") + ".value").asText());
    page.click("#load-form button");
    awaitText(page, "#load-result", "5,000 lines are loaded");
    awaitText(page, "#rebuild", "5,000");

    ask(page, "#commit", name);
    yes(page);
    awaitText(page, "#promise", "Made for 20,000 elements");
    Api.test(name, "line-4999", "old").body("mightContain[0]", equalTo(true));
    Api.describe(name).then().body("falsePositiveProbability", equalTo(0.001f));

    ask(page, "#open-rebuild", name);
    yes(page);
    page.await("!" + element("#abort") + ".hidden");
    ask(page, "#abort", name);
    yes(page);
    page.await(element("#abort") + ".hidden");
    Api.test(name, "line-4999").body("mightContainCount", equalTo(1));
    assertEquals(List.of(), page.complaints());
  }

  @Test
  void aFileIsAddedOrTakesThePlaceOfAll() throws IOException {
    var name = Api.newFilter("{\"expectedInsertions\": 50000}");
    Api.add(name, "old");
    show(page, name);
    page.upload("#file", lines(3_000));
    page.click("#load-form button");
    awaitText(page, "#load-result", "3,000 lines are read");
    Api.test(name, "old", "line-2999").body("mightContainCount", equalTo(2));

    page.upload("#file", lines(2_000));
    page.pick("#load-way", "replace");
    page.click("#load-form button");
    page.await(element("#confirm") + ".open");
    awaitText(page, "#confirm-heading", name);
    yes(page);
    awaitText(page, "#load-result", "The content is replaced");
    Api.test(name, "line-1999").body("mightContainCount", equalTo(1));
    Api.test(name, "old").body("mightContainCount", equalTo(0));
    assertEquals(List.of(), page.complaints());
  }

  /**
   * A proxy lets the beginning of the file through, so that it is on its way for as long as it
   * takes.
   */
  @Test
  void aLoadShowsHowFarItIsAndIsCancelledByOneClickWithNothingHalfDone() throws IOException {
    var name = Api.newFilter("{\"expectedInsertions\": 1000000}");
    Api.add(name, "old");
    try (var proxy = StallingProxy.start(RestAssured.port, 1_000_000)) {
      ConsolePage.open(page, proxy.port(), "#/" + name);
      awaitShown(page, name);
      page.upload("#file", lines(2_000_000));
      page.pick("#load-way", "replace");
      page.click("#load-form button");
      page.await(element("#confirm") + ".open");
      yes(page);
      page.await(
          "/lines\\.txt: .+ of .+ %, .+ a second, ready in \\d+ /.test("
              + element("#transfer-text")
              + ".textContent)");
      assertTrue(page.evaluate(element("#transfer-bar") + ".value").asInt() > 0);
      page.click("#transfer-cancel");
      awaitText(page, "#load-result", "Cancelled. Nothing is changed");
      page.await(element("#transfer") + ".hidden");
    }
    // The service notices, and drops what was loaded.
    Awaitility.await().untilAsserted(() -> Api.describe(name).then().body("rebuild", nullValue()));
    Api.describe(name).then().body("insertions", equalTo(1));
    Api.test(name, "old").body("mightContainCount", equalTo(1));
  }

  @Test
  void aFilterThatCountsIsExportedAsItIsAndAsPlain() {
    var name = Api.newFilter("{\"expectedInsertions\": 1000, \"counting\": true}");
    Api.add(name, "a", "b");
    for (var isPlain : new boolean[] {false, true}) {
      show(page, name);
      ask(page, "#export", name);
      if (isPlain) {
        page.click("#ask-plain");
      }
      var file = page.save("#confirm-yes");
      var other = Api.newName();
      given()
          .contentType("application/octet-stream")
          .body(file.toFile())
          .put(Api.FILTERS + other + "/import")
          .then()
          .statusCode(201)
          .body("counting", isPlain ? nullValue() : equalTo(true));
      Api.test(other, "a", "b").body("mightContainCount", equalTo(2));
    }
  }

  @Test
  void aFilterIsExportedAndImportedUnderAnotherName() {
    var name = Api.newFilter();
    var other = Api.newName();
    Api.add(name, "a", "b");
    show(page, name);
    ask(page, "#export", name);
    var file = page.save("#confirm-yes");

    page.evaluate("location.hash = ''");
    page.click("#import-new");
    page.await(element("#confirm") + ".open");
    page.type("#ask-to", other);
    page.upload("#ask-file", file);
    page.await(element("#ask-file") + ".files.length === 1");
    yes(page);
    awaitShown(page, other);
    Api.test(other, "a", "b").body("mightContainCount", equalTo(2));

    // Over one that there is.
    Api.add(other, "c");
    ask(page, "#import", other);
    page.upload("#ask-file", file);
    yes(page);
    awaitText(page, "#summary", "about 2 of");
    page.await(element("#transfer") + ".hidden");
    assertEquals(List.of(), page.complaints());
  }

  /** Escape leaves a dialog, Enter confirms it, and the focus is where it was. */
  @Test
  void dialogsAreAnsweredByTheKeyboard() {
    var name = Api.newFilter();
    show(page, name);
    page.evaluate(element("#copy") + ".focus()");
    page.press("Enter");
    page.await(element("#confirm") + ".open && document.activeElement.id === 'ask-to'");
    page.press("Escape");
    page.await("!" + element("#confirm") + ".open && document.activeElement.id === 'copy'");
    page.press("Enter");
    page.await(element("#confirm") + ".open");
    var copy = Api.newName();
    page.type("#ask-to", copy);
    page.press("Enter");
    awaitShown(page, copy);
  }

  static Path lines(int count) throws IOException {
    var file = folder.toAbsolutePath().resolve("lines.txt");
    return Files.writeString(
        file,
        IntStream.range(0, count).mapToObj(n -> "line-" + n).collect(Collectors.joining("\n")));
  }
}
