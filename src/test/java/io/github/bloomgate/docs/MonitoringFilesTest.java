package io.github.bloomgate.docs;

import static io.restassured.RestAssured.get;
import static io.restassured.RestAssured.given;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.github.bloomgate.http.Api;
import io.github.bloomgate.server.observe.FilterGauges;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The dashboard and the alert rules use existing metrics, and the page explains them. */
@QuarkusTest
class MonitoringFilesTest {

  private static final Path ALERTS = Path.of("docs", "monitoring", "alerts.yaml");
  private static final Path DASHBOARD = Path.of("docs", "monitoring", "grafana-dashboard.json");

  /** Metrics of Prometheus itself. */
  private static final Map<String, Set<String>> OF_PROMETHEUS = Map.of("up", Set.of());

  private static final Set<String> LABELS_OF_PROMETHEUS = Set.of("job", "instance");

  /** Words of the query language, in places where a metric could be. */
  private static final Set<String> WORDS = Set.of("or", "and", "unless", "offset", "by");

  private static final Pattern SAMPLE =
      Pattern.compile("^([a-z]\\w+)(?:\\{(.*)})? \\S+$", Pattern.MULTILINE);
  private static final Pattern LABEL = Pattern.compile("(\\w+)\\s*(?:=~|!~|!=|=)\\s*\"[^\"]*\"");
  private static final Pattern SELECTOR =
      Pattern.compile("\\b([a-z]\\w*)\\b(?!\\s*\\()(?:\\{((?:[^{}\"]|\"[^\"]*\")*)})?");
  private static final Pattern GROUPS =
      Pattern.compile("\\b(?:by|without|on|ignoring)\\s*\\(([^)]*)\\)");

  private final FilterGauges filters;

  MonitoringFilesTest(FilterGauges filters) {
    this.filters = filters;
  }

  @BeforeEach
  void useTheService() {
    Api.put("0-monitoring", "{\"expectedInsertions\": 10, \"counting\": true}").statusCode(201);
    try {
      Api.post("0-monitoring", "add", "{\"elements\": [\"a\"]}").statusCode(200);
      Api.post("0-monitoring", "remove", "{\"elements\": [\"a\"]}").statusCode(200);
      get("/v1/filters/0-monitoring/test?element=a").then().statusCode(200);
      filters.refresh();
    } finally {
      given().delete("/v1/filters/0-monitoring");
    }
  }

  @Test
  void everyMetricOfTheAlertsIsServed() {
    var expressions = texts(rules(), "expr");
    assertFalse(expressions.isEmpty());
    assertServed(expressions);
  }

  @Test
  void everyMetricOfTheDashboardIsServed() {
    var expressions =
        stream(json().at("/panels"))
            .flatMap(panel -> texts(panel.path("targets"), "expr").stream())
            .toList();
    assertTrue(expressions.size() > 30, "panels must have been found");
    assertServed(expressions);
  }

  @Test
  void everyMetricOfTheServiceIsOnTheDashboard() {
    var shown = json().toString();
    var missing =
        MarkdownFile.read("docs/monitoring.md").rows().stream()
            .map(cells -> MarkdownFile.code(cells.get(0)))
            .filter(name -> name.startsWith("bloom_"))
            .map(name -> name.replaceAll("\\{.*", ""))
            .filter(name -> !shown.contains(name))
            .toList();
    assertEquals(List.of(), missing);
  }

  @Test
  void everyAlertIsExplained() {
    var explained =
        MarkdownFile.read("docs/failures.md").rows().stream()
            .filter(cells -> MarkdownFile.code(cells.get(0)).matches("Bloomgate\\w+"))
            .collect(Collectors.toMap(cells -> MarkdownFile.code(cells.get(0)), List::size));

    assertEquals(new TreeSet<>(texts(rules(), "alert")), new TreeSet<>(explained.keySet()));
    assertEquals(Set.of(3), new HashSet<>(explained.values()), "meaning and what to do");
  }

  @Test
  void everyAlertHasASeverityAndASummary() {
    stream(rules())
        .forEach(
            rule -> {
              var name = rule.path("alert").asText();
              var severity = rule.at("/labels/severity").asText();
              assertTrue(Set.of("critical", "warning").contains(severity), name);
              assertFalse(rule.at("/annotations/summary").asText().isEmpty(), name);
            });
  }

  @Test
  void thePanelsOfTheDashboardDoNotOverlap() {
    var taken = new HashSet<String>();
    var ids = new HashSet<Integer>();
    stream(json().at("/panels"))
        .forEach(
            panel -> {
              var place = panel.path("gridPos");
              assertTrue(ids.add(panel.path("id").asInt()), "id of " + panel.path("title"));
              for (var x = 0; x < place.path("w").asInt(); x++) {
                for (var y = 0; y < place.path("h").asInt(); y++) {
                  var column = place.path("x").asInt() + x;
                  assertTrue(column < 24, "too wide: " + panel.path("title"));
                  assertTrue(
                      taken.add(column + "," + (place.path("y").asInt() + y)),
                      () -> "overlaps: " + panel.path("title"));
                }
              }
            });
  }

  /** Every metric there is, and every label that is asked for is one of its. */
  private static void assertServed(List<String> expressions) {
    var served = served();
    for (var expression : expressions) {
      // Groups hold names of labels; those in brackets are times.
      var selectors =
          SELECTOR.matcher(
              GROUPS.matcher(expression).replaceAll("").replaceAll("\\[[^]]*]|\\b\\d\\w*", ""));
      var metrics = new TreeMap<String, Set<String>>();
      selectors
          .results()
          .filter(found -> !WORDS.contains(found.group(1)))
          .forEach(
              found ->
                  metrics
                      .computeIfAbsent(found.group(1), ignored -> new TreeSet<>())
                      .addAll(labels(found.group(2))));
      assertFalse(metrics.isEmpty(), expression);
      var grouped =
          GROUPS
              .matcher(expression)
              .results()
              .flatMap(group -> List.of(group.group(1).split("\\s*,\\s*")).stream())
              .filter(label -> !LABELS_OF_PROMETHEUS.contains(label))
              .toList();
      metrics.forEach(
          (metric, labels) -> {
            var has = served.get(metric);
            assertTrue(has != null, () -> metric + " is not served: " + expression);
            labels.removeAll(LABELS_OF_PROMETHEUS);
            labels.addAll(grouped);
            assertTrue(has.containsAll(labels), () -> metric + has + ": " + expression);
          });
    }
  }

  /** The labels of each metric that is served. */
  private static Map<String, Set<String>> served() {
    var served = new TreeMap<String, Set<String>>(OF_PROMETHEUS);
    SAMPLE
        .matcher(get("/q/metrics").then().statusCode(200).extract().asString())
        .results()
        .forEach(
            sample ->
                served
                    .computeIfAbsent(sample.group(1), ignored -> new TreeSet<>())
                    .addAll(labels(sample.group(2))));
    return served;
  }

  private static Set<String> labels(String labels) {
    return labels == null
        ? Set.of()
        : LABEL
            .matcher(labels)
            .results()
            .map(label -> label.group(1))
            .collect(Collectors.toCollection(TreeSet::new));
  }

  private static JsonNode rules() {
    return tree(new ObjectMapper(new YAMLFactory()), ALERTS).at("/groups/0/rules");
  }

  private static JsonNode json() {
    return tree(new ObjectMapper(), DASHBOARD);
  }

  private static JsonNode tree(ObjectMapper mapper, Path file) {
    try {
      return mapper.readTree(file.toFile());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> texts(JsonNode items, String field) {
    return stream(items).map(item -> item.path(field).asText()).toList();
  }

  private static Stream<JsonNode> stream(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false);
  }
}
