package io.github.bloomgate.rebuild;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.github.bloomgate.model.FilterName;
import java.time.Instant;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicLong;

/** A copy, merge or import while its content is written. Closing it ends it. Thread-safe. */
public final class ContentTransfer implements AutoCloseable {

  public enum Kind {
    @JsonProperty("copy")
    COPY,
    @JsonProperty("merge")
    MERGE,
    @JsonProperty("import")
    IMPORT
  }

  private final Collection<ContentTransfer> running;
  private final Kind kind;
  private final FilterName filter;
  private final Instant startedAt;
  private final long totalBytes;
  private final AtomicLong doneBytes = new AtomicLong();

  /**
   * @param running loses this at its end
   */
  ContentTransfer(
      Collection<ContentTransfer> running,
      Kind kind,
      FilterName filter,
      Instant startedAt,
      long totalBytes) {
    this.running = running;
    this.kind = kind;
    this.filter = filter;
    this.startedAt = startedAt;
    this.totalBytes = totalBytes;
  }

  public Kind kind() {
    return kind;
  }

  /** The filter that gets the content. */
  public FilterName filter() {
    return filter;
  }

  public Instant startedAt() {
    return startedAt;
  }

  /** The bytes of all bitmaps to write; for a merge, those of each merged filter. */
  public long totalBytes() {
    return totalBytes;
  }

  /** The bytes of bitmaps written so far. */
  public long doneBytes() {
    return doneBytes.get();
  }

  /** Notes that further bytes of bitmaps were written. */
  public void wrote(long bytes) {
    doneBytes.addAndGet(bytes);
  }

  @Override
  public void close() {
    running.remove(this);
  }
}
