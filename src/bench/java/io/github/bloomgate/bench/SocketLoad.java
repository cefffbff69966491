package io.github.bloomgate.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** A load generator on plain sockets, which allocates nothing while it runs. */
final class SocketLoad implements LoadGenerator {

  private static final Duration MAX_WAIT = Duration.ofMinutes(10);

  @Override
  public String name() {
    return "java";
  }

  @Override
  public Sample run(int port, Requests requests, int connections, Duration time) {
    return run(List.of(port), requests, connections, Long.MAX_VALUE, time);
  }

  /**
   * Measures requests per second until this number has been answered.
   *
   * @param ports ports of one or more servers, over which the connections are spread
   */
  static Sample runAll(List<Integer> ports, Requests requests, int connections, long count) {
    var sample = run(ports, requests, connections, count, MAX_WAIT);
    if (sample.operations() < count) {
      throw new IllegalStateException(
          "%d requests were sent, but %d were answered in %s"
              .formatted(count, sample.operations(), MAX_WAIT));
    }
    return sample;
  }

  private static Sample run(
      List<Integer> ports, Requests requests, int connections, long limit, Duration time) {
    try (var selector = Selector.open()) {
      var serial = new AtomicLong();
      var latencies = new Latencies();
      var open = new ArrayList<SocketChannel>();
      try {
        for (var i = 0; i < connections; i++) {
          var port = ports.get(i % ports.size());
          var channel =
              SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
          open.add(channel);
          var key = channel.configureBlocking(false).register(selector, SelectionKey.OP_READ);
          key.attach(new HttpExchange(key, channel, requests, serial, limit, latencies));
        }
        return drive(selector, latencies, limit, time);
      } finally {
        for (var channel : open) {
          channel.close();
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Sample drive(Selector selector, Latencies latencies, long limit, Duration time)
      throws IOException {
    var start = System.nanoTime();
    for (var key : selector.keys()) {
      ((HttpExchange) key.attachment()).begin();
    }
    while (latencies.operations() < limit && System.nanoTime() - start < time.toNanos()) {
      selector.select(key -> ((HttpExchange) key.attachment()).proceed(), 100);
    }
    return latencies.sample((System.nanoTime() - start) / 1e9);
  }
}
