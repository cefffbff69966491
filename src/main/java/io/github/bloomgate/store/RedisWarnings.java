package io.github.bloomgate.store;

import io.github.bloomgate.redis.RedisInfo;
import io.github.bloomgate.redis.RedisLink;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import org.jboss.logging.Logger;

/**
 * Dangerous settings of Redis: checked at the start, every minute and with each readiness check,
 * and logged when they change. Thread-safe.
 */
@Singleton
public class RedisWarnings {

  private static final Logger LOG = Logger.getLogger(RedisWarnings.class);

  private final RedisLink link;
  private volatile List<String> known = List.of();

  @Inject
  RedisWarnings(RedisLink link, MeterRegistry metrics) {
    this.link = link;
    Gauge.builder("bloom.redis.warnings", this, warnings -> warnings.known.size())
        .description("Number of Redis settings that endanger filters.")
        .register(metrics);
  }

  @Scheduled(every = "1m", concurrentExecution = ConcurrentExecution.SKIP)
  Uni<Void> lookAgain() {
    return check().replaceWithVoid();
  }

  /**
   * Checks the settings now.
   *
   * @return a sentence for each danger, or the previous ones if Redis does not report its settings.
   *     Never fails
   */
  public Uni<List<String>> check() {
    return RedisInfo.read(link)
        .map(RedisWarnings::of)
        .invoke(this::note)
        .onFailure()
        .recoverWithItem(
            failure -> {
              LOG.debugf("The settings of Redis could not be read: %s", failure.getMessage());
              return known;
            });
  }

  /** A sentence for each danger, as of the last check. Does not wait. */
  public List<String> known() {
    return known;
  }

  private synchronized void note(List<String> now) {
    now.stream()
        .filter(warning -> !known.contains(warning))
        .forEach(warning -> LOG.warnf("Redis endangers filters: %s", warning));
    if (now.isEmpty() && !known.isEmpty()) {
      LOG.info("The settings of Redis no longer endanger filters.");
    }
    known = now;
  }

  private static List<String> of(RedisInfo settings) {
    var warnings = new ArrayList<String>();
    var policy = settings.maxmemoryPolicy();
    if (!policy.isEmpty() && !policy.equals("noeviction")) {
      warnings.add(
          "maxmemory-policy is %s, so a full Redis drops filters or parts of them; set noeviction."
              .formatted(policy));
    }
    if (!settings.appendOnly()) {
      warnings.add(
          "appendonly is no, so a restart of Redis loses the elements added since its last"
              + " snapshot; set yes.");
    }
    return List.copyOf(warnings);
  }
}
