package io.github.bloomgate.faults;

import io.github.bloomgate.support.InParallel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * An address that stays while the service behind it changes. Can also cut connections, and delay
 * what the service sends.
 */
final class MovableProxy implements AutoCloseable {

  private static final int BUFFER_BYTES = 8192;
  private static final long LOOK_NANOS = 5_000_000;

  private final ServerSocket server;
  private final AtomicInteger accepted = new AtomicInteger();
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private volatile int target;
  private volatile long heldUntil = System.nanoTime();

  private MovableProxy(ServerSocket server, int target) {
    this.server = server;
    this.target = target;
  }

  static MovableProxy to(int target) throws IOException {
    var server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    var proxy = new MovableProxy(server, target);
    var unused = InParallel.run(proxy::accept);
    return proxy;
  }

  String url() {
    return "http://127.0.0.1:" + server.getLocalPort();
  }

  /** The number of connections so far. */
  int accepted() {
    return accepted.get();
  }

  /** Sends all further connections to another port. */
  void moveTo(int port) {
    target = port;
    cut();
  }

  /** Cuts all connections, wherever they are in a frame. */
  void cut() {
    open.forEach(MovableProxy::close);
  }

  /** Keeps the connections open, but delays what the service sends. */
  void holdFor(long nanos) {
    heldUntil = System.nanoTime() + nanos;
  }

  @Override
  public void close() throws IOException {
    server.close();
    cut();
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        var client = server.accept();
        accepted.incrementAndGet();
        open.add(client);
        var unused = InParallel.run(() -> connect(client));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void connect(Socket client) {
    try (client;
        var service = new Socket(InetAddress.getLoopbackAddress(), target)) {
      open.add(service);
      client.setTcpNoDelay(true);
      service.setTcpNoDelay(true);
      var there = InParallel.run(() -> pass(client, service, false));
      pass(service, client, true);
      there.join();
      open.remove(service);
    } catch (IOException refused) {
      // The client sees its connection end.
      return;
    } finally {
      open.remove(client);
    }
  }

  private void pass(Socket from, Socket to, boolean isHeld) {
    var buffer = new byte[BUFFER_BYTES];
    try (from;
        to) {
      var input = from.getInputStream();
      for (var count = input.read(buffer); count >= 0; count = input.read(buffer)) {
        while (isHeld && System.nanoTime() - heldUntil < 0) {
          LockSupport.parkNanos(LOOK_NANOS);
        }
        to.getOutputStream().write(buffer, 0, count);
      }
    } catch (IOException cut) {
      return;
    }
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException closed) {
      return;
    }
  }
}
