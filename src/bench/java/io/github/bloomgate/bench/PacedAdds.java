package io.github.bloomgate.bench;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;

/** Adds new elements one at a time, at a fixed rate, in a thread of its own. */
final class PacedAdds implements AutoCloseable {

  private static final Pattern LENGTH = Pattern.compile("(?i)content-length: *(\\d+)");

  private static final long MOST_OVERDUE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final int port;
  private final long periodNanos;
  private final byte[] template;
  private final Thread thread = new Thread(this::run, "paced-adds");
  private volatile boolean isStopped;
  private volatile long count;

  private PacedAdds(int port, String filter, int perSecond) {
    this.port = port;
    this.periodNanos = TimeUnit.SECONDS.toNanos(1) / perSecond;
    this.template =
        Requests.json(FilterApi.path(filter, "/add"), List.of(List.of(SingleAdd.ELEMENT)))
            .pool()
            .get(0)
            .bytes();
  }

  static PacedAdds start(int port, String filter, int perSecond) {
    var adds = new PacedAdds(port, filter, perSecond);
    adds.thread.start();
    return adds;
  }

  private void run() {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setTcpNoDelay(true);
      var in = new BufferedInputStream(socket.getInputStream());
      var next = System.nanoTime();
      var sent = 0L;
      while (!isStopped) {
        LockSupport.parkNanos(next - System.nanoTime());
        // Adds that are long overdue are left out. Sent later, they would raise the rate while it
        // is
        // measured.
        next = Math.max(next + periodNanos, System.nanoTime() - MOST_OVERDUE_NANOS);
        var request = template.clone();
        SerialMarks.fill(request, request.length, sent);
        socket.getOutputStream().write(request);
        skipAnswer(in);
        sent++;
        count = sent;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void skipAnswer(InputStream in) throws IOException {
    var head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      var next = in.read();
      if (next < 0) {
        throw new EOFException("the service closed the connection of adds");
      }
      head.append((char) next);
    }
    var length = LENGTH.matcher(head);
    if (!head.toString().startsWith("HTTP/1.1 200") || !length.find()) {
      throw new IllegalStateException("An add was answered with " + head);
    }
    in.skipNBytes(Integer.parseInt(length.group(1)));
  }

  /** The number of elements added so far. Fails if the thread has. */
  long count() {
    if (!thread.isAlive()) {
      throw new IllegalStateException("The adds have ended, see the output");
    }
    return count;
  }

  @Override
  public void close() {
    isStopped = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
