package io.github.bloomgate.redis.embedded;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The address of a redis-server: a Unix socket, which only the service's account can use, or a
 * loopback port, which every account of the machine can.
 *
 * @param socket the absolute path of the socket; empty for a port
 * @param port 0 for a socket, or for any free port
 */
record ServerAddress(Optional<Path> socket, int port) {

  static final ServerAddress ANY_PORT = port(0);

  static final String SOCKET = "redis.sock";

  private static final String LOOPBACK = "127.0.0.1";

  /** Linux allows 108 bytes including the final zero. */
  private static final int LONGEST_SOCKET = 107;

  static ServerAddress socketIn(Path folder) {
    return new ServerAddress(Optional.of(folder.resolve(SOCKET)), 0);
  }

  static ServerAddress port(int port) {
    return new ServerAddress(Optional.empty(), port);
  }

  boolean isTooLong() {
    return socket
        .filter(path -> path.toString().getBytes(UTF_8).length > LONGEST_SOCKET)
        .isPresent();
  }

  boolean isSocket() {
    return socket.isPresent();
  }

  /** Whether any port may be used. */
  boolean isAnyPort() {
    return equals(ANY_PORT);
  }

  /** This address, or a port that is free now. */
  ServerAddress chosen() {
    if (!isAnyPort()) {
      return this;
    }
    try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return port(free.getLocalPort());
    } catch (IOException none) {
      throw EmbeddedRedisException.noFreePort(none.getMessage());
    }
  }

  /** The arguments of a redis-server that runs in the data folder. */
  List<String> arguments() {
    return isSocket()
        ? List.of("--port", "0", "--unixsocket", SOCKET, "--unixsocketperm", "700")
        : List.of("--port", Integer.toString(port), "--bind", LOOPBACK, "--protected-mode", "yes");
  }

  /** The address for clients. Contains the password: do not log it. */
  URI uri(Password password) {
    if (socket.isEmpty()) {
      return URI.create("redis://:" + password.text() + "@" + LOOPBACK + ":" + port);
    }
    try {
      return new URI("unix", "", socket.get().toString(), "password=" + password.text(), null);
    } catch (URISyntaxException impossible) {
      throw new IllegalStateException("An absolute path is a path of a URI", impossible);
    }
  }

  @Override
  public String toString() {
    return socket.map(Path::toString).orElse(LOOPBACK + ":" + port);
  }
}
