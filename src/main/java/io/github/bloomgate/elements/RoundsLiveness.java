package io.github.bloomgate.elements;

import io.github.bloomgate.config.BloomgateConfig;
import io.smallrye.health.api.AsyncHealthCheck;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Liveness;

/**
 * Live while the thread of the rounds responds and no request is forgotten there, whatever the
 * state of Redis. Only a restart helps otherwise.
 */
@Liveness
@Singleton
class RoundsLiveness implements AsyncHealthCheck {

  private static final String NAME = "rounds";

  /** Shorter than the usual timeout of a probe. */
  private static final Duration RESPONSE = Duration.ofSeconds(3);

  /** Added to the call timeout: a fold, which requests may wait for, makes a few calls. */
  private static final Duration SPARE = Duration.ofMinutes(1);

  private static final int CALLS = 10;

  private final Rounds rounds;
  private final Duration longest;

  @Inject
  RoundsLiveness(Rounds rounds, BloomgateConfig config) {
    this.rounds = rounds;
    this.longest = longest(config.redis());
  }

  /** The longest time without any event while requests are waiting. */
  private static Duration longest(BloomgateConfig.Redis redis) {
    return redis
        .callTimeout()
        .plus(redis.replicationTimeout().multipliedBy(2))
        .multipliedBy(CALLS)
        .plus(SPARE);
  }

  @Override
  public Uni<HealthCheckResponse> call() {
    return rounds
        .isStuck(longest)
        .map(isStuck -> isStuck ? down("Requests have been waiting without any progress.") : up())
        .ifNoItem()
        .after(RESPONSE)
        .recoverWithItem(() -> down("The event loop of the connection to Redis does not respond."));
  }

  private static HealthCheckResponse up() {
    return HealthCheckResponse.up(NAME);
  }

  private static HealthCheckResponse down(String reason) {
    return HealthCheckResponse.named(NAME).down().withData("reason", reason).build();
  }
}
