package io.github.bloomgate.config;

import io.github.bloomgate.model.Growth;
import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The service's own settings; all others belong to Quarkus. */
@ConfigMapping(prefix = "bloomgate")
public interface BloomgateConfig {

  Redis redis();

  Embedded embedded();

  Security security();

  /** Access to the service. */
  interface Security {
    /** A file of API keys, one per line; reloaded when it changes. */
    Optional<Path> keysFile();

    /** API keys as lines of such a file, separated by line ends or semicolons. */
    Optional<String> keys();

    /** How often the file is checked for changes. */
    @WithDefault("5s")
    Duration keysCheckInterval();

    /**
     * Secrets of at least 32 random bytes each, in Base64 or hexadecimal, separated by commas,
     * semicolons or white space. New keyed filters use the first; the others are for existing
     * filters.
     */
    Optional<String> hashSecret();

    /** A file with further secrets. */
    Optional<Path> hashSecretFile();
  }

  Limits limits();

  /** Limits for clients; 0 for no limit. Rates are per instance. */
  interface Limits {
    /** Requests/s of one API key; without keys, of all clients together. */
    @WithDefault("0")
    @Range(min = 0)
    int requestsPerSecondPerKey();

    /** Elements/s, added or tested, of one API key. */
    @WithDefault("0")
    @Range(min = 0)
    int elementsPerSecondPerKey();

    /** Requests/s to one filter. */
    @WithDefault("0")
    @Range(min = 0)
    int requestsPerSecondPerFilter();

    /** Elements/s, added to or tested against one filter. */
    @WithDefault("0")
    @Range(min = 0)
    int elementsPerSecondPerFilter();

    @WithDefault("0")
    @Range(min = 0)
    int maxFilters();

    /** The most bytes of all filters' bitmaps together. */
    @WithDefault("0")
    MemorySize maxTotalBytes();

    /** The longest time to receive the head of a request. */
    @WithDefault("20s")
    Duration headTimeout();

    /** The longest time to receive a body that is not a stream. */
    @WithDefault("2m")
    Duration bodyTimeout();
  }

  GrowingFilters growth();

  interface GrowingFilters {
    /** The default size limit of a growing filter. */
    @WithDefault("1G")
    @Range(min = 1, max = Growth.MAX_SIZE_BYTES)
    MemorySize maxSize();
  }

  Management management();

  /** The endpoint for health and metrics. */
  interface Management {
    /** A separate port; by default the API's port. 0 for any free one. */
    @Range(min = 0, max = 65535)
    Optional<Integer> port();

    /** The address of this port. */
    @WithDefault("0.0.0.0")
    String host();
  }

  Sources sources();

  interface Sources {
    /** Allowed prefixes of a source's URL, by whole path segments; none by default. */
    Optional<List<String>> allowedUrls();

    /**
     * A file of credentials for servers of URLs, one per line; read again for each request to such
     * a server.
     */
    Optional<Path> credentialsFile();

    /** Credentials as lines of such a file. */
    Optional<String> credentials();

    /** The folder for sources that are files; no files by default. */
    Optional<Path> folder();

    /**
     * The most sources read in parallel by one instance; each uses a thread. The same number of
     * slow ones can continue in addition.
     */
    @WithDefault("2")
    @Range(min = 1)
    int maxConcurrent();

    @WithDefault("10s")
    Duration connectTimeout();

    /** The longest pause of a source before its run fails. */
    @WithDefault("30s")
    Duration idleTimeout();

    /** The longest duration of a run before it fails. */
    @WithDefault("12h")
    Duration runTimeout();

    /**
     * The longest time a run may spend waiting for its source while other runs are queued, before
     * it makes room for them.
     */
    @WithDefault("10m")
    Duration slowTimeout();
  }

  Streams streams();

  interface Streams {
    /** The most parallel streams; each uses a thread. Above this, the response is 503. */
    @WithDefault("64")
    @Range(min = 1)
    int maxConcurrent();

    /**
     * The most bytes of results of all streams on disk, until their clients have read them. One key
     * gets at most half.
     */
    @WithDefault("1G")
    MemorySize answersMaxSize();
  }

  Memory memory();

  interface Memory {
    /** The share of the heap for requests and caches. */
    @WithDefault("0.5")
    @Range(min = 0.05, max = 0.8)
    double heapShare();

    /**
     * The memory for copies of segments, mostly off-heap; by default 128M, or less if the JVM has
     * less than 192M of it.
     */
    Optional<MemorySize> copies();
  }

  Watch watch();

  /** Filters whose copies are kept young, for followers and tests with {@code maxAge}. */
  interface Watch {
    /** How often the copies are compared with Redis, in one call for all filters of a node. */
    @WithDefault("250ms")
    Duration interval();
  }

  Follow follow();

  /** Clients that follow filters. */
  interface Follow {
    /** The most of them on this instance. */
    @WithDefault("1000")
    @Range(min = 0, max = 100_000)
    int maxFollowers();
  }

  Metrics metrics();

  interface Metrics {
    /** The number of filters with gauges, the first by name; 0 for none. */
    @WithDefault("20")
    @Range(min = 0, max = 1000)
    int filters();

    /** The prefix of these filters' names; any by default. */
    Optional<String> filterPrefix();

    /** How often their gauges are updated; each filter needs a call to Redis. */
    @WithDefault("1m")
    Duration filterInterval();
  }

  interface Redis {
    @WithDefault("2s")
    Duration callTimeout();

    /** The timeout for opening a connection, including the handshake. */
    @WithDefault("2s")
    Duration connectTimeout();

    /** The longest pause between two attempts to reconnect; the first pause is a tenth of it. */
    @WithDefault("500ms")
    Duration reconnectBackoff();

    /** The replicas that must confirm an add or removal with {@code durability=replicated}. */
    @WithDefault("1")
    @Range(min = 1)
    int replicas();

    /** The timeout for their confirmation. */
    @WithDefault("500ms")
    Duration replicationTimeout();
  }

  /** The embedded Redis, used if no Redis is configured. */
  interface Embedded {
    /** The data folder; created if missing. */
    @WithDefault("bloomgate-data")
    Path dataDir();

    /**
     * The loopback port, 0 for any free one. By default a Unix socket in the folder, which only the
     * service's account can use.
     */
    @Range(min = 0, max = 65535)
    Optional<Integer> port();

    /** An installed redis-server, 6.2 or later, to run instead of the bundled one. */
    Optional<Path> executable();

    /** The timeout of its start; loading many gigabytes takes minutes. */
    @WithDefault("1m")
    Duration startTimeout();
  }
}
