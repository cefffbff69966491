package io.github.bloomgate.docs;

import static io.restassured.RestAssured.get;
import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.greaterThan;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.bloomgate.http.Api;
import io.github.bloomgate.server.observe.FilterGauges;
import io.github.bloomgate.support.Found;
import io.github.bloomgate.support.Interpreter;
import io.github.bloomgate.support.ProjectFiles;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * docs/monitoring.md lists exactly the metrics of the service, and the dashboard and the alerts use
 * no other metrics.
 */
@QuarkusTest
class MonitoringDocTest {

  private static final String ALERTS = "docs/monitoring/alerts.yaml";
  private static final String ALERTS_TEST = "src/test/resources/monitoring/alerts-test.yaml";
  private static final String DASHBOARD = "docs/monitoring/grafana-dashboard.json";

  /** Metrics of Prometheus itself. */
  private static final Map<String, Set<String>> OF_PROMETHEUS = Map.of("up", Set.of());

  private static final Set<String> LABELS_OF_PROMETHEUS = Set.of("job", "instance");

  /** Words of the query language in places where a metric could be. */
  private static final Set<String> WORDS = Set.of("or", "and", "unless", "offset", "by");

  private static final Pattern SAMPLE =
      Pattern.compile("^([a-z]\\w+)(?:\\{(.*)})? \\S+$", Pattern.MULTILINE);
  private static final Pattern METRIC =
      Pattern.compile(
          "^(bloom_\\w+?)(?:_count|_sum|_max|_bucket)?(?:\\{(\\w+)=.*})? ", Pattern.MULTILINE);

  private static final Pattern LABEL = Pattern.compile("(\\w+)\\s*(?:=~|!~|!=|=)\\s*\"[^\"]*\"");
  private static final Pattern SELECTOR =
      Pattern.compile("\\b([a-z]\\w*)\\b(?!\\s*\\()(?:\\{((?:[^{}\"]|\"[^\"]*\")*)})?");
  private static final Pattern GROUPS =
      Pattern.compile("\\b(?:by|without|on|ignoring)\\s*\\(([^)]*)\\)");

  @Inject FilterGauges filters;

  @BeforeEach
  void useTheService() {
    Api.put("0-monitoring", "{\"expectedInsertions\": 10, \"counting\": true}").statusCode(201);
    try {
      Api.post("0-monitoring", "add", "{\"elements\": [\"a\"]}").statusCode(200);
      Api.post("0-monitoring", "remove", "{\"elements\": [\"a\"]}").statusCode(200);
      get("/v1/filters/0-monitoring/test?element=a").then().statusCode(200);
      get("/v1/filters/0-monitoring/follow?once=true").then().statusCode(200);
      Awaitility.await().until(() -> Api.metric("bloom_follow_ended_total"), greaterThan(0.0));
      filters.refresh();
    } finally {
      given().delete("/v1/filters/0-monitoring");
    }
  }

  @Test
  void everyMetricIsListedWithItsLabel() {
    var served =
        METRIC
            .matcher(get("/q/metrics").asString())
            .results()
            .map(
                sample ->
                    sample.group(1) + (sample.group(2) == null ? "" : "{" + sample.group(2) + "}"))
            .collect(Collectors.toCollection(TreeSet::new));

    assertEquals(served, listed());
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
    assertEquals(Found.in(answer.asString(), types), helped);
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
        ProjectFiles.json(DASHBOARD)
            .at("/panels")
            .valueStream()
            .flatMap(panel -> texts(panel.path("targets"), "expr").stream())
            .toList();
    assertTrue(expressions.size() > 30, "too few panels");
    assertServed(expressions);
  }

  @Test
  void everyMetricOfTheServiceIsOnTheDashboard() {
    var shown = ProjectFiles.json(DASHBOARD).toString();
    var missing =
        listed().stream()
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
    rules()
        .valueStream()
        .forEach(
            rule -> {
              var name = rule.path("alert").asText();
              var severity = rule.at("/labels/severity").asText();
              assertTrue(Set.of("critical", "warning").contains(severity), name);
              assertFalse(rule.at("/annotations/summary").asText().isEmpty(), name);
            });
  }

  @Test
  void everyAlertHasATestInWhichItFiresAndOneInWhichItDoesNot() {
    var fired = new TreeSet<String>();
    var silent = new TreeSet<String>();
    for (var test : ProjectFiles.yaml(ALERTS_TEST).path("tests")) {
      for (var expected : test.path("alert_rule_test")) {
        (expected.has("exp_alerts") ? fired : silent).add(expected.path("alertname").asText());
      }
    }

    var alerts = new TreeSet<>(texts(rules(), "alert"));
    assertEquals(alerts, fired);
    assertEquals(alerts, silent);
  }

  @Tag("slow")
  @Test
  void promtoolFindsThatAlertsFireWhenTheyShould() throws Exception {
    var tests = promtool("test rules " + ALERTS_TEST);
    assertTrue(tests.startsWith("0") && tests.contains("SUCCESS"), tests);
  }

  @Tag("slow")
  @Test
  void promtoolReadsTheMetrics(@TempDir Path folder) throws Exception {
    get("/v1/filters").then().statusCode(200);
    var metrics = Files.writeString(folder.resolve("metrics"), get("/q/metrics").asString());
    var output = promtool("check metrics < " + metrics);
    // Exit code 3 means that everything was parsed but a name or a help text is unusual. We only
    // accept this for the framework's metrics.
    assertTrue(output.startsWith("0") || output.startsWith("3"), output);
    var ours = output.substring(1).lines().filter(line -> line.strip().startsWith("bloom_"));
    assertEquals(List.of(), ours.toList());
  }

  @Tag("slow")
  @Test
  void promtoolReadsTheRulesAndTheConfiguration() throws Exception {
    var rules = promtool("check rules " + ALERTS);
    assertTrue(rules.startsWith("0") && rules.contains("rules found"), rules);
    var configuration = promtool("check config --syntax-only deploy/monitoring/prometheus.yml");
    assertTrue(configuration.startsWith("0"), configuration);
  }

  private static String promtool(String arguments) throws Exception {
    Interpreter.assume("promtool", "--version");
    return Interpreter.run(Path.of("."), "sh", "-c", "promtool " + arguments);
  }

  private static Set<String> listed() {
    return MarkdownFile.read("docs/monitoring.md").rows().stream()
        .map(cells -> MarkdownFile.code(cells.get(0)))
        .filter(name -> name.startsWith("bloom_"))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Asserts that every metric exists and has the labels that expressions use. */
  private static void assertServed(List<String> expressions) {
    var served = served();
    for (var expression : expressions) {
      // Grouping clauses contain names of labels, and square brackets contain durations.
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

  /** The labels of each metric that the service exports. */
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
    return labels == null ? Set.of() : Found.in(labels, LABEL);
  }

  private static JsonNode rules() {
    return ProjectFiles.yaml(ALERTS).at("/groups/0/rules");
  }

  private static List<String> texts(JsonNode items, String field) {
    return items.valueStream().map(item -> item.path(field).asText()).toList();
  }
}
