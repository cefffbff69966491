package io.github.bloomgate.redis.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.bloomgate.config.BloomgateConfig;
import io.github.bloomgate.support.RawRedis;
import io.quarkus.redis.client.RedisHostsProvider;
import io.quarkus.test.junit.QuarkusTest;
import io.smallrye.common.annotation.Identifier;
import jakarta.inject.Inject;
import org.junit.jupiter.api.Test;

/** With no Redis configured, the service runs on the embedded one. */
@QuarkusTest
class EmbeddedRedisHostsTest {

  @Inject RawRedis redis;

  @Inject
  @Identifier("embedded")
  RedisHostsProvider provider;

  @Inject BloomgateConfig config;

  @Test
  void theClientTalksToTheEmbeddedRedis() throws Exception {
    assertEquals("PONG", redis.run("PING").toString());
    var folder = config.embedded().dataDir().toRealPath().toString();
    assertEquals(folder, redis.run("CONFIG", "GET", "dir").get("dir").toString());
  }

  @Test
  void theServerIsStartedOnce() {
    var port = provider.getHosts().iterator().next().getPort();
    assertEquals(port, redis.run("CONFIG", "GET", "port").get("port").toInteger());
    assertEquals(provider.getHosts(), provider.getHosts());
  }
}
