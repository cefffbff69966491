package io.github.bloomgate.redis.embedded;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.util.StringJoiner;

/** A minimal Redis client, so that these tests depend only on the server. */
final class RedisSocket implements AutoCloseable {

  private final SocketChannel socket;
  private final BufferedReader replies;

  RedisSocket(ServerAddress address) throws IOException {
    socket =
        SocketChannel.open(
            address.isSocket()
                ? UnixDomainSocketAddress.of(address.socket().orElseThrow())
                : new InetSocketAddress(InetAddress.getLoopbackAddress(), address.port()));
    replies = new BufferedReader(new InputStreamReader(Channels.newInputStream(socket), UTF_8));
  }

  /** Connects and logs in. */
  RedisSocket(ServerAddress address, String password) throws IOException {
    this(address);
    var reply = call("AUTH " + password);
    if (!"OK".equals(reply)) {
      close();
      throw new IOException(reply);
    }
  }

  /** Connects, logs in, sends one command, and disconnects. */
  static String callOnce(ServerAddress address, String password, String command)
      throws IOException {
    try (var redis = new RedisSocket(address, password)) {
      return redis.call(command);
    }
  }

  /** Sends an inline command and returns its reply as text, with arrays joined by spaces. */
  String call(String command) throws IOException {
    socket.write(UTF_8.encode(command + "\r\n"));
    return reply();
  }

  private String reply() throws IOException {
    var line = replies.readLine();
    if (line == null) {
      throw new EOFException("The server closed the connection.");
    }
    var rest = line.substring(1);
    return switch (line.charAt(0)) {
      case '$' -> "-1".equals(rest) ? "nil" : replies.readLine();
      case '*' -> {
        var parts = new StringJoiner(" ");
        for (var left = Integer.parseInt(rest); left > 0; left--) {
          parts.add(reply());
        }
        yield parts.toString();
      }
      default -> rest;
    };
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
