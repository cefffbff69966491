package io.github.bloomgate.http.connection;

import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.impl.ConnectionBase;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.HexFormat;

/** The address of a connection as a client that shares resources with others. */
public final class ClientAddress {

  /** A host or a customer usually has all addresses that begin with the same 64 bits. */
  private static final int IPV6_BYTES = 8;

  private ClientAddress() {}

  /** The address of a request's connection, regardless of headers. No key has such an id. */
  public static String of(HttpServerRequest request) {
    return of(((ConnectionBase) request.connection()).channel().remoteAddress());
  }

  static String of(SocketAddress address) {
    if (address instanceof InetSocketAddress inet && !inet.isUnresolved()) {
      var bytes = inet.getAddress().getAddress();
      var length = Math.min(bytes.length, IPV6_BYTES);
      return "address " + HexFormat.of().formatHex(bytes, 0, length);
    }
    return "socket";
  }
}
