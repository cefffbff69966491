package io.github.bloomgate.observe;

import io.github.bloomgate.error.BloomException;
import io.github.bloomgate.redis.Script;
import io.github.bloomgate.redis.ScriptReply;
import io.github.bloomgate.redis.ScriptRunner;
import io.smallrye.health.api.AsyncHealthCheck;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.List;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponseBuilder;
import org.eclipse.microprofile.health.Readiness;

/**
 * Ready while Redis runs scripts that may write, within the time a call may take.
 *
 * <p>It goes the way requests go, so a replica, a wrong password or a stopped Redis make it DOWN.
 */
@Readiness
@Singleton
public class RedisReadiness implements AsyncHealthCheck {
  private static final String NAME = "redis";
  private static final List<String> KEYS = List.of("bloom:readiness");

  private final ScriptRunner scripts;

  @Inject
  RedisReadiness(ScriptRunner scripts) {
    this.scripts = scripts;
  }

  @Override
  public Uni<HealthCheckResponse> call() {
    return scripts
        .run(Script.PING, KEYS, request -> {})
        .map(RedisReadiness::answered)
        .onFailure()
        .recoverWithItem(RedisReadiness::failed);
  }

  private static HealthCheckResponse answered(ScriptReply reply) {
    return reply.status().equals("OK")
        ? HealthCheckResponse.up(NAME)
        : down("Redis answered the ping with something else");
  }

  private static HealthCheckResponse failed(Throwable failure) {
    return down(
        failure instanceof BloomException
            ? failure.getMessage()
            : "The ping failed: " + failure.getClass().getSimpleName());
  }

  private static HealthCheckResponse down(String reason) {
    HealthCheckResponseBuilder response = HealthCheckResponse.named(NAME).down();
    return response.withData("reason", reason).build();
  }
}
