package io.github.bloomgate.config;

import io.smallrye.config.SmallRyeConfigBuilder;
import io.smallrye.config.SmallRyeConfigBuilderCustomizer;

/**
 * Runs an event loop for each processor, unless {@code quarkus.vertx.event-loops-pool-size} is set.
 * The framework's default is twice as many. With fewer loops more requests share a call to Redis,
 * and fewer change threads; but a single loop would leave processors idle under load.
 */
public final class EventLoops implements SmallRyeConfigBuilderCustomizer {

  public static final String SETTING = "quarkus.vertx.event-loops-pool-size";

  @Override
  public void configBuilder(SmallRyeConfigBuilder builder) {
    builder.withDefaultValue(SETTING, Integer.toString(usual()));
  }

  /** The number of event loops if it is not set. */
  public static int usual() {
    return Runtime.getRuntime().availableProcessors();
  }
}
