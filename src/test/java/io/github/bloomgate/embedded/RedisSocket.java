package io.github.bloomgate.embedded;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.util.StringJoiner;

/** The least of a Redis client, so that these tests depend on nothing but the server. */
public final class RedisSocket implements AutoCloseable {

  private final Socket socket;
  private final BufferedReader replies;

  public RedisSocket(int port) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    replies = new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));
  }

  /** Connects and logs in. */
  public RedisSocket(int port, String password) throws IOException {
    this(port);
    var reply = call("AUTH " + password);
    if (!"OK".equals(reply)) {
      close();
      throw new IOException(reply);
    }
  }

  /** Connects, logs in, calls once, disconnects. */
  public static String callOnce(int port, String password, String command) throws IOException {
    try (var redis = new RedisSocket(port, password)) {
      return redis.call(command);
    }
  }

  /** Sends an inline command and returns its reply as text, that of an array joined by spaces. */
  public String call(String command) throws IOException {
    socket.getOutputStream().write((command + "\r\n").getBytes(UTF_8));
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
