package io.github.bloomgate.http.security;

import io.github.bloomgate.config.BloomgateConfig;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.vertx.core.Vertx;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
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

  private final Map<String, ApiKey> fixed;
  private final Optional<KeysFile> file;
  private final long checkMillis;
  private final boolean required;
  private volatile Map<String, ApiKey> known;
  private volatile String problem = "";
  private volatile long timer;

  ApiKeys(BloomgateConfig config, MeterRegistry meters) {
    var security = config.security();
    fixed = security.keys().map(ApiKeys::readProperty).orElse(Map.of());
    file = security.keysFile().map(KeysFile::new);
    checkMillis = Math.max(1, security.keysCheckInterval().toMillis());
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
    try {
      // Its lines may end with semicolons too.
      var keys = ApiKey.parseAll(lines.split("\\R|;"));
      if (!keys.isEmpty()) {
        return keys;
      }
    } catch (InvalidKeysException invalid) {
      throw new InvalidKeysException(
          "bloomgate.security.keys cannot be used: %s.".formatted(invalid.getMessage()));
    }
    throw new InvalidKeysException("bloomgate.security.keys has no key.");
  }

  private Map<String, ApiKey> read() {
    if (file.isEmpty()) {
      return fixed;
    }
    var keys = new HashMap<>(fixed);
    for (var key : file.get().read().values()) {
      if (Objects.nonNull(keys.put(key.id(), key))) {
        throw new InvalidKeysException(
            "The id '%s' is in the keys file and in bloomgate.security.keys; each key needs its own id."
                .formatted(key.id()));
      }
    }
    return keys;
  }

  /** Logs which clients are allowed, before the first request. */
  void start(@Observes StartupEvent started, Vertx vertx) {
    if (!required) {
      LOG.warn(
          "No API key is configured: only clients on this machine (loopback) are served. "
              + HOW_TO_MAKE_ONE);
      return;
    }
    if (file.isPresent()) {
      if (file.get().isOpenToGroup()) {
        LOG.warn(
            "The group of the keys file can change it and so admit any client. If that is not intended, run chmod g-w.");
      }
      timer =
          vertx.setPeriodic(
              checkMillis,
              ignored ->
                  vertx.executeBlocking(
                      () -> {
                        reread();
                        return null;
                      }));
    }
  }

  void stop(@Observes ShutdownEvent stopped, Vertx vertx) {
    if (required && file.isPresent()) {
      vertx.cancelTimer(timer);
    }
  }

  /** Reloads the file; keeps the previous keys if it cannot be used. */
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
    } catch (InvalidKeysException invalid) {
      if (!invalid.getMessage().equals(problem)) {
        problem = invalid.getMessage();
        LOG.warnf("%s The previous keys stay in use.", problem);
      }
    }
  }

  public int count() {
    return known.size();
  }

  /** The current keys, in order of their ids. */
  public List<ApiKey> all() {
    return known.values().stream().sorted(Comparator.comparing(ApiKey::id)).toList();
  }

  /** The current key with an id, if any. */
  public Optional<ApiKey> named(String id) {
    return Optional.ofNullable(known.get(id));
  }

  public boolean areRequired() {
    return required;
  }

  /** The current key with a token, if any. */
  Optional<ApiKey> find(String token) {
    var key = KeyToken.idOf(token).map(known::get);
    var matches = key.orElse(NOBODY).isHashOf(KeyToken.hash(token));
    return matches ? key : Optional.empty();
  }
}
