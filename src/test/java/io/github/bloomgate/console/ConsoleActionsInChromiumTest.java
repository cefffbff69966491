package io.github.bloomgate.console;

import static io.github.bloomgate.support.Chromium.element;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.notNullValue;
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
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every action of the console on a filter, clicked in a browser. */
@QuarkusTest
class ConsoleActionsInChromiumTest extends ConsoleInChromium {

  @Inject ContentTransfers transfers;

  @Test
  void elementsAreAddedAndTestedAndTheAnswerIsExplained() {
    show(Api.newFilter(), "elements");
    send("test", "alice\nbob");
    awaitText("#answers", "0 of 2 may be in the filter");
    awaitText("#answers", "certainly not");
    page.click("#elements button[value=add]");
    awaitText("#answers", "2 of 2 were new");
    send("test", "alice\nnobody");
    awaitText("#answers", "1 of 2 may be in the filter");
  }

  /** Text for the next filter would otherwise be read as hex. */
  @Test
  void anEncodingIsForOneFilter() {
    show(Api.newFilter(), "elements");
    page.pick("#encoding", "hex");
    page.type("#text", "00ff\n\nno hex");
    page.click("#elements button[value=test]");
    awaitText("#elements #outcome", "Line 3 ");
    page.type("#text", "00ff");
    page.click("#elements button[value=test]");
    awaitText("#answers", "0 of 1 may be in the filter");
    show(Api.newFilter(), "elements");
    assertEquals("utf-8", page.value("#encoding"));
    assertEquals("", page.value("#text"));
    assertComplaints(1);
  }

  @Test
  void aFilterExpiresSomeTimeAfterItsLastUse() {
    var name = Api.newFilter();
    show(name, "settings");
    ask("#expire", name);
    page.type("#ask-ttl", "2");
    page.pick("#ask-since", "add");
    awaitText("#ask-ttl-hint", "Expires 2 days after the last add");
    var line = curl("#confirm-curl");
    assertTrue(line.contains("{\"idleSeconds\":172800}"), line);
    yes();
    page.await("!" + element("#keep") + ".hidden");
    show(name);
    awaitText("#expiry-now", "Expires if idle");
    awaitText("#expiry-now", "2 days after the last add");
    assertFalse(page.has("#is-template"));
    show(name, "settings");
    confirm("#keep", name);
    page.await(element("#keep") + ".hidden");
    Api.describe(name).body("idleSeconds", nullValue());
  }

  @Test
  void changesMustBeConfirmed() {
    var name = Api.newFilter();
    Api.add(name, "a", "b");
    show(name, "settings");

    ask("#clear", name);
    page.click("#confirm-no");
    page.await("!" + element("#confirm") + ".open");
    Api.test(name, "a").body("mightContainCount", equalTo(1));

    ask("#expire", name);
    page.type("#ask-ttl", "soon");
    page.click("#confirm-yes");
    page.await("document.activeElement.id === 'ask-ttl'");
    page.type("#ask-ttl", "1.5");
    page.pick("#ask-unit", "3600");
    yes();
    page.await("!" + element("#keep") + ".hidden");
    Api.describe(name).body("expiresAt", notNullValue());

    confirm("#keep", name);
    page.await(element("#keep") + ".hidden");
    Api.describe(name).body("expiresAt", nullValue());

    confirm("#clear", name);
    awaitElements(0);
    Api.test(name, "a").body("mightContainCount", equalTo(0));

    confirm("#delete", name);
    page.await(element("#filters"));
    Api.describe(name).statusCode(404);
  }

  /** The action would otherwise change a filter that is no longer shown. */
  @Test
  void goingBackClosesTheDialog() {
    var name = Api.newFilter();
    show(name);
    show(name, "settings");
    ask("#clear", name);
    page.evaluate("history.back()");
    page.await("!" + element("#confirm") + ".open");
  }

  /**
   * Holds back a request until the filter is being deleted, and then the response to the delete for
   * the time of two polls.
   */
  @Test
  void aFilterBeingDeletedIsNotPolled() {
    var name = Api.newFilter();
    show(name, "settings");
    page.evaluate(
        """
        window.order = [];
        window.holds = window.held = false;
        const real = window.fetch;
        const until = async (condition) => {
          while (!condition()) {
            await new Promise((next) => setTimeout(next, 10));
          }
        };
        window.fetch = async (url, options) => {
          const isFilter = url.pathname === '/v1/filters/%s';
          if (isFilter && options.method === 'GET') {
            window.held = window.holds;
            await until(() => !window.holds);
          }
          window.order.push(isFilter ? options.method : 'other');
          const answer = await real(url, options);
          if (options.method === 'DELETE') {
            const sent = performance.now();
            await until(() => performance.now() > sent + 2500);
          }
          return answer;
        };
        undefined"""
            .formatted(name));
    ask("#delete", name);
    page.evaluate("window.holds = true");
    page.await("window.held");
    page.click("#confirm-yes");
    page.evaluate("window.holds = false");
    page.await(element("#filters"));
    assertEquals(
        "GET,DELETE",
        page.evaluate("window.order.filter(sent => sent !== 'other').slice(-2).join()").asText());
  }

  @Test
  void filtersAreCopiedMergedAndRenamed() {
    var name = Api.newFilter();
    var copy = Api.newName();
    Api.add(name, "a");
    show(name, "settings");

    ask("#copy", name);
    page.type("#ask-to", "no name");
    awaitText("#ask-to-hint", "at most 128");
    page.type("#ask-to", copy);
    yes();
    awaitShown(copy);
    Api.add(copy, "b");

    show(name, "settings");
    ask("#merge", name);
    page.type("#ask-from", copy);
    yes();
    awaitElements(2);
    Api.test(name, "a", "b").body("mightContainCount", equalTo(2));

    ask("#rename", name);
    page.type("#ask-to", copy);
    page.click("#confirm-yes");
    awaitText("#confirm #outcome", "exists");
    assertEquals(copy, page.value("#ask-to"));
    page.click("#ask-replace");
    yes();
    awaitShown(copy);
    awaitInView("#outcome", "The filter was renamed to " + copy);
    Api.describe(name).statusCode(404);
    Api.test(copy, "a", "b").body("mightContainCount", equalTo(2));
    assertComplaints(1);
  }

  @Test
  void aLateSuccessDoesNotReplaceTheProblemInADialog() {
    var name = Api.newFilter();
    var other = Api.newFilter();
    show(name, "settings");
    page.evaluate(
        """
        window.holds = window.held = false;
        const real = window.fetch;
        window.fetch = async (url, options) => {
          while (window.holds && url.pathname === '/v1/filters') {
            window.held = true;
            await new Promise((next) => setTimeout(next, 10));
          }
          return real(url, options);
        };
        undefined""");
    ask("#clear", name);
    page.evaluate("window.holds = true");
    yes();
    ask("#rename", name);
    page.type("#ask-to", other);
    page.click("#confirm-yes");
    awaitText("#confirm #outcome", "exists");
    page.await("window.held");
    page.evaluate("window.holds = false");
    page.await("/cleared/.test(" + element("#status") + ".textContent)");
    awaitText("#confirm #outcome", "exists");
    assertComplaints(1);
  }

  @Test
  void aRebuildIsOpenedLoadedCommittedAndAborted() throws IOException {
    var name = Api.newFilter();
    Api.add(name, "old");
    show(name, "rebuild");
    ask("#open-rebuild", name);
    page.type("#ask-n", "20k");
    page.type("#ask-p", "1 in 1000");
    yes();
    page.await("!" + element("#commit") + ".hidden");

    show(name, "load");
    page.upload("#file", lines(5_000));
    assertEquals("rebuild", page.value("#load-way"));
    page.click("#load-form button");
    awaitText("#outcome", "5,000 lines loaded");
    show(name, "rebuild");
    awaitText("#rebuild", "5,000");

    confirm("#commit", name);
    awaitText("#elements-now", "of 20,000");
    Api.test(name, "line-4999", "old").body("mightContain[0]", equalTo(true));
    Api.describe(name).body("falsePositiveProbability", equalTo(0.001f));

    confirm("#open-rebuild", name);
    page.await("!" + element("#abort") + ".hidden");
    // Nothing was loaded, and the console says so before it sends anything.
    ask("#commit", name);
    page.click("#confirm-yes");
    awaitText("#ask-empty-hint", "Load elements first, or tick this");
    page.click("#confirm-no");
    confirm("#abort", name);
    page.await(element("#abort") + ".hidden");
    Api.test(name, "line-4999").body("mightContainCount", equalTo(1));
  }

  @Test
  void aSourceIsSetChangedAndRemoved() {
    var name = Api.newFilter();
    show(name, "rebuild");
    ask("#set-source", name);
    page.click("#confirm-yes");
    awaitText("#ask-place-hint", "Enter the key");
    page.type("#ask-place", "users:" + name);
    page.type("#ask-schedule", "sometimes");
    awaitText("#ask-schedule-hint", "Enter an interval such as 6 h");
    page.type("#ask-schedule", "6 h");
    awaitText("#ask-schedule-hint", "every 6 hours");
    assertAccessible("source");
    yes();
    awaitText("#source-figures", "every 6 hours");
    Api.describe(name)
        .body("source.redisKey", equalTo("users:" + name))
        .body("source.schedule.everySeconds", equalTo(21_600));

    ask("#set-source", name);
    assertEquals("users:" + name, page.value("#ask-place"));
    assertEquals("6 h", page.value("#ask-schedule"));
    assertEquals("50 %", page.value("#ask-share"));
    page.type("#ask-schedule", "0 3 * * *");
    page.type("#ask-zone", "Europe/Berlin");
    page.type("#ask-least", "1k");
    page.type("#ask-share", "0 %");
    yes();
    awaitText("#source-figures", "cron 0 3 * * *, Europe/Berlin");
    awaitText("#source-figures", "1,000 elements");
    Api.describe(name)
        .body("source.minElements", equalTo(1_000))
        .body("source.minShareOfLastRun", equalTo(0f));

    confirm("#remove-source", name);
    page.await(element("#remove-source") + ".hidden");
    Api.describe(name).body("source", nullValue());
  }

  /** The service answers once it is done, which can take a while. */
  @ParameterizedTest
  @EnumSource(names = {"MERGE", "COPY"})
  void aLongChangeShowsHowFarItIs(ContentTransfer.Kind kind) {
    var name = Api.newFilter();
    var other = kind == ContentTransfer.Kind.MERGE ? Api.newFilter() : Api.newName();
    var verb = kind.name().toLowerCase(Locale.ROOT);
    show(name, "settings");
    page.evaluate(
        """
        window.holds = true;
        const real = window.fetch;
        window.fetch = async (url, options) => {
          while (window.holds && url.pathname.endsWith('/%s')) {
            await new Promise((next) => setTimeout(next, 10));
          }
          return real(url, options);
        };
        undefined"""
            .formatted(verb));
    ask("#" + verb, name);
    page.type(kind == ContentTransfer.Kind.MERGE ? "#ask-from" : "#ask-to", other);
    page.click("#confirm-yes");
    awaitText("#confirm #transfer-text", "ing: 1 second");
    assertFalse(page.evaluate(element("#transfer-bar") + ".hasAttribute('value')").asBoolean());
    var to = new FilterName(kind == ContentTransfer.Kind.MERGE ? name : other);
    try (var transfer = transfers.begin(kind, to, 5 << 19)) {
      transfer.wrote(1 << 20);
      awaitText("#confirm #transfer-text", ", 40 %, 1 MiB of 2.5 MiB written");
      assertEquals(0.4, page.evaluate(element("#transfer-bar") + ".position").asDouble());
      transfer.wrote(1 << 19);
      awaitText("#confirm #transfer-text", ", 60 %, 1.5 MiB of 2.5 MiB written");
    }
    page.await("!" + element("#transfer-bar") + ".hasAttribute('value')");
    page.evaluate("window.holds = false");
    page.await("!" + element("#confirm") + ".open");
    awaitShown(kind == ContentTransfer.Kind.MERGE ? name : other);
  }

  @Test
  void outcomesAreShownNextToTheirButtons() {
    var name = Api.newFilter();
    show(name, "settings");
    ask("#expire", name);
    page.type("#ask-ttl", "2");
    yes();
    awaitInView("#expire ~ #outcome", "The expiry was set");

    show(name, "rebuild");
    confirm("#open-rebuild", name);
    awaitInView("#open-rebuild ~ #outcome", "The rebuild is open");
    Api.raw().delete(Api.FILTERS + name + "/rebuild").then().statusCode(204);
    page.click("#abort");
    page.click("#confirm-yes");
    awaitInView("#confirm #outcome", "rebuild");
    page.click("#confirm-no");
    page.await("!" + element("#outcome"));

    go("#new");
    page.type("#name", name);
    page.type("#expected", "77");
    page.click("#create button[type=submit]");
    awaitInView("#create #outcome", "exists");
    assertEquals(name, page.value("#name"));
    var other = Api.newName();
    page.type("#name", other);
    create(other);
    awaitInView("#described #outcome", other + " was created");

    show(other, "settings");
    confirm("#delete", other);
    awaitInView("#filters #outcome", other + " was deleted");
    assertComplaints(2);
  }

  /** Polling must not make the page flicker or screen readers repeat themselves. */
  @Test
  void pollingKeepsInputAndUpdatesOnlyChanges() {
    var name = Api.newFilter();
    show(name, "elements");
    page.evaluate(element("#text") + ".focus()");
    page.type("#text", "alice");
    page.evaluate(element("#text") + ".setSelectionRange(2, 3)");
    page.evaluate(
        "window.written = new Set(); new MutationObserver(all => all.forEach(({target}) => {"
            + " const place = target.closest?.('[id]') ?? target.parentElement?.closest('[id]');"
            + " window.written.add(place?.id ?? target.nodeName); })).observe(document.body,"
            + " {subtree: true, childList: true, characterData: true, attributes: true}); undefined");
    awaitPolls();
    assertEquals("", page.evaluate("[...window.written].join()").asText());
    assertEquals(
        "alice 2 3 text",
        page.evaluate(
                "(e => [e.value, e.selectionStart, e.selectionEnd, document.activeElement.id].join(' '))("
                    + element("#text")
                    + ")")
            .asText());
    Api.add(name, "a");
    page.await("window.written.has('elements-now')");
    assertEquals("alice", page.value("#text"));
  }

  /** The browser reports with a delay that a dialog has closed. */
  @Test
  void aDialogThatOpensAsAnotherClosesStaysOpen() {
    var name = Api.newFilter();
    show(name, "settings");
    ask("#rename", name);
    page.evaluate(element("#confirm-no") + ".click(); " + element("#copy") + ".click(); undefined");
    awaitText("#confirm-heading", "Copy " + name);
    var copy = Api.newName();
    page.type("#ask-to", copy);
    yes();
    awaitShown(copy);
  }

  /** Escape closes a dialog, Enter confirms it, and the focus returns to where it was. */
  @Test
  void dialogsAreAnsweredByTheKeyboard() {
    var name = Api.newFilter();
    show(name, "settings");
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
    awaitShown(copy);
  }
}
