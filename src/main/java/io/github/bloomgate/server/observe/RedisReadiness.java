package io.github.bloomgate.server.observe;

import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.redis.Arguments;
import io.github.bloomgate.redis.Effect;
import io.github.bloomgate.redis.Script;
import io.github.bloomgate.redis.ScriptCall;
import io.github.bloomgate.redis.ScriptReply;
import io.github.bloomgate.redis.ScriptRunner;
import io.github.bloomgate.store.RedisWarnings;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import io.smallrye.health.api.AsyncHealthCheck;
import io.smallrye.mutiny.CompositeException;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.stream.IntStream;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponseBuilder;
import org.eclipse.microprofile.health.Readiness;

/**
 * Ready while Redis runs writing scripts within the call timeout.
 *
 * <p>In a cluster one node is enough. The check uses the same link as requests, so a replica, a
 * wrong password or a stopped Redis make it DOWN. Dangerous settings of Redis are reported but do
 * not make it DOWN.
 */
@Readiness
@Singleton
public class RedisReadiness implements AsyncHealthCheck {
  private static final String NAME = "redis";
  private static final String KEY = "bloom:readiness";

  /** The number of cluster slots to try. */
  private static final int PLACES = 12;

  private final ScriptRunner scripts;
  private final RedisWarnings warnings;
  private volatile boolean ready;

  @Inject
  RedisReadiness(ScriptRunner scripts, RedisWarnings warnings, MeterRegistry metrics) {
    this.scripts = scripts;
    this.warnings = warnings;
    Gauge.builder("bloom.ready", this, readiness -> readiness.ready ? 1 : 0)
        .description("1 if the last readiness check succeeded, else 0.")
        .register(metrics);
  }

  /** Keeps the metric current even if nothing polls readiness. */
  @Scheduled(every = "15s", concurrentExecution = ConcurrentExecution.SKIP)
  Uni<Void> pingAgain() {
    return ping().replaceWithVoid().onFailure().recoverWithNull();
  }

  private Uni<ScriptReply> ping() {
    return pingAny().invoke(reply -> ready = true).onFailure().invoke(failure -> ready = false);
  }

  @Override
  public Uni<HealthCheckResponse> call() {
    return ping()
        .chain(warnings::check)
        .map(RedisReadiness::up)
        .onFailure()
        .recoverWithItem(RedisReadiness::failed);
  }

  /** If a cluster loses a node, the filters on all others still work, so any reply is enough. */
  private Uni<ScriptReply> pingAny() {
    return scripts.isSpread()
        ? Uni.join()
            .first(IntStream.range(0, PLACES).mapToObj(place -> pingOne(KEY + place)).toList())
            .withItem()
            .onFailure(CompositeException.class)
            .transform(none -> none.getCauses().get(0))
        : pingOne(KEY);
  }

  /** Drops a segment that does not exist, which Redis refuses where it takes no writes. */
  private Uni<ScriptReply> pingOne(String key) {
    return scripts
        .send(new ScriptCall(Script.DROP, Effect.READ, List.of(key), new Arguments()))
        .map(ScriptReply::requireOk);
  }

  private static HealthCheckResponse up(List<String> warnings) {
    HealthCheckResponseBuilder response = HealthCheckResponse.named(NAME).up();
    for (var i = 0; i < warnings.size(); i++) {
      response.withData("warning" + (i + 1), warnings.get(i));
    }
    return response.build();
  }

  private static HealthCheckResponse failed(Throwable failure) {
    var reason =
        failure instanceof BloomException
            ? failure.getMessage()
            : "The ping failed: " + failure.getClass().getSimpleName();
    return HealthCheckResponse.named(NAME).down().withData("reason", reason).build();
  }
}
