package io.github.bloomgate.support;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A server whose streams a test writes. It answers no request by itself. */
public final class FollowServer implements AutoCloseable {

  private final HttpServer server;
  private final BlockingQueue<Request> requests = new LinkedBlockingQueue<>();

  /**
   * Starts it.
   *
   * @param port 0 for any
   */
  public FollowServer(int port) throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    server.createContext("/", exchange -> requests.add(new Request(exchange)));
    server.start();
  }

  public String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** The next request, or null if none has come yet. */
  public Request poll() {
    return requests.poll();
  }

  /** Waits for the next request. */
  public Request next() throws InterruptedException, IOException {
    var request = requests.poll(1, TimeUnit.MINUTES);
    if (request == null) {
      throw new InterruptedIOException("no request for a minute");
    }
    return request;
  }

  @Override
  public void close() {
    server.stop(0);
  }

  /** A request and its response. */
  public static final class Request {

    private final HttpExchange exchange;
    private final String body;
    private final long received = System.nanoTime();

    Request(HttpExchange exchange) throws IOException {
      this.exchange = exchange;
      this.body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
    }

    /** Method and path. */
    public String line() {
      return exchange.getRequestMethod() + " " + exchange.getRequestURI();
    }

    public String header(String name) {
      return exchange.getRequestHeaders().getFirst(name);
    }

    public String body() {
      return body;
    }

    public long millisSince() {
      return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - received);
    }

    /** Begins the response with some bytes. */
    public Request begin(byte[] bytes) throws IOException {
      exchange.getResponseHeaders().set("Content-Type", "application/vnd.bloomgate.follow");
      exchange.sendResponseHeaders(200, 0);
      return send(bytes);
    }

    public Request begin(FollowStream stream) throws IOException {
      return begin(stream.bytes());
    }

    public Request send(FollowStream stream) throws IOException {
      return send(stream.bytes());
    }

    public Request send(byte[] bytes) throws IOException {
      exchange.getResponseBody().write(bytes);
      exchange.getResponseBody().flush();
      return this;
    }

    /** Sends bytes in chunks, which end anywhere in a frame. */
    public Request sendInChunks(byte[] bytes, int bytesOfChunk) throws IOException {
      for (var at = 0; at < bytes.length; at += bytesOfChunk) {
        send(Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + bytesOfChunk)));
      }
      return this;
    }

    /** Closes the connection in the middle of the response. */
    public void disconnect() {
      exchange.close();
    }

    /** Ends the response. */
    public void end() throws IOException {
      exchange.getResponseBody().close();
    }

    /** Answers with a problem document. */
    public void refuse(int status, String code) throws IOException {
      exchange.getResponseHeaders().set("Content-Type", "application/problem+json");
      if (status == 429 || status == 503) {
        exchange.getResponseHeaders().set("Retry-After", "1");
      }
      var problem =
          "{\"status\":%d,\"code\":\"%s\",\"detail\":\"Not now.\"}".formatted(status, code);
      exchange.sendResponseHeaders(status, problem.length());
      send(problem.getBytes(UTF_8));
      end();
    }
  }
}
