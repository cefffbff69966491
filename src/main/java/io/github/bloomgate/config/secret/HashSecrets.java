package io.github.bloomgate.config.secret;

import static java.util.stream.Collectors.joining;

import io.github.bloomgate.config.BloomgateConfig;
import io.github.bloomgate.config.Exposure;
import io.github.bloomgate.config.TrustedFile;
import io.github.bloomgate.hash.HashScheme;
import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.hash.KeyOrigin;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.error.RequestErrors;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.runtime.configuration.ConfigurationException;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.eclipse.microprofile.config.Config;
import org.jboss.logging.Logger;

/**
 * The configured secrets, which provide the keys of stored keyed schemes. Read once, at the start.
 * Thread-safe.
 */
@Singleton
public class HashSecrets {

  private static final Logger LOG = Logger.getLogger(HashSecrets.class);

  private static final String PROPERTY = "bloomgate.security.hash-secret";
  private static final int SALT_BYTES = 16;

  private static final int MAX_FILE_BYTES = 1 << 16;

  private final Optional<Path> file;

  /** By id, the secret for new filters first. */
  private final Map<String, HashSecret> known = new LinkedHashMap<>();

  private final SecureRandom random = new SecureRandom();

  @Inject
  HashSecrets(BloomgateConfig config) {
    this(config.security().hashSecret(), config.security().hashSecretFile());
  }

  HashSecrets(Optional<String> property, Optional<Path> file) {
    this.file = file;
    property.ifPresent(text -> add(text, PROPERTY));
    file.ifPresent(path -> add(read(path), place(path)));
  }

  /**
   * Reads the secrets of settings without the framework.
   *
   * @throws ConfigurationException if they cannot be used
   */
  public static HashSecrets of(Config settings) {
    return new HashSecrets(
        settings.getOptionalValue(PROPERTY, String.class),
        settings.getOptionalValue(PROPERTY + "-file", String.class).map(Path::of));
  }

  /** Parses secrets, the one for new filters first. */
  public static HashSecrets of(String... secrets) {
    return new HashSecrets(
        secrets.length == 0 ? Optional.empty() : Optional.of(String.join(" ", secrets)),
        Optional.empty());
  }

  private void add(String text, String where) {
    var secrets = secrets(text);
    if (secrets.isEmpty()) {
      throw new ConfigurationException("%s has no secret.".formatted(where));
    }
    for (var i = 0; i < secrets.size(); i++) {
      try {
        var secret = HashSecret.parse(secrets.get(i));
        known.putIfAbsent(secret.id(), secret);
      } catch (IllegalArgumentException invalid) {
        throw new ConfigurationException(
            "%s cannot be used: secret %d %s.".formatted(where, i + 1, invalid.getMessage()));
      }
    }
  }

  private static List<String> secrets(String text) {
    return text.lines()
        .filter(line -> !line.startsWith("#"))
        .flatMap(line -> Arrays.stream(line.split("[\\s,;]+")))
        .filter(part -> !part.isEmpty())
        .toList();
  }

  private static String read(Path file) {
    try {
      return TrustedFile.read(file, MAX_FILE_BYTES);
    } catch (IllegalArgumentException refused) {
      throw new ConfigurationException("%s %s.".formatted(place(file), refused.getMessage()));
    }
  }

  private static String place(Path file) {
    return "The file %s of %s-file".formatted(file, PROPERTY);
  }

  /**
   * Logs the ids of the secrets. Creates this bean at the start, so that an invalid secret stops
   * it.
   */
  void start(@Observes StartupEvent started) {
    file.ifPresent(HashSecrets::warnOfReaders);
    if (!known.isEmpty()) {
      LOG.infof(
          "Hash secrets: %s; new keyed filters use the first",
          known.keySet().stream().collect(joining(", ")));
    }
  }

  private static void warnOfReaders(Path file) {
    try {
      if (Exposure.of(file).isLoose()) {
        LOG.warn(
            "The file of hash secrets can be read by any account on this machine, or changed by its group: run chmod 600 on it.");
      }
    } catch (IOException gone) {
      LOG.debug("The file of hash secrets was removed after it was read", gone);
    }
  }

  /** The scheme of a filter, with its key if its secret is configured. */
  public HashScheme scheme(KeyOrigin origin) {
    return HashSchemes.keyed(
        origin, Optional.ofNullable(known.get(origin.secretId())).map(s -> s.key(origin.salt())));
  }

  /**
   * The scheme for new content. A keyed scheme without a filter gets a new key.
   *
   * @return a scheme that can locate elements
   * @throws BloomException INVALID_REQUEST if a new key is needed and no secret is configured;
   *     SECRET_MISSING if the scheme's own secret is not configured
   */
  public HashScheme forContent(HashScheme scheme) {
    if (scheme.canLocate()) {
      return scheme;
    }
    var found = scheme(scheme.keyOrigin().orElseGet(this::newOrigin));
    requireKey(found);
    return found;
  }

  /**
   * Checks that a scheme can locate elements.
   *
   * @throws BloomException SECRET_MISSING if it cannot
   */
  public static void requireKey(HashScheme scheme) {
    if (!scheme.canLocate()) {
      throw BloomException.of(
          ErrorCode.SECRET_MISSING,
          "The filter is keyed with the hash secret %s, which this instance of the service does not have. Add that secret to bloomgate.security.hash-secret or the file in bloomgate.security.hash-secret-file of every instance and restart them. If it is lost, rebuild the filter with a hashScheme named in the request, or delete it."
              .formatted(scheme.keyOrigin().map(KeyOrigin::secretId).orElse("(none)")));
    }
  }

  private KeyOrigin newOrigin() {
    var first = known.keySet().stream().findFirst();
    if (first.isEmpty()) {
      throw RequestErrors.invalid(
          "A filter of the hashScheme bloomgate-1-keyed needs a hash secret, but this service has none. Set bloomgate.security.hash-secret (the environment variable BLOOMGATE_SECURITY_HASH_SECRET) to the output of 'openssl rand -base64 32', the same on every instance, or send another hashScheme.");
    }
    var salt = new byte[SALT_BYTES];
    random.nextBytes(salt);
    return new KeyOrigin(first.get(), HexFormat.of().formatHex(salt));
  }
}
