package io.github.bloomgate.console;

import static io.github.bloomgate.support.Chromium.element;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.http.Api;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The page that tests elements in several filters. */
@QuarkusTest
class ConsoleSeveralInChromiumTest extends ConsoleInChromium {

  private static final String TEST = "#several button[value=test]";

  private static String rows() {
    return page.evaluate(
            "[...document.querySelectorAll('.several tr')].map(row => [...row.cells].map(c =>"
                + " c.textContent).join(' ')).join('; ')")
        .asText();
  }

  /** Creates two filters whose names have a prefix. */
  private static List<String> createTwo(String prefix) {
    var filters = List.of(prefix + ".1", prefix + ".2");
    filters.forEach(name -> Api.put(name, "{\"expectedInsertions\": 1000}").statusCode(201));
    return filters;
  }

  @Test
  void theFiltersSearchedForAreTested() {
    var prefix = Api.newName();
    var filters = createTwo(prefix);
    Api.add(filters.get(0), "one", "both");
    Api.add(filters.get(1), "both");
    search(prefix);
    awaitRows(2);
    page.click("#test-several");
    page.await("document.activeElement.id === 'text'");
    assertEquals(String.join("\n", filters), page.value("#several-names"));
    page.type("#text", "one\nboth\nnone");
    page.click(TEST);
    awaitText("#several-answers", "2 of 3 might be in a filter, 1 in all of them");
    assertEquals(
        "Element Any All %s %s; one maybe no maybe no; both maybe maybe maybe maybe; none no no no no"
            .formatted(filters.get(0), filters.get(1)),
        rows());
    assertTrue(curl("#several-test-curl").endsWith("/v1/test'"), "a curl command for the request");
  }

  @Test
  void aFilterIsPickedAndTheAddressKeepsIt() {
    var prefix = Api.newName();
    var filters = createTwo(prefix);
    search(prefix);
    awaitRows(2);
    go("#test");
    for (var name : filters) {
      page.await(element("#several-pick option[value='" + name + "']"));
      page.pick("#several-pick", name);
      page.await(element("#several-names") + ".value.endsWith('" + name + "')");
      assertEquals("", page.value("#several-pick"));
    }
    assertEquals(String.join("\n", filters), page.value("#several-names"));
    open(page.evaluate("location.hash").asText());
    page.await(element("#several-names") + "?.value.includes('" + filters.get(1) + "')");
    assertEquals(String.join("\n", filters), page.value("#several-names"));
  }

  @Test
  void aMissingFilterIsNamedOrLeftOut() {
    var known = Api.newFilter();
    var missing = Api.newName();
    go("#test");
    page.await("document.activeElement.id === 'several-names'");
    page.type("#several-names", known + ", " + missing);
    page.type("#text", "a");
    page.click(TEST);
    awaitInView("#several #outcome", missing);
    page.click("#several-missing");
    page.click(TEST);
    awaitText("#several-answers", "These filters do not exist: " + missing);
    assertEquals("Element Any All %s; a no no no".formatted(known), rows());
    assertComplaints(1);
  }

  @Test
  void elementsAreAddedToEachFilter() {
    var filters = createTwo(Api.newName());
    Api.add(filters.get(0), "one");
    go("#test?filter=" + filters.get(0) + "&filter=" + filters.get(1));
    page.await("document.activeElement.id === 'text'");
    page.type("#text", "one\ntwo");
    assertTrue(curl("#several-add-curl").endsWith("/v1/add'"), "a curl command for the request");
    page.click("#several button[value=add]");
    awaitText("#several-answers", "All filters now have the elements");
    assertEquals(
        "Element %s %s; one known new; two new new".formatted(filters.get(0), filters.get(1)),
        rows());
    Api.test(filters.get(1), "one", "two").body("mightContainCount", equalTo(2));
  }

  @Test
  void namesAndElementsAreRequired() {
    go("#test");
    page.await("document.activeElement.id === 'several-names'");
    page.click(TEST);
    awaitInView("#several #outcome", "A name is missing");
    page.type("#several-names", "a/b");
    awaitText("#several-names-hint", "“a/b” is not a valid filter name");
    var many = IntStream.range(0, 101).mapToObj(n -> "f" + n).toList();
    page.type("#several-names", String.join(" ", many));
    awaitText("#several-names-hint", "Enter at most 100 names");
    page.type("#several-names", "f1 f2 f1");
    awaitText("#several-names-hint", "2 filters");
    page.click(TEST);
    awaitInView("#several #outcome", "Enter one element per line");
    list();
  }
}
