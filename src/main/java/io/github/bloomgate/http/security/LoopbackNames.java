package io.github.bloomgate.http.security;

import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.UnknownHostException;

/** Addresses and names that mean the machine itself wherever they are resolved. */
final class LoopbackNames {

  private static final String LOCALHOST = "localhost";

  private LoopbackNames() {}

  /** Whether an address is one of loopback, an IPv4 one within IPv6 included. */
  static boolean isLoopback(String address) {
    var bytes = address == null ? null : NetUtil.createByteArrayFromIpAddressString(address);
    if (bytes == null) {
      return false;
    }
    try {
      // Makes an IPv4 address of one that is mapped into IPv6.
      return InetAddress.getByAddress(bytes).isLoopbackAddress();
    } catch (UnknownHostException impossible) {
      throw new IllegalStateException("An address has 4 or 16 bytes", impossible);
    }
  }

  /**
   * Whether the value of a Host header is localhost, a name below it, or a loopback address, with
   * or without a port. Any other name may be one that somebody lets point here.
   */
  static boolean isLoopbackHost(String host) {
    var name = withoutPort(host);
    return name.equalsIgnoreCase(LOCALHOST)
        || name.regionMatches(
            true,
            name.length() - LOCALHOST.length() - 1,
            "." + LOCALHOST,
            0,
            LOCALHOST.length() + 1)
        || isLoopback(name);
  }

  private static String withoutPort(String host) {
    if (host.startsWith("[")) {
      var end = host.indexOf(']');
      return end < 0 ? "" : host.substring(1, end);
    }
    var colon = host.indexOf(':');
    return colon < 0 ? host : host.substring(0, colon);
  }
}
