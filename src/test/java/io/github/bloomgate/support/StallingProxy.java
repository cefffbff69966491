package io.github.bloomgate.support;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;

/** Forwards connections, but only the first bytes that each client sends. */
public final class StallingProxy implements AutoCloseable {

  private static final int BUFFER = 8192;

  private final CountDownLatch released = new CountDownLatch(1);
  private final Queue<Socket> open = new ConcurrentLinkedQueue<>();
  private final ServerSocket server;
  private final int target;
  private final long passed;

  private StallingProxy(ServerSocket server, int target, long passed) {
    this.server = server;
    this.target = target;
    this.passed = passed;
  }

  /** Starts a proxy for a port of this machine. */
  public static StallingProxy start(int target, long passed) throws IOException {
    var server = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
    var proxy = new StallingProxy(server, target, passed);
    daemon(proxy::accept);
    return proxy;
  }

  /** The port on which it listens. */
  public int port() {
    return server.getLocalPort();
  }

  private void accept() throws IOException {
    while (true) {
      var client = server.accept();
      var service = new Socket(InetAddress.getLoopbackAddress(), target);
      open.add(client);
      open.add(service);
      daemon(() -> copy(client, service, passed));
      daemon(() -> copy(service, client, Long.MAX_VALUE));
    }
  }

  /** When one side ends, it also ends the other. */
  private void copy(Socket from, Socket to, long most) throws IOException {
    try (from;
        to) {
      copy(from.getInputStream(), to.getOutputStream(), most);
    }
  }

  private void copy(InputStream from, OutputStream to, long most) throws IOException {
    var buffer = new byte[BUFFER];
    var left = most;
    for (var read = from.read(buffer); read >= 0; read = from.read(buffer)) {
      to.write(buffer, 0, read);
      left -= read;
      if (left <= 0) {
        awaitRelease();
        return;
      }
    }
  }

  private void awaitRelease() {
    try {
      released.await();
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  /** Work that ends with its connections. */
  private interface Work {
    void run() throws IOException;
  }

  private static void daemon(Work work) {
    var thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (IOException ended) {
                return;
              }
            });
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() throws IOException {
    released.countDown();
    server.close();
    for (var socket : open) {
      socket.close();
    }
  }
}
