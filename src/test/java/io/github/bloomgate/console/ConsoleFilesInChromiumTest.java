package io.github.bloomgate.console;

import static io.github.bloomgate.support.Chromium.element;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.http.Api;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.rebuild.ContentTransfer;
import io.github.bloomgate.rebuild.ContentTransfers;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Files that the console loads, exports and imports, in a browser. */
@QuarkusTest
class ConsoleFilesInChromiumTest extends ConsoleInChromium {

  @Inject ContentTransfers transfers;

  @Test
  void aFileIsAddedOrReplacesTheContent() throws IOException {
    var name = Api.newFilter("{\"expectedInsertions\": 50000}");
    Api.add(name, "old");
    show(name, "load");
    page.upload("#file", lines(3_000));
    page.click("#load-form button");
    awaitText("#outcome", "3,000 lines read");
    Api.test(name, "old", "line-2999").body("mightContainCount", equalTo(2));

    page.upload("#file", lines(2_000));
    page.pick("#load-way", "replace");
    page.click("#load-form button");
    page.await(element("#confirm") + ".open");
    awaitText("#confirm-heading", name);
    yes();
    awaitText("#outcome", "The content was replaced");
    Api.test(name, "line-1999").body("mightContainCount", equalTo(1));
    Api.test(name, "old").body("mightContainCount", equalTo(0));
  }

  /** The browser sends so slowly that the upload does not end. */
  @Test
  void oneClickCancelsALoadCompletely() throws IOException {
    var name = Api.newFilter("{\"expectedInsertions\": 1000000}");
    Api.add(name, "old");
    page.limitUploads(500_000);
    try {
      show(name, "load");
      page.upload("#file", lines(2_000_000));
      page.pick("#load-way", "replace");
      page.click("#load-form button");
      page.await(element("#confirm") + ".open");
      yes();
      page.await(
          "/lines\\.txt: .+ of .+\\s%, .+ a second, ready in \\d+ /.test("
              + element("#transfer-text")
              + ".textContent)");
      assertTrue(page.evaluate(element("#transfer-bar") + ".value").asInt() > 0);
      page.click("#transfer-cancel");
      awaitText("#outcome", "Cancelled. Nothing was changed");
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
  void aCountingFilterIsExportedWithAndWithoutCounters() throws IOException {
    var name = Api.newFilter("{\"expectedInsertions\": 1000, \"counting\": true}");
    Api.add(name, "a", "b");
    for (var isPlain : new boolean[] {false, true}) {
      show(name, "settings");
      ask("#export", name);
      assertEquals("bloomgate plain redis-bitmap", formats());
      if (isPlain) {
        page.pick("#ask-format", "plain");
      }
      var file = page.save("#confirm-yes");
      var other = Api.newName();
      Api.load(other, "", Files.readAllBytes(file))
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
          show(name, "settings");
          ask("#export", name);
          assertEquals(offered, formats(), body);
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
    show(name, "settings");
    ask("#export", name);
    var file = page.save("#confirm-yes");

    fillImport(other, file);
    yes();
    awaitShown(other);
    Api.test(other, "a", "b").body("mightContainCount", equalTo(2));

    // The name exists, and its filter must not be replaced without a request to do so.
    Api.add(other, "c");
    fillImport(other, file);
    page.click("#confirm-yes");
    awaitText("#confirm #outcome", "exists");
    Api.test(other, "c").body("mightContainCount", equalTo(1));
    page.click("#ask-replace");
    yes();
    awaitShown(other);
    Api.test(other, "a", "c").body("mightContainCount", equalTo(1));
    Api.add(other, "c");
    show(other, "settings");
    ask("#import", other);
    page.upload("#ask-file", file);
    yes();
    awaitElements(2);
    page.await(element("#transfer") + ".hidden");
  }

  /** After the last byte was sent, the service still has to write the content to Redis. */
  @Test
  void anImportShowsHowMuchOfTheFileIsWritten() {
    var name = Api.newFilter();
    var other = Api.newName();
    show(name, "settings");
    ask("#export", name);
    var file = page.save("#confirm-yes");
    fillImport(other, file);
    page.evaluate(
        """
        const real = XMLHttpRequest.prototype.send;
        XMLHttpRequest.prototype.send = function (file) {
          const [loaded, total] = [file.size, file.size];
          this.upload.dispatchEvent(new ProgressEvent('progress', { loaded, total }));
          window.release = () => real.call(this, file);
        };
        undefined""");
    page.click("#confirm-yes");
    awaitText("#confirm #transfer-text", "were sent; the service is processing them.");
    assertFalse(page.evaluate(element("#transfer-bar") + ".hasAttribute('value')").asBoolean());
    try (var transfer =
        transfers.begin(ContentTransfer.Kind.IMPORT, new FilterName(other), 8 << 20)) {
      transfer.wrote(2 << 20);
      awaitText("#confirm #transfer-text", "processing them, 25 %, 2 MiB of 8 MiB written.");
      assertEquals(0.25, page.evaluate(element("#transfer-bar") + ".position").asDouble());
    }
    page.evaluate("window.release()");
    awaitShown(other);
  }

  /** A raw bitmap does not contain its parameters, so the dialog asks for them. */
  @Test
  void aRawBitmapIsImportedWithItsParameters() {
    var name = Api.newFilter("{\"expectedInsertions\": 100, \"hashScheme\": \"guava-mitz-64\"}");
    var other = Api.newName();
    Api.add(name, "a");
    var made = Api.fields(name);
    show(name, "settings");
    ask("#export", name);
    page.pick("#ask-format", "redis-bitmap");
    var file = page.save("#confirm-yes");
    fillImport(other, file);
    assertFalse(page.has("#ask-bits"));
    page.pick("#ask-format", "redis-bitmap");
    page.await(element("#ask-bits"));
    page.click("#confirm-yes");
    awaitText("#ask-bits-hint", "A number is missing");
    page.type("#ask-bits", made.getString("bitSize"));
    page.type("#ask-hashes", made.getString("numHashFunctions"));
    yes();
    awaitShown(other);
    Api.describe(other).body("hashScheme", equalTo("guava-mitz-64"));
    Api.test(other, "a", "b").body("mightContainCount", equalTo(1));
  }

  /** The formats that the dialog offers. */
  private static String formats() {
    return page.evaluate(
            "[...document.querySelectorAll('#ask-format option')].map(o => o.value).join(' ')")
        .asText();
  }

  private static void fillImport(String name, Path file) {
    list();
    page.click("#import-new");
    page.await(element("#confirm") + ".open");
    page.type("#ask-to", name);
    page.upload("#ask-file", file);
    page.await(element("#ask-file") + ".files.length === 1");
  }
}
