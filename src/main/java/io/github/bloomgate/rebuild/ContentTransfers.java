package io.github.bloomgate.rebuild;

import io.github.bloomgate.model.FilterName;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** The copies, merges and imports in progress on this instance. Thread-safe. */
@Singleton
public class ContentTransfers {

  private final Queue<ContentTransfer> running = new ConcurrentLinkedQueue<>();
  private final Clock clock;

  ContentTransfers(Clock clock) {
    this.clock = clock;
  }

  /**
   * Begins a transfer, which the caller must close.
   *
   * @param filter the filter that gets the content
   * @param totalBytes the bytes of all bitmaps to write
   */
  public ContentTransfer begin(ContentTransfer.Kind kind, FilterName filter, long totalBytes) {
    var transfer = new ContentTransfer(running, kind, filter, clock.instant(), totalBytes);
    running.add(transfer);
    return transfer;
  }

  /** The transfers in progress, oldest first. */
  public List<ContentTransfer> running() {
    return List.copyOf(running);
  }
}
