package io.github.bloomgate.docs;

import static io.restassured.RestAssured.get;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.http.Api;
import io.github.bloomgate.server.observe.FilterGauges;
import io.quarkus.test.junit.QuarkusTest;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The metrics the documentation lists are those the service has, with their labels. */
@QuarkusTest
class MetricsDocTest {

  private static final Pattern SAMPLE =
      Pattern.compile(
          "^(bloom_\\w+?)(?:_count|_sum|_max|_bucket)?(?:\\{(\\w+)=.*})? ", Pattern.MULTILINE);

  private final FilterGauges filters;

  MetricsDocTest(FilterGauges filters) {
    this.filters = filters;
  }

  @Test
  void everyMetricIsListedWithItsLabel() {
    // Some appear with the first element.
    Api.put("0-metrics", "{\"expectedInsertions\": 10, \"counting\": true}");
    Api.post("0-metrics", "remove", "{\"elements\": [\"a\"]}").statusCode(200);
    get("/v1/filters/0-metrics/test?element=a").then().statusCode(200);
    filters.refresh();

    var served =
        SAMPLE
            .matcher(get("/q/metrics").asString())
            .results()
            .map(sample -> sample.group(1) + label(sample.group(2)))
            .collect(Collectors.toCollection(TreeSet::new));

    assertEquals(served, listed("docs/monitoring.md"));
  }

  @Test
  void theHelpOfEachIsASentenceThatPromtoolReads() {
    get("/v1/filters").then().statusCode(200);
    var answer = get("/q/metrics");
    assertTrue(answer.contentType().startsWith("text/plain"), answer.contentType());

    var helped = new TreeSet<String>();
    for (var line : answer.asString().lines().filter(line -> line.startsWith("# HELP ")).toList()) {
      var name = line.split(" ", -1)[2];
      assertTrue(helped.add(name), () -> name + " has help twice");
      var help = line.substring("# HELP ".length() + name.length() + 1);
      assertFalse(help.isBlank() || help.contains("\\"), line);
      assertTrue(!name.startsWith("bloom_") || help.matches("[A-Z1].* .* .*\\."), line);
    }
    var types = Pattern.compile("^# TYPE (\\w+) ", Pattern.MULTILINE);
    assertEquals(
        types
            .matcher(answer.asString())
            .results()
            .map(type -> type.group(1))
            .collect(Collectors.toCollection(TreeSet::new)),
        helped);
  }

  private static Set<String> listed(String page) {
    return MarkdownFile.read(page).rows().stream()
        .map(cells -> MarkdownFile.code(cells.get(0)))
        .filter(name -> name.startsWith("bloom_"))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String label(String name) {
    return name == null ? "" : "{" + name + "}";
  }
}
