package io.github.bloomgate.rebuild;

import io.github.bloomgate.model.Filter;
import io.github.bloomgate.support.TestInstance;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/** Joins bitmaps as the service does, and lets something happen when a rebuild is open. */
final class DisturbedUnion extends BitmapUnion {

  private final IntConsumer before;
  private final IntConsumer after;
  private final boolean isCutShort;
  private final AtomicInteger attempts = new AtomicInteger();

  private DisturbedUnion(
      TestInstance service, IntConsumer before, IntConsumer after, boolean isCutShort) {
    super(
        service.live,
        service.stores.segments(),
        service.stores.rebuilds(),
        service.stores.budget(),
        service.contentCopies);
    this.before = before;
    this.after = after;
    this.isCutShort = isCutShort;
  }

  /** Something happens before a bit is read; it is told the number of the attempt, from 1. */
  static DisturbedUnion before(TestInstance service, IntConsumer disturbance) {
    return new DisturbedUnion(service, disturbance, attempt -> {}, false);
  }

  /** Something happens when all is joined and not yet committed. */
  static DisturbedUnion after(TestInstance service, IntConsumer disturbance) {
    return new DisturbedUnion(service, attempt -> {}, disturbance, false);
  }

  /** Whoever makes the union stops for ever when it is joined and not yet committed. */
  static DisturbedUnion cutShort(TestInstance service, Runnable joined) {
    return new DisturbedUnion(service, attempt -> {}, attempt -> joined.run(), true);
  }

  int attempts() {
    return attempts.get();
  }

  @Override
  void join(List<Filter> filters, Filter next, Client client) {
    var attempt = attempts.incrementAndGet();
    before.accept(attempt);
    super.join(filters, next, client);
    after.accept(attempt);
    if (isCutShort) {
      new CompletableFuture<Void>().join();
    }
  }
}
