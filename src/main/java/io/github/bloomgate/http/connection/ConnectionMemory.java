package io.github.bloomgate.http.connection;

import io.github.bloomgate.memory.Holding;
import io.github.bloomgate.memory.MemoryBudget;
import io.github.bloomgate.memory.MemoryBudget.Use;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.HttpRequest;

/**
 * The memory of one connection, within the share of its address: for itself, for the part of a head
 * or of trailers that has arrived, and for pipelined requests that wait. Used on its event loop.
 */
final class ConnectionMemory {

  /** The framework's objects take 6 to 9 KB, measured with idle connections. */
  private static final int CONNECTION = 12 << 10;

  /** A full table of headers takes 15 KB, measured, and an incomplete frame up to 16 KB. */
  private static final int HTTP2 = 36 << 10;

  /** A header takes 145 bytes, measured, and its shortest line three. */
  private static final int COPIES_OF_HEAD = 48;

  /** A parsed head without its headers. */
  private static final int HEAD = 1 << 9;

  private final MemoryBudget memory;
  private final String address;
  private final Holding held;
  private Holding head;
  private Holding waiting;

  ConnectionMemory(MemoryBudget memory, Channel connection) {
    this.memory = memory;
    this.address = ClientAddress.of(connection.remoteAddress());
    this.held = hold();
    this.head = hold();
    this.waiting = hold();
  }

  private Holding hold() {
    return memory.hold(Use.CONNECTIONS, address);
  }

  boolean take() {
    return take(held, CONNECTION);
  }

  boolean takeForHttp2() {
    return take(held, HTTP2);
  }

  /** Holds memory for these bytes of an incomplete head, instead of what it held for the head. */
  boolean holdForHead(int bytes) {
    if (bytes == 0) {
      giveBackHead();
      return true;
    }
    var more = (long) COPIES_OF_HEAD * bytes - head.bytes();
    if (more <= 0) {
      head.shrink(-more);
      return true;
    }
    return take(head, more);
  }

  void giveBackHead() {
    if (head.bytes() > 0) {
      head.close();
      head = hold();
    }
  }

  /** Takes memory for a complete head that must wait. */
  boolean takeForWaiting(HttpRequest request) {
    return take(waiting, HEAD + Exchange.bytes(request.headers()));
  }

  void giveBackWaiting() {
    if (waiting.bytes() > 0) {
      waiting.close();
      waiting = hold();
    }
  }

  private boolean take(Holding holding, long bytes) {
    if (holding.grow(bytes)) {
      return true;
    }
    memory.countRefusal(Use.CONNECTIONS);
    return false;
  }

  void close() {
    held.close();
    head.close();
    waiting.close();
  }
}
