package io.github.bloomgate.memory;

import io.github.bloomgate.memory.MemoryBudget.Use;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RequestErrors;
import io.github.bloomgate.threads.Await;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** The memory that one request holds for one use, within the share of its client. Thread-safe. */
public final class Holding implements AutoCloseable {

  private final MemoryBudget memory;
  private final Use use;
  private final String client;
  private final long age;
  private final Optional<Holding> first;
  private long bytes;
  private boolean closed;

  /**
   * @param age the number of requests before this one
   * @param first the other holding of the same request
   */
  Holding(MemoryBudget memory, Use use, String client, long age, Optional<Holding> first) {
    this.memory = memory;
    this.use = use;
    this.client = client;
    this.age = age;
    this.first = first;
  }

  /** A second holding of the same request, for no share. */
  public Holding second() {
    return new Holding(memory, use, Shares.NO_CLIENT, age, Optional.of(this));
  }

  public synchronized long bytes() {
    return bytes;
  }

  long bytesOfRequest() {
    return bytes() + first.map(Holding::bytes).orElse(0L);
  }

  Use use() {
    return use;
  }

  String client() {
    return client;
  }

  long age() {
    return age;
  }

  /** Takes more bytes; false if there is no room or it is closed. */
  public synchronized boolean grow(long more) {
    if (closed || memory.take(use, client, more) != Shares.Result.TAKEN) {
      return false;
    }
    bytes += more;
    return true;
  }

  /**
   * Waits for more bytes.
   *
   * @param result called once, on any thread, with whether they were taken
   */
  public void await(long more, Consumer<Boolean> result) {
    if (grow(more)) {
      result.accept(true);
    } else {
      memory.await(this, more, admitted -> result.accept(admitted && keep(more)));
    }
  }

  private boolean keep(long more) {
    synchronized (this) {
      if (!closed) {
        bytes += more;
        return true;
      }
    }
    memory.giveBack(use, client, more);
    return false;
  }

  /**
   * Takes more bytes, waiting for them if necessary. Blocks.
   *
   * @throws BloomException OVERLOADED if there is no room in time
   */
  public void growOrWait(long more) {
    var taken = new CompletableFuture<Boolean>();
    await(more, taken::complete);
    if (!Await.await(taken)) {
      throw RequestErrors.overloaded();
    }
  }

  /** Gives some of the bytes back. */
  public void shrink(long less) {
    synchronized (this) {
      if (closed) {
        return;
      }
      bytes -= less;
    }
    memory.giveBack(use, client, less);
  }

  /** Gives everything back. Later calls have no effect. */
  @Override
  public void close() {
    long held;
    synchronized (this) {
      held = bytes;
      bytes = 0;
      closed = true;
    }
    // Not under the lock: this lets other requests continue, which take their own locks.
    if (held > 0) {
      memory.giveBack(use, client, held);
    }
  }
}
