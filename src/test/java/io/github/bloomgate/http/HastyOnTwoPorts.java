package io.github.bloomgate.http;

import io.quarkus.test.junit.QuarkusTestProfile;
import java.util.Map;

/**
 * Closes idle connections, spools few answers for slow clients, and uses any free port for health
 * and metrics. Tests share this profile if these settings do not disturb them, because preparing
 * and starting a profile takes longer than running several of their classes.
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
