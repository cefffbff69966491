package io.github.bloomgate.server.observe;

import io.github.bloomgate.config.BloomgateConfig;
import io.github.bloomgate.http.access.ApiKeys;
import io.github.bloomgate.redis.RedisAddress;
import io.github.bloomgate.redis.RedisInfo;
import io.github.bloomgate.redis.RedisLink;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

/**
 * Logs version, Redis, data folder and access at the start. The framework logs the address, which
 * is known last.
 */
@Singleton
class StartSummary {

  private static final Logger LOG = Logger.getLogger(StartSummary.class);

  private final RedisLink link;
  private final String version;
  private final String place;
  private final String clients;
  private final boolean isEmbedded;

  StartSummary(
      RedisLink link,
      ApiKeys keys,
      BloomgateConfig config,
      @ConfigProperty(name = "quarkus.application.version") String version,
      @ConfigProperty(name = "quarkus.redis.hosts") Optional<List<String>> hosts) {
    this.link = link;
    this.version = version;
    this.place = place(hosts, config.embedded());
    this.isEmbedded = hosts.isEmpty();
    this.clients =
        keys.areRequired()
            ? "with one of %d API keys".formatted(keys.count())
            : "on this machine only, without a key";
  }

  void start(@Observes StartupEvent started) {
    if (isEmbedded) {
      LOG.warn(
          "No Redis is configured, so the data goes to the embedded Redis. To use your own, set quarkus.redis.hosts (QUARKUS_REDIS_HOSTS in the environment).");
    }
    RedisInfo.read(link)
        .map(RedisInfo::product)
        .onFailure()
        .recoverWithItem("Redis (version not known)")
        .subscribe()
        .with(this::log);
  }

  private void log(String redis) {
    LOG.infof("Bloomgate %s uses %s %s and serves clients %s.", version, redis, place, clients);
  }

  static String place(Optional<List<String>> hosts, BloomgateConfig.Embedded embedded) {
    return hosts
        .map(
            some ->
                some.stream()
                    .map(host -> RedisAddress.parse(host).toString())
                    .collect(Collectors.joining(", ", "at ", "")))
        .orElseGet(
            () ->
                "of its own (data in %s)"
                    .formatted(embedded.dataDir().toAbsolutePath().normalize()));
  }
}
