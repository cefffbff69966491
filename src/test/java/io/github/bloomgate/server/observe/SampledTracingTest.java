package io.github.bloomgate.server.observe;

import static io.restassured.RestAssured.given;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The share of traced requests can be set when the service starts. */
@QuarkusTest
@TestProfile(SampledTracingTest.NoneByChance.class)
@Tag("slow")
class SampledTracingTest {

  private static final String TRACE = "7ae1c9d04bb8442f9d3f5be6f0a2c651";

  @Test
  void onlyClientsTracesAreRecordedAtRatioZero() {
    for (var i = 0; i < 20; i++) {
      given().get("/v1/filters/not-sampled");
    }
    given()
        .header("traceparent", "00-" + TRACE.replace('7', '8') + "-00f067aa0ba902b7-00")
        .get("/v1/filters/not-sampled");
    given()
        .header("traceparent", "00-" + TRACE + "-00f067aa0ba902b7-01")
        .get("/v1/filters/sampled-by-client");

    // Spans are sent in the order in which they end, so this is the last one.
    Awaitility.await()
        .until(() -> TracingTest.all().contains(TracingTest.raw(HexFormat.of().parseHex(TRACE))));
    assertTrue(TracingTest.all().contains("/v1/filters/sampled-by-client"));
    assertFalse(TracingTest.all().contains("not-sampled"), "a request without a trace was traced");
  }

  /** Enables traces, but only for requests that arrive with a trace. */
  public static final class NoneByChance extends TracingTest.Observed {
    @Override
    public Map<String, String> getConfigOverrides() {
      var overrides = new HashMap<>(super.getConfigOverrides());
      overrides.put("quarkus.otel.traces.sampler.arg", "0");
      return overrides;
    }
  }
}
