package io.github.bloomgate.config;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
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
    @Min(1)
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
  }

  /** Adds and tests of streams. */
  Streams streams();

  /** Adds and tests of streams. */
  interface Streams {
    /** How many may run at once; each holds a thread. Beyond that the answer is 503. */
    @WithDefault("64")
    @Min(1)
    int maxConcurrent();
  }

  /** What makes the service faster, and changes no answer. */
  Speed speed();

  /** What makes the service faster, and changes no answer. */
  interface Speed {
    /** Whether requests that come while calls for their segment are under way share the next. */
    @WithDefault("true")
    boolean coalescing();

    /**
     * How many bytes of bitmaps are held near the service, at most a quarter of the heap; 0: none.
     */
    @WithDefault("64M")
    MemorySize nearCacheMaxSize();

    /** How many bytes large adds and tests may hold, at most a quarter of the heap; 0: off. */
    @WithDefault("64M")
    MemorySize bulkMaxSize();
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
  }

  /** The Redis the service starts itself when none is configured. */
  interface Embedded {
    /** The folder that keeps its data; created when missing. */
    @WithDefault("bloomgate-data")
    Path dataDir();

    /** The loopback port it listens on; 0 takes any free one. */
    @WithDefault("0")
    @Min(0)
    @Max(65535)
    int port();

    /** How long its start may take; loading many gigabytes of filters takes minutes. */
    @WithDefault("1m")
    Duration startTimeout();
  }
}
