package io.github.bloomgate.embedded;

import io.github.bloomgate.config.BloomgateConfig;
import java.nio.file.Path;
import java.time.Duration;

/** The settings of an embedded Redis under test. */
record Settings(Path dataDir, int port, Duration startTimeout) implements BloomgateConfig.Embedded {

  static Settings in(Path dataDir) {
    return new Settings(dataDir, 0, Duration.ofMinutes(2));
  }

  Settings withPort(int newPort) {
    return new Settings(dataDir, newPort, startTimeout);
  }

  Settings withStartTimeout(Duration newTimeout) {
    return new Settings(dataDir, port, newTimeout);
  }
}
