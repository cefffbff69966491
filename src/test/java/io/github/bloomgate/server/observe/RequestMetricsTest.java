package io.github.bloomgate.server.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.bloomgate.http.contract.Contract;
import io.github.bloomgate.support.ProjectFiles;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tags;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestMetricsTest {

  private static final Contract CONTRACT = new Contract(ProjectFiles.yaml("openapi.yaml"));

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/",
        "/q/health/ready",
        "/v1/filters",
        "/v1/overview",
        "/v1/sizing",
        "root",
        "NOT_FOUND",
        "REDIRECTION",
        "UNKNOWN"
      })
  void pathsOfTheServiceKeepTheirLabels(String uri) {
    assertEquals(uri, label("http.server.requests", "GET", uri, "uri"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/a1", "/a2/b", "/q/a1", "/q/health/a1", "/v1", "/v1/a1", "/v2/filters", "a1", ""})
  void unknownPathsShareOneLabel(String uri) {
    assertEquals("OTHER", label("http.server.requests", "GET", uri, "uri"));
  }

  @ParameterizedTest
  @CsvSource({
    "/v1/filters/users, /v1/filters/{name}",
    "/v1/filters/{name}/add, /v1/filters/{name}/add",
    "/v1/filters/users/rebuild/add/, /v1/filters/{name}/rebuild/add",
    "/v1/filters/users/a1, OTHER",
    "/v1/gate/users, /v1/gate/{name}",
    "/console/page.js, /console/{file}",
    "/console/lit-html-3.3.2/directives/guard.js, /console/{file}"
  })
  void namesOfFiltersAndFilesAreNoLabels(String uri, String label) {
    assertEquals(label, label("http.server.requests", "GET", uri, "uri"));
  }

  @Test
  void unknownMethodsShareOneLabel() {
    assertEquals("OTHER", label("http.server.requests", "A1", "/", "method"));
    assertEquals("PUT", label("http.server.requests", "PUT", "/", "method"));
  }

  @Test
  void allRequestsHaveTheSameLabels() {
    assertEquals("unknown", label("http.server.requests", "GET", "/", "stream"));
    var id =
        new Meter.Id(
            "http.server.requests",
            Tags.of("stream", "true", "method", "GET", "uri", "/"),
            null,
            null,
            Meter.Type.TIMER);
    assertEquals("true", new RequestMetrics(CONTRACT).map(id).getTag("stream"));
  }

  @Test
  void otherMetersKeepTheirLabels() {
    assertEquals("/a1", label("http.client.requests", "GET", "/a1", "uri"));
  }

  private static String label(String meter, String method, String uri, String tag) {
    var id =
        new Meter.Id(meter, Tags.of("method", method, "uri", uri), null, null, Meter.Type.TIMER);
    return new RequestMetrics(CONTRACT).map(id).getTag(tag);
  }
}
