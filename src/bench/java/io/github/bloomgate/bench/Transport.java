package io.github.bloomgate.bench;

import java.util.List;

/** How Netty waits for sockets. */
enum Transport {
  /** The library for this system, epoll on Linux. */
  NATIVE(System.getProperty("os.name").startsWith("Mac") ? "kqueue" : "epoll"),
  NIO("NIO");

  private final String text;

  Transport(String text) {
    this.text = text;
  }

  String text() {
    return text;
  }

  List<String> settings() {
    return this == NIO ? List.of("io.netty.transport.noNative=true") : List.of();
  }
}
