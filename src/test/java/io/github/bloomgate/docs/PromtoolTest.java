package io.github.bloomgate.docs;

import static io.restassured.RestAssured.get;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.support.Interpreter;
import io.quarkus.test.junit.QuarkusTest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks our metrics and the Prometheus configuration with promtool, if installed. */
@QuarkusTest
@Tag("slow")
class PromtoolTest {

  @TempDir Path folder;

  @BeforeEach
  void requirePromtool() throws Exception {
    Interpreter.assume("promtool", "--version");
  }

  @Test
  void theMetricsAreWellFormed() throws Exception {
    get("/v1/filters").then().statusCode(200);
    Files.writeString(folder.resolve("metrics"), get("/q/metrics").asString());
    var output = promtool("check metrics < " + folder.resolve("metrics"));
    // 3: all is read, and names or help are not as Prometheus would have them; only of others.
    assertTrue(output.startsWith("0") || output.startsWith("3"), output);
    var ours = output.substring(1).lines().filter(line -> line.strip().startsWith("bloom_"));
    assertEquals(List.of(), ours.toList());
  }

  @Test
  void theRulesAndTheConfigurationAreRead() throws Exception {
    var rules = promtool("check rules docs/monitoring/alerts.yaml");
    assertTrue(rules.startsWith("0") && rules.contains("rules found"), rules);
    var configuration = promtool("check config --syntax-only deploy/monitoring/prometheus.yml");
    assertTrue(configuration.startsWith("0"), configuration);
  }

  private static String promtool(String arguments) throws Exception {
    return Interpreter.run(Path.of("."), "sh", "-c", "promtool " + arguments);
  }
}
