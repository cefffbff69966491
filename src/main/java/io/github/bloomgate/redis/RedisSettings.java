package io.github.bloomgate.redis;

import io.quarkus.redis.runtime.client.config.RedisConfig;
import io.smallrye.config.ConfigMappings;
import io.smallrye.config.ConfigMappings.ConfigClass;
import java.util.Set;

/** The names of the framework's settings for Redis. */
public final class RedisSettings {

  private static final ConfigClass ALL = ConfigClass.configClass(RedisConfig.class);

  /** The prefix of all names, with a period. */
  public static final String PREFIX = ALL.getPrefix() + ".";

  private RedisSettings() {}

  /** The names of all settings that the framework reads at the start. */
  public static Set<String> names() {
    return ConfigMappings.getProperties(ALL).keySet();
  }
}
