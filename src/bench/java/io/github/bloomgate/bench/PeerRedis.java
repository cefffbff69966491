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
 * The Redis of the peers: the same server as the service's, or one set by an option. It has the
 * same settings and no other clients.
 */
record PeerRedis(ServerProcess process) implements AutoCloseable {

  static PeerRedis start(Path folder, Optional<Path> executable, Optional<Path> module) {
    var port = ServerProcess.freePort();
    var command = new ArrayList<String>();
    command.add(executable.orElseGet(() -> bundled(folder)).toAbsolutePath().toString());
    command.addAll(List.of("--port", Integer.toString(port), "--bind", "127.0.0.1", "--save", ""));
    command.addAll(List.of("--appendonly", "yes", "--appendfsync", "everysec"));
    command.addAll(List.of("--maxmemory-policy", "noeviction"));
    module.ifPresent(
        path -> command.addAll(List.of("--loadmodule", path.toAbsolutePath().toString())));
    return new PeerRedis(ServerProcess.start(folder, port, command).awaitListening());
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

  RedisConnection connect() {
    return new RedisConnection("redis://127.0.0.1:" + port());
  }

  @Override
  public void close() {
    process.close();
  }
}
