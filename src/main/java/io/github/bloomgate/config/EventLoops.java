package io.github.bloomgate.config;

import io.smallrye.config.SmallRyeConfigBuilder;
import io.smallrye.config.SmallRyeConfigBuilderCustomizer;

/**
 * Runs an event loop for every two processors, unless {@code quarkus.vertx.event-loops-pool-size}
 * is set. The framework's default is four times as many. With fewer loops more requests share a
 * call to Redis, and fewer change threads.
 */
public final class EventLoops implements SmallRyeConfigBuilderCustomizer {

  public static final String SETTING = "quarkus.vertx.event-loops-pool-size";

  @Override
  public void configBuilder(SmallRyeConfigBuilder builder) {
    builder.withDefaultValue(SETTING, Integer.toString(usual()));
  }

  /** The number of event loops if it is not set. */
  public static int usual() {
    return Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
  }
}
