package io.github.bloomgate.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;

/** A connection to a Redis, for measurements without the service. Not thread-safe. */
final class RedisConnection implements AutoCloseable {

  private final SocketChannel channel;
  private final InputStream in;
  private final OutputStream out;

  RedisConnection(int port) {
    this(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
  }

  /** Connects to a Unix socket and logs in. */
  RedisConnection(Path socket, String password) {
    this(UnixDomainSocketAddress.of(socket));
    call("AUTH", password);
  }

  private RedisConnection(SocketAddress address) {
    try {
      channel = SocketChannel.open(address);
      in = new BufferedInputStream(Channels.newInputStream(channel), 1 << 16);
      out = Channels.newOutputStream(channel);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Sends a command and returns its reply as text, without the elements of lists. */
  String call(String... arguments) {
    var command = new ByteArrayOutputStream();
    command.writeBytes(("*" + arguments.length + "\r\n").getBytes(UTF_8));
    for (var argument : arguments) {
      var bytes = argument.getBytes(UTF_8);
      command.writeBytes(("$" + bytes.length + "\r\n").getBytes(UTF_8));
      command.writeBytes(bytes);
      command.writeBytes(new byte[] {'\r', '\n'});
    }
    try {
      command.writeTo(out);
      out.flush();
      return reply();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String reply() throws IOException {
    var line = line();
    return switch (line.charAt(0)) {
      case '$' -> bulk(Integer.parseInt(line.substring(1)));
      case '*' -> list(Integer.parseInt(line.substring(1)));
      case '-' -> throw new IllegalStateException("Redis answered " + line);
      default -> line.substring(1);
    };
  }

  private String bulk(int length) throws IOException {
    if (length < 0) {
      return "";
    }
    var bytes = in.readNBytes(length);
    in.skipNBytes(2);
    return new String(bytes, UTF_8);
  }

  private String list(int length) throws IOException {
    for (var i = 0; i < length; i++) {
      reply();
    }
    return "";
  }

  private String line() throws IOException {
    var line = new StringBuilder();
    for (var next = in.read(); next != '\r'; next = in.read()) {
      if (next < 0) {
        throw new IOException("Redis closed the connection");
      }
      line.append((char) next);
    }
    in.skipNBytes(1);
    return line.toString();
  }

  /** The server's CPU time, system and user, in microseconds. */
  double cpuMicros() {
    return info("cpu", "used_cpu_sys") + info("cpu", "used_cpu_user");
  }

  private double info(String section, String field) {
    return 1e6 * Double.parseDouble(text(section, field));
  }

  String version() {
    return text("server", "redis_version");
  }

  /** The version of the only module that is loaded, such as 20408 for 2.4.8. */
  int moduleVersion() {
    return Integer.parseInt(text("modules", "module").replaceAll(".*,ver=(\\d+),.*", "$1"));
  }

  private String text(String section, String field) {
    return call("INFO", section)
        .lines()
        .filter(line -> line.startsWith(field + ":"))
        .map(line -> line.substring(field.length() + 1))
        .findFirst()
        .orElseThrow();
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
