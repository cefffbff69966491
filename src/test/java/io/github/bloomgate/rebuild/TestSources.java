package io.github.bloomgate.rebuild;

import io.github.bloomgate.config.BloomgateConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The allowed sources of a test. */
public record TestSources(
    Optional<List<String>> allowedUrls,
    Optional<Path> folder,
    Duration idleTimeout,
    Duration slowTimeout,
    Duration runTimeout)
    implements BloomgateConfig.Sources {

  TestSources(Optional<List<String>> allowedUrls, Optional<Path> folder, Duration idleTimeout) {
    this(allowedUrls, folder, idleTimeout, Duration.ofMinutes(10), Duration.ofMinutes(10));
  }

  /** Only Redis keys. */
  public static final TestSources NOTHING =
      new TestSources(Optional.empty(), Optional.empty(), Duration.ofSeconds(30));

  static TestSources of(Path folder, String... urls) {
    return new TestSources(Optional.of(List.of(urls)), Optional.of(folder), Duration.ofSeconds(30));
  }

  @Override
  public int maxConcurrent() {
    return 2;
  }

  @Override
  public Duration connectTimeout() {
    return Duration.ofSeconds(10);
  }

  @Override
  public Optional<Path> credentialsFile() {
    return Optional.empty();
  }

  @Override
  public Optional<String> credentials() {
    return Optional.empty();
  }
}
