package io.github.bloomgate.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** An instance of the packaged service, on a Redis that the benchmark has started. */
record Service(QuarkusApp app, Setup setup, RedisServer server, FilterApi filters)
    implements AutoCloseable {

  /** Needs Redis, but no key. */
  private static final String READINESS = "/q/health/ready";

  /**
   * Starts the service.
   *
   * @param settings system properties as name=value
   */
  static Service start(Path folder, Setup setup, RedisServer server, List<String> settings) {
    var all = new ArrayList<>(setup.settings(server));
    all.addAll(settings);
    var app = QuarkusApp.start(folder, setup.program(), all, READINESS);
    return new Service(app, setup, server, new FilterApi(app.port()));
  }

  /** Starts another instance on the Redis of this one. */
  Service startAnother(Path folder) {
    return startAnother(folder, List.of());
  }

  /** Starts another instance with other settings, such as API keys. */
  Service startAnother(Path folder, List<String> settings) {
    return start(folder, setup, server, settings);
  }

  /** Starts another instance that runs in another way. */
  Service startAnother(Path folder, Setup other) {
    return start(folder, other, server, List.of());
  }

  /** A connection to its Redis. */
  RedisConnection redis() {
    return server.connect();
  }

  /** Its setup for the table. */
  String setupText() {
    return setup.text(server.version());
  }

  int port() {
    return app.port();
  }

  @Override
  public void close() {
    app.close();
  }
}
