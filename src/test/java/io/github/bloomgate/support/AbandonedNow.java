package io.github.bloomgate.support;

import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.store.TestStores;
import java.util.List;

/** Finishes at once what every instance finishes after half a minute, or a rebuild's patience. */
public final class AbandonedNow implements AutoCloseable {

  private final TestRedis redis;
  private final TestInstance hasty;

  /** What was abandoned in this Redis. */
  public AbandonedNow(TestRedis redis) {
    this.redis = redis;
    this.hasty = new TestInstance(redis, new HastyClock());
  }

  /** Reconciles all filters, and aborts the open rebuilds of these. */
  public void reconcile(List<String> names) {
    hasty.reconciler.reconcileAbandoned();
    for (var name : names) {
      var next = TestStores.nextKeys(new FilterName(name)).get(0);
      if (redis.command("EXISTS", next).toInteger() == 1) {
        redis.command("HSET", next, "abandonedAt", "1");
      }
    }
    hasty.reconciler.reconcileAbandoned();
  }

  /** All keys, but for marks that go by themselves. */
  public List<String> keys() {
    return hasty.keysWith("");
  }

  @Override
  public void close() {
    hasty.close();
  }
}
