package io.github.bloomgate.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The packaged service with its embedded Redis, as shipped. */
record Service(QuarkusApp app, Path data, FilterApi filters) implements AutoCloseable {

  private static final Path JAR = Path.of("target/bench/quarkus-app/quarkus-run.jar");

  /** A request that needs Redis. */
  private static final String FIRST_QUESTION = "/v1/filters?limit=1";

  /** Checks the same without a key. */
  private static final String READINESS = "/q/health/ready";

  /**
   * Starts the service.
   *
   * @param settings system properties as name=value
   */
  static Service start(Path folder, List<String> settings) {
    return start(folder, settings, FIRST_QUESTION);
  }

  private static Service start(Path folder, List<String> settings, String question) {
    var app = QuarkusApp.start(folder, JAR, settings, question);
    return new Service(app, folder.resolve("bloomgate-data"), new FilterApi(app.port()));
  }

  /** Starts another instance on the Redis of this one. */
  Service startAnother(Path folder) {
    return startAnother(folder, List.of());
  }

  /** Starts another instance with other settings, such as API keys. */
  Service startAnother(Path folder, List<String> settings) {
    var all = new ArrayList<>(settings);
    all.add("quarkus.redis.hosts=" + redisAddress());
    return start(folder, all, READINESS);
  }

  /** A connection to its Redis. */
  RedisConnection redis() {
    return new RedisConnection(redisAddress());
  }

  private String redisAddress() {
    try {
      var password = Files.readString(data.resolve("redis.password"));
      return "unix://%s?password=%s".formatted(data.resolve("redis.sock"), password);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  int port() {
    return app.port();
  }

  @Override
  public void close() {
    app.close();
  }
}
