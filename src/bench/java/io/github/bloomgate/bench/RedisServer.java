package io.github.bloomgate.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import redis.embedded.core.ExecutableProvider;

/**
 * A Redis with the settings of the embedded one. The service has one and the peers have another, so
 * that each contender's CPU time is known, but both are started by the same command.
 */
record RedisServer(ServerProcess process, Path socket) implements AutoCloseable {

  private static final List<String> SETTINGS =
      List.of(
          "--appendonly",
          "yes",
          "--appendfsync",
          "everysec",
          "--save",
          "",
          "--maxmemory-policy",
          "noeviction",
          "--client-output-buffer-limit",
          "normal",
          "256mb",
          "128mb",
          "60");

  /**
   * Starts a server.
   *
   * @param executable the one that is embedded in the service if empty
   * @param module a module to load
   */
  static RedisServer start(Path folder, Optional<Path> executable, Optional<Path> module) {
    var port = ServerProcess.freePort();
    var socket = folder.resolve("redis.sock");
    var command = new ArrayList<String>();
    command.add(executable.orElseGet(() -> bundled(folder)).toAbsolutePath().toString());
    command.addAll(List.of("--port", Integer.toString(port), "--bind", "127.0.0.1"));
    command.addAll(List.of("--unixsocket", socket.toString()));
    command.addAll(SETTINGS);
    module.ifPresent(
        path -> command.addAll(List.of("--loadmodule", path.toAbsolutePath().toString())));
    return new RedisServer(ServerProcess.start(folder, port, command).awaitListening(), socket);
  }

  private static Path bundled(Path folder) {
    try {
      Files.createDirectories(folder);
      return ExecutableProvider.newJarResourceProvider(folder.toFile()).get().toPath();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  int port() {
    return process.port();
  }

  /** Its address as in {@code quarkus.redis.hosts}. */
  String address(Road road) {
    return switch (road) {
      case TCP -> "redis://127.0.0.1:" + port();
      case UNIX -> "unix://" + socket;
    };
  }

  RedisConnection connect() {
    return new RedisConnection(address(Road.TCP));
  }

  String version() {
    try (var redis = connect()) {
      return redis.version();
    }
  }

  @Override
  public void close() {
    process.close();
  }
}
