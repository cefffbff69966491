package io.github.bloomgate.console;

import static io.github.bloomgate.support.Chromium.element;
import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.http.Api;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The form for a new filter, with numbers in every common notation. */
@QuarkusTest
class ConsoleCreationInChromiumTest extends ConsoleInChromium {

  /** Typed text, and the note that appears next to the field before anything is sent. */
  @Test
  void numbersAreReadInCommonNotations() {
    page.click("#new");
    page.click("#kind-grows");
    var counts =
        Map.ofEntries(
            Map.entry("1.5M", "1,500,000 elements"),
            Map.entry("1,5M", "1,500,000 elements"),
            Map.entry("1,500,000", ""),
            Map.entry("1.500.000", "1,500,000 elements"),
            Map.entry("1 500 000", "1,500,000 elements"),
            Map.entry("1_500_000", "1,500,000 elements"),
            Map.entry("1.5e6", "1,500,000 elements"),
            Map.entry("1e6", "1,000,000 elements"),
            Map.entry("1,500", ""),
            Map.entry("1,500.5k", "1,500,500 elements"),
            Map.entry("50k", "50,000 elements"),
            Map.entry(" 7 ", ""));
    var rates =
        Map.of(
            "0.1%", "About 1 in 1,000 tests",
            "0,1 %", "About 1 in 1,000 tests",
            "0,001", "About 1 in 1,000 tests",
            "1e-3", "About 1 in 1,000 tests",
            "1 in 1000", "About 1 in 1,000 tests",
            "1%", "About 1 in 100 tests",
            "5‰", "About 1 in 200 tests");
    assertAll(
        () -> counts.forEach((text, understood) -> assertUnderstood("expected", text, understood)),
        () -> rates.forEach((text, understood) -> assertUnderstood("rate", text, understood)),
        () -> assertUnderstood("ttl", "1,5", "Expires in 2 days"),
        () -> assertUnderstood("ttl", "1e9", "Expires in 1,000,000,000 days"),
        () -> assertUnderstood("ttl", "", ""),
        () -> assertUnderstood("most-bytes", "100 MiB", ""),
        () -> assertUnderstood("most-bytes", "100M", "104,857,600 bytes, 100 MiB"));
  }

  private void assertUnderstood(String field, String text, String understood) {
    page.type("#" + field, text);
    var hint = page.text("#" + field + "-hint");
    assertTrue(hint.startsWith(understood), text + ": " + hint);
    assertEquals(understood.isEmpty(), hint.isEmpty(), text + ": " + hint);
    assertEquals("false", attribute(field, "aria-invalid"), text);
  }

  @Test
  void invalidNumbersAreRefusedInPlace() {
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
    page.click("#kind-grows");
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
    assertFalse(page.has("#outcome"));
  }

  @Test
  void aFilterIsCreatedWithTheValuesShown() {
    var name = Api.newName();
    openForm(name, "1.5M", "fixed");
    page.type("#rate", "0,1 %");
    page.type("#ttl", "1,5");
    create(name);
    var made = Api.fields(name);
    assertEquals(1_500_000, made.getInt("expectedInsertions"));
    assertEquals(0.001, made.getDouble("falsePositiveProbability"), 1e-9);
    assertFalse(made.getString("expiresAt").isEmpty());
  }

  @Test
  void aWindowMayBeANumberOfAdds() {
    var name = Api.newName();
    page.click("#new");
    page.type("#name", name);
    page.click("#kind-forgets");
    page.type("#window", "5000");
    page.pick("#window-unit", "adds");
    page.await("!" + element("#expected"));
    awaitText("#window-hint", "At least 5,000 later adds, at most 5,625");
    page.type("#slices", "4");
    awaitText("#window-hint", "at most 6,250");
    awaitText("#sizing", "in 4 slices");
    awaitText("#remembered-text", "All for 5,000 adds, none after 6,250 adds");
    page.pick("#refresh", "no");
    create(name);
    var made = Api.fields(name);
    assertEquals(5_000, made.getInt("window.insertions"));
    assertEquals(4, made.getInt("slices"));
    assertEquals(false, made.getBoolean("refresh"));
  }

  @Test
  void filtersAreKeyedOrHaveTheBitsOfALibrary() {
    var name = Api.newName();
    page.click("#new");
    page.click("#keyed");
    var keyed = curl("#create-curl");
    assertTrue(keyed.contains("\"hashScheme\":\"bloomgate-1-keyed\""), keyed);

    page.click("#kind-library");
    page.pick("#scheme", "redisson");
    page.await(element("#codec"));
    page.pick("#sized-by", "config");
    page.await("!" + element("#expected"));
    var configured = curl("#create-curl");
    assertTrue(configured.contains("'{\"hashScheme\":\"redisson\"}'"), configured);

    page.pick("#scheme", "go-zero");
    page.pick("#sized-by", "bits");
    page.type("#bits", "2000");
    awaitText("#sizing", "250 bytes");
    page.type("#name", name);
    page.type("#redis-key", "key:" + name);
    create(name);
    var made = Api.fields(name);
    assertEquals("go-zero", made.getString("hashScheme"));
    assertEquals("key:" + name, made.getString("redisKey"));
    show(name, "settings");
    ask("#delete", name);
    page.click("#ask-key");
    var line = curl("#confirm-curl");
    assertTrue(line.contains("?deleteKey=true"), line);
    yes();
    page.await(element("#filters"));
  }

  /** Filters that adds create like it expire when they are not used. */
  @Test
  void aTemplateIsCreatedWithAnExpiryAfterUse() {
    var name = Api.newName();
    openForm(name, "1000", "fixed");
    assertFalse(page.has("#ttl-since"), "without a time");
    page.type("#ttl", "1");
    page.pick("#ttl-unit", "60");
    page.pick("#ttl-since", "use");
    awaitText("#ttl-hint", "at least 2 minutes");
    assertEquals("true", attribute("ttl", "aria-invalid"));
    page.pick("#ttl-unit", "86400");
    awaitText("#ttl-hint", "Expires 1 day after the last add or test");
    page.click("#template");
    create(name);
    awaitText("#is-template", "template");
    awaitText("#expiry-now", "filters like it 1 day after the last add or test");
    awaitText("#figures", "NEW/add?like=" + name);
    var made = Api.fields(name);
    assertTrue(made.getBoolean("template"));
    assertEquals(86_400, made.getInt("idleSeconds"));
    assertTrue(made.getBoolean("extendedByTests"));
  }

  @Test
  void aFilterWithTheKeyOfALibraryIsNoTemplateAndCannotExpireWhenIdle() {
    var name = Api.newName();
    openForm(name, "1000", "library");
    page.type("#ttl", "1");
    page.pick("#ttl-since", "add");
    page.click("#template");
    page.type("#redis-key", "key:" + name);
    page.await("!" + element("#ttl-since") + " && !" + element("#template"));
    var line = curl("#create-curl");
    assertTrue(line.contains("\"ttlSeconds\":86400"), line);
    assertFalse(line.contains("template"), line);
  }

  /** Creating it again succeeds and changes nothing, and the page does not claim otherwise. */
  @Test
  void aFilterThatExistsIsNotCreated() {
    var name = Api.newFilter("{\"expectedInsertions\": 5000}");
    openForm(name, "5000", "fixed");
    page.type("#ttl", "1");
    create(name);
    awaitText("#outcome", name + " already existed with these parameters");
    awaitText("#outcome", "its expiry stays");
  }

  /** The page must use the same formulas as the service, or its plot would be wrong. */
  @Test
  void theSizingPlotFollowsTheInput() {
    page.click("#new");
    for (var count : List.of("1", "10", "20", "63", "64", "1,000", "5,000,000", "300,000,000")) {
      for (var rate : List.of("5 %", "0.1 %", "0.0001 %")) {
        page.type("#expected", count);
        page.type("#rate", rate);
        var words =
            count.equals("1")
                ? "1 element at a rate of %s takes "
                : count + " elements at a rate of %s take ";
        page.await(
            element("#sizes-text")
                + "?.textContent.replaceAll('\u00a0', ' ').startsWith('"
                + words.formatted(rate)
                + "' + "
                + element("#sizing dd")
                + ".textContent + '.')");
        awaitDrawn("sizes");
      }
    }
    awaitText("#sizing", "RedisBloom");
    awaitText("#curve-text", "0.0001 % at 300,000,000 elements");
  }

  /** The service limits the whole rate of a growing filter; its first layer has half of it. */
  @Test
  void aGrowingFilterMayHaveTheLowestRate() {
    page.click("#new");
    page.type("#rate", "1e-12");
    awaitText("#sizes-text", "at a rate of 0.0000000001 %");
    page.click("#kind-grows");
    awaitText("#sizing", "for the first layer");
  }

  /** The page must not jump while a number is being typed. */
  @Test
  void theLastValidValuesStayWhileTyping() {
    page.click("#new");
    awaitDrawn("sizes");
    var height = page.evaluate("document.documentElement.scrollHeight").asInt();
    page.type("#rate", "often");
    awaitText("#sizing-old", "the last valid values");
    awaitText("#sizes-text", "1,000,000 elements at a rate of 1 %");
    var moved = page.evaluate("document.documentElement.scrollHeight").asInt() - height;
    assertTrue(Math.abs(moved) < 60, "moved by " + moved);
    page.type("#rate", "2 %");
    awaitText("#sizes-text", "1,000,000 elements at a rate of 2 %");
    page.await(element("#sizing-old") + ".hidden");
  }

  /**
   * The address contains the typed values, so that a reload or a link shows them. A new form is
   * empty.
   */
  @Test
  void theFormHasAnAddressWithItsValues() {
    openForm("visits", "5k", "forgets");
    page.type("#window", "7");
    var address = page.evaluate("location.hash").asText();
    assertEquals("#new?name=visits&kind=forgets&expected=5k&window=7", address);

    open(address);
    page.await(element("#kind-forgets") + "?.checked");
    var line = curl("#create-curl");
    assertTrue(line.contains("\"expectedInsertions\":5000"), line);
    assertTrue(line.contains("\"window\":{\"seconds\":604800}"), line);
    assertEquals("visits", page.value("#name"));

    list();
    page.click("#new");
    page.await(element("#kind-fixed") + "?.checked");
    assertEquals("", page.value("#name"));
    assertEquals("1,000,000", page.value("#expected"));
  }

  /** The form would send a value that it cannot show, such as seconds instead of minutes. */
  @Test
  void unknownOptionsInTheAddressAreTheDefaults() {
    open("#new?kind=unknown&expected=5k&ttl=5&ttl-unit=1&when-full=unknown&window-unit=1");
    page.await(element("#kind-fixed") + "?.checked");
    awaitText("#sizes-text", "5,000 elements");
    assertEquals("86400", page.value("#ttl-unit"));
    var line = curl("#create-curl");
    assertTrue(line.contains("\"ttlSeconds\":432000"), line);
    assertTrue(line.contains("\"whenFull\":\"accept\""), line);
  }

  /** With only a name entered, the page shows the parameters and the cost. */
  @Test
  void theFormAndItsPlotsAreOnOneScreen() {
    var name = Api.newName();
    page.click("#new");
    awaitDrawn("sizes");
    awaitDrawn("curve");
    for (var part :
        List.of(".kinds", "#name", "#ttl", "#sizing", "#sizes-text", "#create button")) {
      awaitInView(part, "");
    }
    assertEquals(5, page.evaluate("document.querySelectorAll('.kinds small').length").asInt());
    page.type("#name", name);
    create(name);
    assertEquals(1_000_000, Api.fields(name).getInt("expectedInsertions"));
  }
}
