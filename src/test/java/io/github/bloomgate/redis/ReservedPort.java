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
 * A TCP port on loopback that stays free for a server that is yet to be started, or to be started
 * again: no system gives a port of this range to whoever asks for any, and the same port of UDP is
 * held, so that other tests, those of other processes included, choose another one.
 */
public final class ReservedPort implements AutoCloseable {

  /** From here on, and so many; those of the cluster bus are as many higher. */
  private static final int FIRST = 11_000;

  private static final int COUNT = 10_000;

  private final DatagramSocket held;

  private ReservedPort(DatagramSocket held) {
    this.held = held;
  }

  /** Reserves any port that is free. */
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

  /** The port. */
  public int number() {
    return held.getLocalPort();
  }

  /** Leaves it to others. */
  @Override
  public void close() {
    held.close();
  }
}
