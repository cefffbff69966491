package io.github.bloomgate.redis.embedded;

import io.github.bloomgate.config.BloomgateConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** The settings of an embedded Redis under test. */
record Settings(
    Path dataDir, Optional<Integer> port, Optional<Path> executable, Duration startTimeout)
    implements BloomgateConfig.Embedded {

  static Settings in(Path dataDir) {
    return new Settings(dataDir, Optional.empty(), Optional.empty(), Duration.ofMinutes(2));
  }

  Settings withPort(int newPort) {
    return new Settings(dataDir, Optional.of(newPort), executable, startTimeout);
  }

  Settings withExecutable(Path newExecutable) {
    return new Settings(dataDir, port, Optional.of(newExecutable), startTimeout);
  }

  Settings withStartTimeout(Duration newTimeout) {
    return new Settings(dataDir, port, executable, newTimeout);
  }
}
