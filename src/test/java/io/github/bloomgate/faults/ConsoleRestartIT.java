package io.github.bloomgate.faults;

import static io.github.bloomgate.console.ConsolePage.awaitText;
import static io.github.bloomgate.support.Chromium.element;

import io.github.bloomgate.console.ConsolePage;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.Chromium;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The console reconnects to a restarted service. */
@Tag("faults")
class ConsoleRestartIT {

  private static final String FILTER = "restarted";

  @Test
  void thePageReconnectsAfterARestart() throws Exception {
    try (var redis = TestRedis.started();
        var page = Chromium.start()) {
      int port;
      try (var service = PackagedService.start(redis.uri())) {
        port = service.port();
        service.done("PUT", "/v1/filters/" + FILTER, "{\"expectedInsertions\": 100}");
        ConsolePage.open(page, port, "#/" + FILTER);
        ConsolePage.awaitShown(page, FILTER);
      }
      awaitText(page, "#connection", "No response since ");
      try (var service = PackagedService.start(redis.uri(), "quarkus.http.port=" + port)) {
        page.await(element("#connection") + ".hidden");
        service.done("POST", "/v1/filters/" + FILTER + "/add", "{\"elements\": [\"a\", \"b\"]}");
        ConsolePage.awaitElements(page, 2);
      }
    }
  }
}
