package io.github.bloomgate.config;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The settings of the service that are its own; everything else is Quarkus configuration. */
@ConfigMapping(prefix = "bloomgate")
public interface BloomgateConfig {

  /** How the service talks to Redis. */
  Redis redis();

  /** The Redis the service starts itself when none is configured. */
  Embedded embedded();

  /** Who may use the service. */
  Security security();

  /** Who may use the service. */
  interface Security {
    /** A file of API keys, one a line; read again when it changes. */
    Optional<Path> keysFile();

    /** API keys as the lines of such a file, divided by line ends or semicolons. */
    Optional<String> keys();

    /** How often the file is looked at. */
    @WithDefault("5s")
    Duration keysCheckInterval();

    /**
     * Secrets of at least 32 random bytes each, in Base64 or hexadecimal, separated by commas,
     * semicolons or white space. The keys of new keyed filters come from the first; the others are
     * for filters made before.
     */
    Optional<String> hashSecret();

    /** A file of such secrets; those of the property come before them. */
    Optional<Path> hashSecretFile();
  }

  /** How much clients may ask for. */
  Limits limits();

  /** How much clients may ask for; 0: as much as they like. Rates are those of one instance. */
  interface Limits {
    /** Requests a second of one API key; of all clients together while there are no keys. */
    @WithDefault("0")
    @Range(min = 0)
    int requestsPerSecondPerKey();

    /** Elements a second, added or tested, of one API key. */
    @WithDefault("0")
    @Range(min = 0)
    int elementsPerSecondPerKey();

    /** Requests a second that name one filter. */
    @WithDefault("0")
    @Range(min = 0)
    int requestsPerSecondPerFilter();

    /** Elements a second, added to or tested against one filter. */
    @WithDefault("0")
    @Range(min = 0)
    int elementsPerSecondPerFilter();

    /** How many filters there may be in the Redis. */
    @WithDefault("0")
    @Range(min = 0)
    int maxFilters();

    /** How many bytes the bitmaps of all filters may take together. */
    @WithDefault("0")
    MemorySize maxTotalBytes();

    /** How long a client may take to send the head of a request. */
    @WithDefault("20s")
    Duration headTimeout();

    /** How long a client may take to send a body that is no stream. */
    @WithDefault("2M")
    Duration bodyTimeout();
  }

  /** How far filters grow. */
  Growth growth();

  /** How far filters grow. */
  interface Growth {
    /** What the bitmaps of a filter that grows may take together, if its creation says nothing. */
    @WithDefault("1G")
    MemorySize maxSize();
  }

  /** Where health and metrics are answered. */
  Management management();

  /** Where health and metrics are answered. */
  interface Management {
    /** A port of their own; the one of the API by default. 0 takes any free one. */
    @Range(min = 0, max = 65535)
    Optional<Integer> port();

    /** The address that this port is opened on. */
    @WithDefault("0.0.0.0")
    String host();
  }

  /** What filters may be rebuilt from. */
  Sources sources();

  /** What filters may be rebuilt from. */
  interface Sources {
    /** What the URL of a source must begin with, by whole segments of its path; none by default. */
    Optional<List<String>> allowedUrls();

    /** The folder below which a source may be a file; no files by default. */
    Optional<Path> folder();

    /** How many sources one instance reads at once; each holds a thread. */
    @WithDefault("2")
    @Range(min = 1)
    int maxConcurrent();

    /** How long connecting to the server of a source may take. */
    @WithDefault("10s")
    Duration connectTimeout();

    /** How long a source may pause before its run fails. */
    @WithDefault("30s")
    Duration idleTimeout();

    /** How long a run may take before it fails. */
    @WithDefault("12h")
    Duration runTimeout();

    /** How long a run may wait for a slow source while other runs wait for its place. */
    @WithDefault("10m")
    Duration slowTimeout();
  }

  /** Adds and tests of streams. */
  Streams streams();

  /** Adds and tests of streams. */
  interface Streams {
    /** How many may run at once; each holds a thread. Beyond that the answer is 503. */
    @WithDefault("64")
    @Range(min = 1)
    int maxConcurrent();

    /**
     * How many bytes of answers all streams keep together until their clients read them, mostly on
     * disk. 0: none, so a stream waits for its client.
     */
    @WithDefault("1G")
    MemorySize answersMaxSize();
  }

  /** What requests may hold. */
  Memory memory();

  /** What requests may hold. */
  interface Memory {
    /** The share of the heap that requests and what is kept for them may take together. */
    @WithDefault("0.5")
    @Range(min = 0.05, max = 0.8)
    double heapShare();

    /** The most memory beside the heap that copies of segments take. */
    @WithDefault("128M")
    MemorySize copies();
  }

  /** What operators see. */
  Metrics metrics();

  /** What operators see. */
  interface Metrics {
    /** How many filters have gauges of their own, the first ones in the order of names; 0: none. */
    @WithDefault("20")
    @Range(min = 0, max = 1000)
    int filters();

    /** What the names of these filters begin with; any by default. */
    Optional<String> filterPrefix();

    /** How often their gauges are brought up to date; each filter costs a call to Redis. */
    @WithDefault("1m")
    Duration filterInterval();
  }

  /** How the service talks to Redis. */
  interface Redis {
    /** How long one call may take before it fails with an error. */
    @WithDefault("2s")
    Duration callTimeout();

    /** How long opening a connection may take, the handshake included. */
    @WithDefault("2s")
    Duration connectTimeout();

    /** The longest pause between two attempts to reconnect; attempts start at a tenth of it. */
    @WithDefault("500ms")
    Duration reconnectBackoff();

    /** How many replicas must confirm an add with {@code durability=replicated}. */
    @WithDefault("1")
    @Range(min = 1)
    int replicas();

    /** How long they may take. */
    @WithDefault("500ms")
    Duration replicationTimeout();
  }

  /** The Redis the service starts itself when none is configured. */
  interface Embedded {
    /** The folder that keeps its data; created when missing. */
    @WithDefault("bloomgate-data")
    Path dataDir();

    /**
     * The loopback port it listens on, 0 for any free one; by default none, but a Unix socket in
     * the folder, which only the account of the service reaches.
     */
    @Range(min = 0, max = 65535)
    Optional<Integer> port();

    /** An installed redis-server of version 6.2 or later to run in place of the bundled one. */
    Optional<Path> executable();

    /** How long its start may take; loading many gigabytes of filters takes minutes. */
    @WithDefault("1m")
    Duration startTimeout();
  }
}
