package io.github.bloomgate.rebuild.source;

import io.github.bloomgate.config.Exposure;
import io.github.bloomgate.config.TrustedFile;
import io.quarkus.runtime.configuration.ConfigurationException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jboss.logging.Logger;

/**
 * The credentials for servers of sources, which only the configuration can set. Reads the file
 * again for each request; if it has become invalid, the previous credentials stay in use.
 * Thread-safe.
 */
public final class SourceCredentials {

  private static final Logger LOG = Logger.getLogger(SourceCredentials.class);

  private static final String PROPERTY = "bloomgate.sources.credentials";

  /** For messages. */
  static final String SETTINGS = PROPERTY + "-file or " + PROPERTY;

  private static final int MAX_FILE_BYTES = 1 << 16;

  private final Map<Server, Credentials> fixed;
  private final Optional<Path> file;

  /** The lines of the file that are in use. */
  private List<String> lines = List.of();

  private Map<Server, Credentials> known;
  private String problem = "";

  /**
   * Reads the credentials for the first time.
   *
   * @param property lines of such a file, if any
   * @throws ConfigurationException if they cannot be used; the message quotes nothing of them
   */
  public SourceCredentials(Optional<String> property, Optional<Path> file) {
    this.file = file;
    fixed = property.map(text -> parsed(PROPERTY, text.lines().toList())).orElse(Map.of());
    known = fixed;
    file.ifPresent(path -> use(path, read(path)));
    file.ifPresent(SourceCredentials::warnOfReaders);
  }

  private static Map<Server, Credentials> parsed(String place, List<String> lines) {
    try {
      return CredentialLines.parse(lines);
    } catch (IllegalArgumentException invalid) {
      throw new ConfigurationException("%s %s.".formatted(place, invalid.getMessage()));
    }
  }

  private static List<String> read(Path path) {
    try {
      return TrustedFile.readLines(path, MAX_FILE_BYTES);
    } catch (IllegalArgumentException refused) {
      throw new ConfigurationException("%s %s.".formatted(place(path), refused.getMessage()));
    }
  }

  private static String place(Path path) {
    return "The file %s of %s-file".formatted(path, PROPERTY);
  }

  private void use(Path path, List<String> read) {
    var all = new HashMap<>(fixed);
    for (var entry : parsed(place(path), read).entrySet()) {
      if (all.put(entry.getKey(), entry.getValue()) != null) {
        throw new ConfigurationException(
            "%s has credentials for %s, which %s has too; remove one of them."
                .formatted(place(path), entry.getKey(), PROPERTY));
      }
    }
    known = all;
    lines = read;
  }

  private static void warnOfReaders(Path path) {
    try {
      if (Exposure.of(path).isLoose()) {
        LOG.warn(
            "The file of credentials for sources can be read by any account on this machine, or changed by its group: run chmod 600 on it.");
      }
    } catch (IOException gone) {
      LOG.debug("The file of credentials for sources was removed after it was read", gone);
    }
  }

  /** The current credentials for the server of a URL: the same scheme, host and port. */
  synchronized Optional<Credentials> of(URI url) {
    file.ifPresent(this::reread);
    return Server.of(url).map(known::get);
  }

  private void reread(Path path) {
    try {
      var read = read(path);
      if (!read.equals(lines)) {
        use(path, read);
        LOG.infof(
            "The file of credentials for sources has changed; number of servers: %d", known.size());
      } else if (!problem.isEmpty()) {
        LOG.info("The file of credentials for sources is valid again");
      }
      problem = "";
    } catch (ConfigurationException invalid) {
      if (!invalid.getMessage().equals(problem)) {
        problem = invalid.getMessage();
        LOG.warnf("%s The previous credentials stay in use.", problem);
      }
    }
  }
}
