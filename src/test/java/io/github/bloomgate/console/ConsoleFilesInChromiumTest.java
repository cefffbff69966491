package io.github.bloomgate.console;

import static io.github.bloomgate.console.ConsolePage.ask;
import static io.github.bloomgate.console.ConsolePage.awaitShown;
import static io.github.bloomgate.console.ConsolePage.awaitText;
import static io.github.bloomgate.console.ConsolePage.show;
import static io.github.bloomgate.console.ConsolePage.yes;
import static io.github.bloomgate.support.Chromium.element;
import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.http.Api;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Files that the console loads, exports and imports, in a browser. */
@QuarkusTest
class ConsoleFilesInChromiumTest extends ConsoleInChromium {

  @Test
  void aFileIsAddedOrReplacesTheContent() throws IOException {
    var name = Api.newFilter("{\"expectedInsertions\": 50000}");
    Api.add(name, "old");
    show(page, name, "load");
    page.upload("#file", lines(3_000));
    page.click("#load-form button");
    awaitText(page, "#outcome", "3,000 lines read");
    Api.test(name, "old", "line-2999").body("mightContainCount", equalTo(2));

    page.upload("#file", lines(2_000));
    page.pick("#load-way", "replace");
    page.click("#load-form button");
    page.await(element("#confirm") + ".open");
    awaitText(page, "#confirm-heading", name);
    yes(page);
    awaitText(page, "#outcome", "The content was replaced");
    Api.test(name, "line-1999").body("mightContainCount", equalTo(1));
    Api.test(name, "old").body("mightContainCount", equalTo(0));
    assertEquals(List.of(), page.complaints());
  }

  /** The browser sends so slowly that the upload does not end. */
  @Test
  void oneClickCancelsALoadCompletely() throws IOException {
    var name = Api.newFilter("{\"expectedInsertions\": 1000000}");
    Api.add(name, "old");
    page.limitUploads(500_000);
    try {
      show(page, name, "load");
      page.upload("#file", lines(2_000_000));
      page.pick("#load-way", "replace");
      page.click("#load-form button");
      page.await(element("#confirm") + ".open");
      yes(page);
      page.await(
          "/lines\\.txt: .+ of .+\\s%, .+ a second, ready in \\d+ /.test("
              + element("#transfer-text")
              + ".textContent)");
      assertTrue(page.evaluate(element("#transfer-bar") + ".value").asInt() > 0);
      page.click("#transfer-cancel");
      awaitText(page, "#outcome", "Cancelled. Nothing was changed");
      page.await(element("#transfer") + ".hidden");
    } finally {
      page.limitUploads(-1);
    }
    // The service notices the cancellation and drops the loaded lines.
    Awaitility.await().untilAsserted(() -> Api.describe(name).body("rebuild", nullValue()));
    Api.describe(name).body("insertions", equalTo(1));
    Api.test(name, "old").body("mightContainCount", equalTo(1));
  }

  @Test
  void aCountingFilterIsExportedWithAndWithoutCounters() {
    var name = Api.newFilter("{\"expectedInsertions\": 1000, \"counting\": true}");
    Api.add(name, "a", "b");
    for (var isPlain : new boolean[] {false, true}) {
      show(page, name, "settings");
      ask(page, "#export", name);
      assertEquals(
          "bloomgate plain redis-bitmap",
          page.evaluate(
                  "[...document.querySelectorAll('#ask-format option')].map(o => o.value).join('"
                      + " ')")
              .asText());
      if (isPlain) {
        page.pick("#ask-format", "plain");
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

  /** The console does not offer formats that the service would refuse. */
  @Test
  void onlyFormatsThatCanHoldAFilterAreOffered() {
    var formats =
        Map.of(
            "{\"expectedInsertions\": 10}", "bloomgate redis-bitmap",
            "{\"expectedInsertions\": 10, \"whenFull\": \"grow\"}", "bloomgate",
            "{\"expectedInsertions\": 10, \"window\": {\"seconds\": 60}}", "bloomgate",
            "{\"expectedInsertions\": 10, \"hashScheme\": \"guava-mitz-64\"}",
                "bloomgate guava redis-bitmap",
            "{\"expectedInsertions\": 3000000}", "bloomgate");
    formats.forEach(
        (body, offered) -> {
          var name = Api.newFilter(body);
          show(page, name, "settings");
          ask(page, "#export", name);
          assertEquals(
              offered,
              page.evaluate(
                      "[...document.querySelectorAll('#ask-format option')].map(o =>"
                          + " o.value).join(' ')")
                  .asText(),
              body);
          for (var format : offered.replaceFirst("bloomgate ?", "").split(" ")) {
            var query = format.isEmpty() ? "" : "?format=" + format;
            Api.raw().get(Api.FILTERS + name + "/export" + query).then().statusCode(200);
          }
          page.click("#confirm-no");
        });
  }

  @Test
  void aFilterIsExportedAndImportedUnderAnotherName() {
    var name = Api.newFilter();
    var other = Api.newName();
    Api.add(name, "a", "b");
    show(page, name, "settings");
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

    // The name exists, and its filter must not be replaced without a request to do so.
    Api.add(other, "c");
    page.evaluate("location.hash = ''");
    page.click("#import-new");
    page.type("#ask-to", other);
    page.upload("#ask-file", file);
    page.await(element("#ask-file") + ".files.length === 1");
    page.click("#confirm-yes");
    awaitText(page, "#confirm #outcome", "exists");
    Api.test(other, "c").body("mightContainCount", equalTo(1));
    page.click("#ask-replace");
    yes(page);
    awaitShown(page, other);
    Api.test(other, "a", "c").body("mightContainCount", equalTo(1));
    Api.add(other, "c");
    show(page, other, "settings");
    ask(page, "#import", other);
    page.upload("#ask-file", file);
    yes(page);
    ConsolePage.awaitElements(page, 2);
    page.await(element("#transfer") + ".hidden");
    assertEquals(List.of(), page.complaints());
  }
}
