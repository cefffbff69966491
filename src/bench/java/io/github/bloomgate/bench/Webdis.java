package io.github.bloomgate.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** webdis, an HTTP server in front of the peers' Redis, with two threads and no log. */
record Webdis(ServerProcess process) implements AutoCloseable {

  static Webdis start(Path folder, Path executable, RedisServer redis, Road road) {
    var port = ServerProcess.freePort();
    var settings =
        """
        {%s, "http_host": "127.0.0.1", "http_port": %d,
         "threads": 2, "pool_size": 20, "daemonize": false, "websockets": false, "database": 0,
         "http_max_request_size": 134217728, "verbosity": 0, "logfile": "webdis.log"}
        """
            .formatted(address(redis, road), port);
    try {
      Files.createDirectories(folder);
      Files.writeString(folder.resolve("webdis.json"), settings);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    var command = List.of(executable.toAbsolutePath().toString(), "webdis.json");
    return new Webdis(ServerProcess.start(folder, port, command).awaitListening());
  }

  private static String address(RedisServer redis, Road road) {
    // It takes a path for a Unix socket.
    return switch (road) {
      case TCP -> "\"redis_host\": \"127.0.0.1\", \"redis_port\": " + redis.port();
      case UNIX -> "\"redis_host\": \"" + redis.socket() + "\", \"redis_port\": 0";
    };
  }

  int port() {
    return process.port();
  }

  @Override
  public void close() {
    process.close();
  }
}
