package io.github.bloomgate.support;

import io.github.bloomgate.config.BloomgateConfig;
import io.github.bloomgate.config.secret.HashSecrets;
import io.github.bloomgate.rebuild.TestSources;
import io.github.bloomgate.redis.TestLink;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import java.time.Clock;
import java.util.concurrent.Executor;

/**
 * How a {@link TestInstance} is put together.
 *
 * @param workers who does what is no work for an event loop
 * @param coalescing whether batches share calls
 * @param copying whether it holds copies of segments
 */
record InstanceSettings(
    TestLink link,
    Executor workers,
    Clock clock,
    BloomgateConfig.Sources sources,
    boolean coalescing,
    boolean copying,
    HashSecrets secrets) {

  private static final Executor WORKERS =
      work -> Infrastructure.getDefaultWorkerPool().execute(work);

  /** Those of an instance of the service on a link. */
  InstanceSettings(TestLink link, Clock clock) {
    this(link, WORKERS, clock, TestSources.NOTHING, true, true, HashSecrets.of());
  }

  InstanceSettings withWorkers(Executor others) {
    return new InstanceSettings(link, others, clock, sources, coalescing, copying, secrets);
  }

  InstanceSettings withSources(BloomgateConfig.Sources others) {
    return new InstanceSettings(link, workers, clock, others, coalescing, copying, secrets);
  }

  InstanceSettings withoutCoalescing() {
    return new InstanceSettings(link, workers, clock, sources, false, copying, secrets);
  }

  InstanceSettings withoutCopying() {
    return new InstanceSettings(link, workers, clock, sources, coalescing, false, secrets);
  }

  InstanceSettings withSecrets(HashSecrets others) {
    return new InstanceSettings(link, workers, clock, sources, coalescing, copying, others);
  }
}
