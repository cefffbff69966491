package io.github.bloomgate.http.access;

import io.github.bloomgate.config.BloomgateConfig;
import io.github.bloomgate.config.Exposure;
import io.github.bloomgate.config.TrustedFile;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/**
 * The current API keys. Whether keys are required is decided at the start and never changes, so
 * emptying a file does not open the service. Thread-safe.
 */
@Singleton
public class ApiKeys {

  /** The remedy if there is no key, for messages. */
  public static final String HOW_TO_MAKE_ONE =
      "To allow other clients, create a key with: java -jar quarkus-run.jar new-key --role admin";

  private static final Logger LOG = Logger.getLogger(ApiKeys.class);

  /** Compared with if the id is unknown, so that it takes as long as a wrong token. */
  private static final ApiKey NOBODY = ApiKey.parse("nobody reader sha256:" + "0".repeat(2 * 32));

  private static final int MAX_FILE_BYTES = 1 << 20;

  private final Map<String, ApiKey> fixed;
  private final Optional<Path> file;
  private final boolean required;
  private volatile Map<String, ApiKey> known;
  private volatile String problem = "";

  ApiKeys(BloomgateConfig config, MeterRegistry meters) {
    var security = config.security();
    fixed = security.keys().map(ApiKeys::readProperty).orElse(Map.of());
    file = security.keysFile();
    known = read();
    required = !known.isEmpty();
    Gauge.builder("bloom.keys", this, ApiKeys::count)
        .description("Number of API keys; 0 if none is required.")
        .register(meters);
    Gauge.builder("bloom.keys.file.broken", this, keys -> keys.problem.isEmpty() ? 0 : 1)
        .description(
            "1 while the keys file cannot be used and the previous keys stay in use, else 0.")
        .register(meters);
  }

  private static Map<String, ApiKey> readProperty(String lines) {
    // Its lines may end with semicolons too.
    return keys("bloomgate.security.keys", () -> lines.split("\\R|;"));
  }

  private static Map<String, ApiKey> readFile(Path path) {
    return keys(
        "The file %s of bloomgate.security.keys-file".formatted(path),
        () -> TrustedFile.readLines(path, MAX_FILE_BYTES).toArray(String[]::new));
  }

  /** Fails if there is no key, so that emptying the file does not open the service. */
  private static Map<String, ApiKey> keys(String place, Supplier<String[]> lines) {
    try {
      var keys = ApiKey.parseAll(lines.get());
      if (keys.isEmpty()) {
        throw new IllegalArgumentException("has no key");
      }
      return keys;
    } catch (IllegalArgumentException invalid) {
      throw new ConfigurationException("%s %s.".formatted(place, invalid.getMessage()));
    }
  }

  private Map<String, ApiKey> read() {
    if (file.isEmpty()) {
      return fixed;
    }
    var keys = new HashMap<>(fixed);
    for (var key : readFile(file.get()).values()) {
      if (Objects.nonNull(keys.put(key.id(), key))) {
        throw new ConfigurationException(
            "The id '%s' is in the keys file and in bloomgate.security.keys; each key needs its own id."
                .formatted(key.id()));
      }
    }
    return keys;
  }

  /** Logs which clients are allowed, before the first request. */
  void start(@Observes StartupEvent started) {
    if (!required) {
      LOG.warn(
          "No API key is configured: only clients on this machine (loopback) are served. "
              + HOW_TO_MAKE_ONE);
    } else if (file.filter(ApiKeys::isOpenToGroup).isPresent()) {
      LOG.warn(
          "The group of the keys file can change it and so admit any client. If that is not intended, run chmod g-w.");
    }
  }

  private static boolean isOpenToGroup(Path file) {
    try {
      return Exposure.of(file).isChangedByGroup();
    } catch (IOException gone) {
      // The next read reports it.
      return false;
    }
  }

  /** Reloads the file, if there is one; keeps the previous keys if it cannot be used. */
  @Scheduled(
      every = "{bloomgate.security.keys-check-interval}",
      concurrentExecution = ConcurrentExecution.SKIP)
  synchronized void reread() {
    try {
      var read = read();
      if (!read.equals(known)) {
        known = read;
        LOG.infof("The keys file has changed; number of keys: %d", read.size());
      } else if (!problem.isEmpty()) {
        LOG.info("The keys file is valid again");
      }
      problem = "";
    } catch (ConfigurationException invalid) {
      if (!invalid.getMessage().equals(problem)) {
        problem = invalid.getMessage();
        LOG.warnf("%s The previous keys stay in use.", problem);
      }
    }
  }

  public int count() {
    return known.size();
  }

  public List<ApiKey> all() {
    return known.values().stream().sorted(Comparator.comparing(ApiKey::id)).toList();
  }

  public Optional<ApiKey> named(String id) {
    return Optional.ofNullable(known.get(id));
  }

  public boolean areRequired() {
    return required;
  }

  /** The current key in an {@code Authorization} header, if any. */
  public Optional<ApiKey> of(String authorization) {
    return KeyToken.ofHeader(authorization).flatMap(this::find);
  }

  Optional<ApiKey> find(String token) {
    var key = KeyToken.idOf(token).map(known::get);
    var matches = key.orElse(NOBODY).isHashOf(KeyToken.hash(token));
    return matches ? key : Optional.empty();
  }
}
