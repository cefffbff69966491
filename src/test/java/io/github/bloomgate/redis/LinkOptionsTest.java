package io.github.bloomgate.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quarkus.redis.runtime.client.config.RedisConfig;
import io.vertx.redis.client.RedisOptions;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LinkOptionsTest {

  @Test
  void hostNamesAreVerifiedUnlessTheSettingIsNone() {
    assertEquals("HTTPS", algorithmFor(Optional.empty()));
    assertEquals("HTTPS", algorithmFor(Optional.of("HTTPS")));
    assertEquals("", algorithmFor(Optional.of("NONE")));
    assertEquals("", algorithmFor(Optional.of("none")));
  }

  private static String algorithmFor(Optional<String> setting) {
    var options = new RedisOptions().setConnectionString("rediss://localhost:6380");
    setting.ifPresent(options.getNetClientOptions()::setHostnameVerificationAlgorithm);
    var link = new LinkOptions();
    link.customize(RedisConfig.DEFAULT_CLIENT_NAME, options);
    return link.get().getNetClientOptions().getHostnameVerificationAlgorithm();
  }
}
