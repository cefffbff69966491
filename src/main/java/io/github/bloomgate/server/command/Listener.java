package io.github.bloomgate.server.command;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.eclipse.microprofile.config.Config;

/**
 * An address that the service listens on.
 *
 * @param hostSetting the setting with the address
 * @param portSetting the setting with the port
 */
record Listener(String hostSetting, String portSetting) {

  private static final String HOST = "quarkus.http.host";

  static final Listener PLAIN = new Listener(HOST, "quarkus.http.port");
  static final Listener TLS = new Listener(HOST, "quarkus.http.ssl-port");
  static final Listener MANAGEMENT =
      new Listener("bloomgate.management.host", "bloomgate.management.port");

  /**
   * Finds the first address that cannot be opened, by trying it: the framework's exceptions name
   * neither address nor port.
   *
   * @return the address, the reason and the remedy; empty if all can be opened
   */
  static Optional<String> fault(Config config) {
    var listeners = new ArrayList<Listener>();
    var isPlain =
        config
            .getOptionalValue("quarkus.http.insecure-requests", String.class)
            .filter("disabled"::equalsIgnoreCase)
            .isEmpty();
    if (isPlain) {
      listeners.add(PLAIN);
    }
    listeners.addAll(List.of(MANAGEMENT, TLS));
    return listeners.stream().flatMap(it -> it.refusal(config).stream()).findFirst();
  }

  private Optional<String> refusal(Config config) {
    var port = config.getOptionalValue(portSetting, Integer.class);
    if (port.isEmpty()) {
      return Optional.empty();
    }
    var host = config.getValue(hostSetting, String.class);
    try {
      listen(host, 0);
    } catch (IOException notHere) {
      return Optional.of(
          "It cannot listen on the address %s (%s): set %s to an address of this machine, or to 0.0.0.0 for all of them."
              .formatted(host, reason(notHere), hostSetting));
    }
    try {
      listen(host, port.get());
      return Optional.empty();
    } catch (IllegalArgumentException outOfRange) {
      return Optional.of(
          "%s is %d, but must be from 0 to 65535.".formatted(portSetting, port.get()));
    } catch (IOException refused) {
      return Optional.of(
          "It cannot listen on port %d of %s (%s): end the process that uses this port, or set %s to a free port from 1024 to 65535."
              .formatted(port.get(), host, refused.getMessage(), portSetting));
    }
  }

  private static String reason(IOException failed) {
    return failed instanceof UnknownHostException ? "unknown host" : failed.getMessage();
  }

  private static void listen(String host, int port) throws IOException {
    var address = new InetSocketAddress(host, port);
    if (address.isUnresolved()) {
      throw new UnknownHostException(host);
    }
    try (var socket = new ServerSocket()) {
      socket.bind(address);
    }
  }
}
