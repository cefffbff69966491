package io.github.bloomgate.console;

import static io.github.bloomgate.support.Chromium.element;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.bloomgate.http.Api;
import io.github.bloomgate.support.RawRedis;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import org.junit.jupiter.api.Test;

/**
 * Going back with fresh text in a field. The browser reports the change of the field while the page
 * removes it.
 */
@QuarkusTest
class ConsoleBackInChromiumTest extends ConsoleInChromium {

  @Inject RawRedis redis;

  private static void goBackToTheList() {
    page.evaluate("history.back()");
    page.await(element("#filters") + " && !" + element("#described, #creation, #in-several"));
    assertEquals("", page.evaluate("location.hash").asText());
    awaitPolls();
    assertEquals("", page.evaluate("location.hash").asText(), "the address of the list stays");
  }

  @Test
  void fromTheFormForANewFilter() {
    Api.newFilter();
    open("");
    for (var field : new String[] {"#name", "#expected", "#rate"}) {
      go("#new");
      page.write(field, "7");
      goBackToTheList();
    }
  }

  @Test
  void fromSeveralFilters() {
    var name = Api.newFilter();
    open("");
    go("#test");
    page.write("#several-names", name);
    goBackToTheList();
    go("#test?filter=" + name);
    page.write("#text", "a");
    goBackToTheList();
  }

  @Test
  void fromTheElementsOfAFilter() {
    var name = Api.newFilter();
    open("");
    show(name, "elements");
    page.write("#text", "a");
    goBackToTheList();
  }

  @Test
  void fromADialog() {
    var name = Api.newFilter();
    open("");
    show(name, "settings");
    ask("#rename", name);
    page.write("#ask-to", "other");
    goBackToTheList();
    page.await("!" + element("#confirm") + ".open");
  }

  @Test
  void fromTheSearchAndTheFirstSteps() {
    var name = Api.newFilter();
    open("#/" + name);
    awaitShown(name);
    list();
    page.write("#search", "a");
    page.evaluate("history.back()");
    awaitShown(name);
    redis.run("FLUSHALL");
    open("#new");
    list();
    page.write("#first-name", "x");
    page.evaluate("history.back()");
    page.await(element("#creation"));
    assertEquals("#new", page.evaluate("location.hash").asText());
  }
}
