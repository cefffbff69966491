package io.github.bloomgate.http;

import io.github.bloomgate.support.TestHttp;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import io.quarkus.test.junit.QuarkusTestProfile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;

/**
 * Closes idle connections, spools few answers for slow clients, uses any free port for health and
 * metrics, and reads sources from a server of the test. Tests share this profile if these settings
 * do not disturb them, because preparing and starting a profile takes longer than running several
 * of their classes.
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

  @Override
  public List<TestResourceEntry> testResources() {
    return List.of(new TestResourceEntry(Sources.class));
  }

  /** The server of sources. */
  public static final class Sources implements QuarkusTestResourceLifecycleManager {

    static TestHttp http;

    @Override
    public Map<String, String> start() {
      try {
        http = new TestHttp();
      } catch (IOException failure) {
        throw new UncheckedIOException(failure);
      }
      return Map.of("bloomgate.sources.allowed-urls", http.url("/"));
    }

    @Override
    public void stop() {
      http.close();
    }
  }
}
