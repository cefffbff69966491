package io.github.bloomgate.http;

import io.quarkus.test.junit.QuarkusTestProfile;
import java.util.Map;

/**
 * Closes connections on which nothing moves, keeps few answers for slow clients, and has any free
 * port for health and metrics. One profile for tests that do not notice the settings of each other,
 * because each takes as long as several of their classes to prepare and start.
 */
public final class HastyOnTwoPorts implements QuarkusTestProfile {
  @Override
  public Map<String, String> getConfigOverrides() {
    return Map.of(
        "quarkus.http.idle-timeout", "4s",
        "bloomgate.streams.answers-max-size", "2M",
        "bloomgate.management.port", "0",
        "bloomgate.management.host", "127.0.0.1");
  }
}
