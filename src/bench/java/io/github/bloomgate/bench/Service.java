package io.github.bloomgate.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The packaged service with its embedded Redis, as it is shipped. */
record Service(QuarkusApp app, int redisPort, String redisPassword, FilterApi filters)
    implements AutoCloseable {

  private static final Path JAR = Path.of("target/bench/quarkus-app/quarkus-run.jar");

  /** Needs an answer of Redis. */
  private static final String FIRST_QUESTION = "/v1/filters?limit=1";

  /**
   * Starts it.
   *
   * @param settings system properties as name=value
   */
  static Service start(Path folder, List<String> settings) {
    var redisPort = ServerProcess.freePort();
    var all = new ArrayList<>(settings);
    all.add("bloomgate.embedded.port=" + redisPort);
    var app = QuarkusApp.start(folder, JAR, all, FIRST_QUESTION);
    return new Service(app, redisPort, password(folder), new FilterApi(app.port()));
  }

  private static String password(Path folder) {
    try {
      return Files.readString(folder.resolve("bloomgate-data").resolve("redis.password"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A connection to its Redis. */
  RedisConnection redis() {
    return new RedisConnection(redisPort, redisPassword);
  }

  int port() {
    return app.port();
  }

  @Override
  public void close() {
    app.close();
  }
}
