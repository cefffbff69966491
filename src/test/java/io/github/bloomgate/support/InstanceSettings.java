package io.github.bloomgate.support;

import io.github.bloomgate.config.BloomgateConfig;
import io.github.bloomgate.config.secret.HashSecrets;
import io.github.bloomgate.rebuild.TestSources;
import io.github.bloomgate.redis.TestLink;
import java.time.Clock;

/**
 * How a {@link TestInstance} is wired.
 *
 * @param copying whether it keeps copies of segments
 */
record InstanceSettings(
    TestLink link,
    Clock clock,
    BloomgateConfig.Sources sources,
    boolean copying,
    HashSecrets secrets) {

  /** The settings of a normal instance on a link. */
  InstanceSettings(TestLink link, Clock clock) {
    this(link, clock, TestSources.NOTHING, true, HashSecrets.of());
  }

  InstanceSettings withSources(BloomgateConfig.Sources others) {
    return new InstanceSettings(link, clock, others, copying, secrets);
  }

  InstanceSettings withoutCopying() {
    return new InstanceSettings(link, clock, sources, false, secrets);
  }

  InstanceSettings withSecrets(HashSecrets others) {
    return new InstanceSettings(link, clock, sources, copying, others);
  }
}
