package io.github.bloomgate.config;

import io.smallrye.config.SmallRyeConfigBuilder;
import io.smallrye.config.SmallRyeConfigBuilderCustomizer;

/**
 * Runs an event loop for each processor, unless {@code quarkus.vertx.event-loops-pool-size} is set.
 * With the framework's default of two for each processor, fewer requests would meet on one loop and
 * share a call to Redis, and more responses would change threads.
 */
public final class EventLoops implements SmallRyeConfigBuilderCustomizer {

  @Override
  public void configBuilder(SmallRyeConfigBuilder builder) {
    var processors = Runtime.getRuntime().availableProcessors();
    builder.withDefaultValue("quarkus.vertx.event-loops-pool-size", Integer.toString(processors));
  }
}
