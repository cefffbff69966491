package io.github.bloomgate.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketException;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A TCP port on loopback that stays free for a server to be started or restarted. Systems do not
 * assign ports of this range. Tests, even in other processes, skip a port whose UDP port is in use,
 * so this class binds it.
 */
public final class ReservedPort implements AutoCloseable {

  /** The first port and the size of the range. The ports of the cluster bus follow it. */
  private static final int FIRST = 11_000;

  private static final int COUNT = 10_000;

  private final DatagramSocket held;

  private ReservedPort(DatagramSocket held) {
    this.held = held;
  }

  /** Reserves any free port. */
  public static ReservedPort any() {
    while (true) {
      var port = FIRST + ThreadLocalRandom.current().nextInt(COUNT);
      var held = hold(port);
      if (held.isPresent()) {
        if (isFree(port) && isFree(port + COUNT)) {
          return new ReservedPort(held.get());
        }
        held.get().close();
      }
    }
  }

  private static Optional<DatagramSocket> hold(int port) {
    try {
      return Optional.of(new DatagramSocket(port, InetAddress.getLoopbackAddress()));
    } catch (SocketException reservedByAnother) {
      return Optional.empty();
    }
  }

  private static boolean isFree(int port) {
    try {
      new ServerSocket(port, 1, InetAddress.getLoopbackAddress()).close();
      return true;
    } catch (BindException taken) {
      return false;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public int number() {
    return held.getLocalPort();
  }

  /** Releases the port. */
  @Override
  public void close() {
    held.close();
  }
}
