package io.github.bloomgate.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.TimeUnit;

/** Followers of one filter, whose connections are all read by one thread. */
final class Crowd implements AutoCloseable {

  private static final int BUFFER = 1 << 16;
  private static final Duration MAX_WAIT = Duration.ofMinutes(2);

  /** The time between two looks at all ages. */
  private static final int SAMPLE_MILLIS = 10;

  private final Selector selector;
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER);

  private Crowd(Selector selector) {
    this.selector = selector;
  }

  /** Opens this number of streams, and waits until all copies are complete. */
  static Crowd open(int port, String filter, int followers) {
    try {
      var crowd = new Crowd(Selector.open());
      for (var i = 0; i < followers; i++) {
        FollowerConnection.open(crowd.selector, port, filter);
      }
      crowd.awaitCopies();
      return crowd;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void awaitCopies() throws IOException {
    var end = System.nanoTime() + MAX_WAIT.toNanos();
    while (!connections().stream().allMatch(one -> one.frames().hasAt())) {
      if (System.nanoTime() > end) {
        throw new IllegalStateException("Followers got no complete copy in " + MAX_WAIT);
      }
      selector.select(this::read, SAMPLE_MILLIS);
    }
  }

  /** Reads for this time, and returns the ages of all copies at regular times. */
  Latencies read(Duration time) {
    try {
      var ages = new Latencies();
      var period = TimeUnit.MILLISECONDS.toNanos(SAMPLE_MILLIS);
      var now = System.nanoTime();
      var end = now + time.toNanos();
      var nextSample = now + period;
      while (now < end) {
        selector.select(this::read, SAMPLE_MILLIS);
        now = System.nanoTime();
        if (now >= nextSample) {
          for (var one : connections()) {
            ages.add(one.frames().ageNanos(now));
          }
          nextSample = now + period;
        }
      }
      return ages;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void read(SelectionKey key) {
    ((FollowerConnection) key.attachment()).read(buffer);
  }

  private Collection<FollowerConnection> connections() {
    return selector.keys().stream().map(key -> (FollowerConnection) key.attachment()).toList();
  }

  /** The number of bytes that all have received. */
  long bytes() {
    return connections().stream().mapToLong(FollowerConnection::bytes).sum();
  }

  @Override
  public void close() {
    try {
      connections().forEach(FollowerConnection::close);
      selector.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
