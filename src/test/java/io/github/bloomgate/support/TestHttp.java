package io.github.bloomgate.support;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.net.ServerSocketFactory;

/** An HTTP server that sends the bytes of a test as responses, and then closes the connection. */
public final class TestHttp implements AutoCloseable {

  private static final long MAX_WAIT_SECONDS = 120;

  private final ServerSocket socket;
  private final String scheme;
  private final Map<String, Handler> answers = new ConcurrentHashMap<>();
  private final List<String> requests = new CopyOnWriteArrayList<>();

  /** Sends the response to a request. */
  public interface Handler {
    void send(OutputStream out) throws Exception;
  }

  /** Starts the server on a free port. */
  public TestHttp() throws IOException {
    this(ServerSocketFactory.getDefault(), "http");
  }

  private TestHttp(ServerSocketFactory sockets, String scheme) throws IOException {
    this.socket = sockets.createServerSocket(0, 50, InetAddress.getLoopbackAddress());
    this.scheme = scheme;
    var unused = InParallel.run(this::serve);
  }

  /** Starts a server that presents a certificate. */
  public static TestHttp withTls(SelfSigned own) throws IOException, GeneralSecurityException {
    return new TestHttp(own.own().getServerSocketFactory(), "https");
  }

  public String url(String path) {
    return scheme + "://127.0.0.1:" + socket.getLocalPort() + path;
  }

  /** The request lines and headers received, in order. */
  public List<String> requests() {
    return requests;
  }

  /** Answers a path with these bytes, including the head. */
  public void answerRaw(String path, byte[] bytes) {
    answers.put(path, out -> out.write(bytes));
  }

  /** Answers a path with a status, headers and a body with its length. */
  public void answer(String path, String statusAndHeaders, byte[] body) {
    answerRaw(path, Bytes.joined(head(statusAndHeaders, body.length), body));
  }

  /** Answers a path with 200 and the first part of a body. The rest follows when released. */
  public Held hold(String path, byte[] first, byte[] rest) {
    var held = new Held();
    answers.put(
        path,
        out -> {
          out.write(head("200 OK", first.length + rest.length));
          out.write(first);
          out.flush();
          held.arrived.countDown();
          if (held.released.await(MAX_WAIT_SECONDS, TimeUnit.SECONDS)) {
            out.write(rest);
          }
        });
    return held;
  }

  /** A response that waits before its rest. */
  public static final class Held {
    private final CountDownLatch arrived = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);

    public void awaitRequest() throws InterruptedException {
      if (!arrived.await(MAX_WAIT_SECONDS, TimeUnit.SECONDS)) {
        throw new IllegalStateException("no request was sent");
      }
    }

    public void release() {
      released.countDown();
    }
  }

  private static byte[] head(String statusAndHeaders, int length) {
    return ("HTTP/1.1 " + statusAndHeaders + "\r\nContent-Length: " + length + "\r\n\r\n")
        .getBytes(ISO_8859_1);
  }

  private void serve() {
    while (!socket.isClosed()) {
      try {
        var connection = socket.accept();
        var unused = InParallel.run(() -> answer(connection));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void answer(Socket connection) {
    try (connection;
        var in =
            new BufferedReader(new InputStreamReader(connection.getInputStream(), ISO_8859_1))) {
      var path = "";
      for (var line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
        requests.add(line);
        path = line.startsWith("GET ") ? line.split(" ")[1] : path;
      }
      var answer = answers.get(path);
      if (answer != null) {
        answer.send(connection.getOutputStream());
        connection.getOutputStream().flush();
      }
    } catch (IOException clientLeft) {
      return;
    } catch (Exception failure) {
      throw new IllegalStateException(failure);
    }
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
