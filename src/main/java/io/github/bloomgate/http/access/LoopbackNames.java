package io.github.bloomgate.http.access;

import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;

/** Addresses and names that always mean the local machine. */
final class LoopbackNames {

  private LoopbackNames() {}

  /** Whether an address is a loopback address, including IPv4 mapped into IPv6. */
  static boolean isLoopback(String address) {
    var bytes = address == null ? null : NetUtil.createByteArrayFromIpAddressString(address);
    if (bytes == null) {
      return false;
    }
    try {
      // Converts IPv4 addresses mapped into IPv6.
      return InetAddress.getByAddress(bytes).isLoopbackAddress();
    } catch (UnknownHostException impossible) {
      throw new IllegalStateException("An address has 4 or 16 bytes", impossible);
    }
  }

  /**
   * Whether a Host header is localhost, a name below it, or a loopback address, with or without a
   * port. An attacker could make any other name resolve to this machine.
   */
  static boolean isLoopbackHost(String host) {
    var name = withoutPort(host).toLowerCase(Locale.ROOT);
    return name.equals("localhost") || name.endsWith(".localhost") || isLoopback(name);
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
