package io.github.bloomgate.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.redis.runtime.client.config.RedisConfig;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.vertx.redis.client.RedisClientType;
import io.vertx.redis.client.RedisOptions;
import io.vertx.redis.client.RedisReplicas;
import io.vertx.redis.client.RedisRole;
import io.vertx.redis.client.impl.RedisURI;
import java.net.URLEncoder;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Addresses of Redis as users write them, how the driver parses them, and verified host names. */
class LinkOptionsTest {

  @ParameterizedTest
  @CsvSource({
    "redis://one, , , one, 6379, , redis://one",
    "rediss://one:6380/2, , , one, 6380, 2, rediss://one:6380/2",
    "redis://one?db=3, , , one, 6379, 3, redis://one/3",
    "redis://:s3cret@one, , s3cret, one, 6379, , redis://one",
    "redis://ops:s3cret@one/4, ops, s3cret, one, 6379, 4, redis://one/4",
    "redis://one?user=ops&password=s3%26cret, ops, s3&cret, one, 6379, , redis://one",
    "redis://ops%40example.com:s3%2Fcret@one, ops@example.com, s3/cret, one, 6379, , redis://one",
    "redis://:a+b%2Bc%20d@one, , a+b+c d, one, 6379, , redis://one",
    "redis://:a:b%3Ac@one, , a:b:c, one, 6379, , redis://one",
    "redis://:s\u00e4cret@[::1]:7, , s\u00e4cret, [::1], 7, , redis://[::1]:7",
  })
  void anAddressIsParsed(
      String text,
      String user,
      String password,
      String host,
      int port,
      Integer database,
      String shown) {
    var address = RedisAddress.parse(" " + text);
    var read = new RedisURI(address.forDriver(Optional.empty()));
    assertEquals(user, read.user() == null || read.user().isEmpty() ? null : read.user());
    assertEquals(password, read.password());
    assertEquals(host, read.socketAddress().host());
    assertEquals(port, read.socketAddress().port());
    assertEquals(database, read.select());
    assertEquals(text.startsWith("rediss"), read.ssl());
    assertEquals(shown, address.toString());
    var node = new RedisURI(address.of("::2", 8));
    assertEquals(password, node.password());
    assertEquals("[::2]", node.socketAddress().host());
    assertEquals(8, node.socketAddress().port());
  }

  @Test
  void anyUserAndPasswordReachTheDriver() {
    var seed = new Random().nextLong();
    var dice = new Random(seed);
    for (var i = 0; i < 2_000; i++) {
      var user = text(dice);
      var password = text(dice);
      var info = encoded(user) + ":" + encoded(password);
      var address = RedisAddress.parse("redis://" + info + "@one:1");
      for (var written : new String[] {address.forDriver(Optional.empty()), address.of("two", 2)}) {
        var read = new RedisURI(written);
        assertEquals(user, read.user(), "seed " + seed);
        assertEquals(password, read.password(), "seed " + seed);
      }
    }
  }

  private static String text(Random dice) {
    var text = new StringBuilder();
    for (var length = 1 + dice.nextInt(12); length > 0; length--) {
      text.append((char) (dice.nextInt(8) == 0 ? 0xa1 + dice.nextInt(500) : 33 + dice.nextInt(94)));
    }
    return text.toString();
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, UTF_8);
  }

  /**
   * The driver would replace the host of some addresses by localhost, and quote others in its
   * error.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "redis://:s3cret PW@one",
        "redis://:s3cret%zz@one",
        "redis://:s3cret[@one",
        "redis://:s3cret/PW@one",
        "redis://:12/s3cret@one",
        "redis://ops:12/s3cret@one",
        "redis://ops:s3cret#1@one",
        "redis://ops:12#s3cret@one",
        "redis://ops:12?s3cret@one",
        "redis://ops:s3cret@1@one",
        "redis://s3cret_one",
        "redis://one/s3cret",
        "redis://one?s3cret=1",
        "redis://one?db=s3cret",
        "redis://one?db=10000000000",
        "redis://:s3cret@one:0",
        "redis://:s3cret@one:65536",
        "redis://s3cret@",
        "redis://:s3cret@",
        "redis:s3cret",
        "unix:?password=s3cret",
        "http://s3cret",
        "s3cret",
        "s3cret:6379",
      })
  void invalidAddressesAreRefusedAndNotQuoted(String text) {
    var refused = assertThrows(RedisAddressException.class, () -> customized(text, null));
    assertTrue(refused.getMessage().startsWith("quarkus.redis.hosts cannot be used"));
    assertFalse(refused.getMessage().contains("s3cret"), refused.getMessage());
    assertNull(refused.getCause());
  }

  @Test
  void aUrlThatCannotBeParsedIsNotRepeated() {
    var refused =
        assertThrows(
            RedisAddressException.class,
            () -> new UrlConverter().convert("redis://:s3cret PW@one"));
    assertTrue(refused.getMessage().contains("must be percent-encoded"), refused.getMessage());
    assertFalse(refused.getMessage().contains("s3cret"), refused.getMessage());
    assertEquals("/etc/bloomgate", new UrlConverter().convert(" /etc/bloomgate ").toString());
  }

  @Test
  void aSeparatePasswordKeepsTheUserOfTheAddress() {
    for (var text : new String[] {"redis://ops%40home@one", "redis://ops%40home:@one"}) {
      var read = new RedisURI(customized(text, "p+w %/@").getEndpoint());
      assertEquals("ops@home", read.user());
      assertEquals("p+w %/@", read.password());
    }
    assertEquals(
        "own", new RedisURI(customized("redis://ops:own@one", "other").getEndpoint()).password());
    assertEquals("redis://one", customized("redis://one", null).getEndpoint());
  }

  /** Replicas may lack acknowledged adds. */
  @ParameterizedTest
  @EnumSource(RedisClientType.class)
  void settingsThatReadFromReplicasAreRefused(RedisClientType type) {
    for (var replicas : RedisReplicas.values()) {
      var options = options("redis://one", null).setType(type).setUseReplicas(replicas);
      if (replicas == RedisReplicas.NEVER) {
        customize(options);
      } else {
        assertRefused(options, "quarkus.redis.replicas=" + replicas);
      }
    }
    for (var role : RedisRole.values()) {
      var options = options("redis://one", null).setType(type).setRole(role);
      if (role == RedisRole.MASTER) {
        customize(options);
      } else {
        assertRefused(options, "quarkus.redis.role=" + role);
      }
    }
  }

  private static void assertRefused(RedisOptions options, String setting) {
    var refused = assertThrows(ConfigurationException.class, () -> customize(options));
    assertTrue(
        refused.getMessage().startsWith(setting.toLowerCase(Locale.ROOT) + " cannot be used"),
        refused.getMessage());
  }

  @Test
  void hostNamesAreVerifiedUnlessTheSettingIsNone() {
    assertEquals("HTTPS", algorithmFor(Optional.empty()));
    assertEquals("HTTPS", algorithmFor(Optional.of("HTTPS")));
    assertEquals("", algorithmFor(Optional.of("NONE")));
    assertEquals("", algorithmFor(Optional.of("none")));
  }

  private static String algorithmFor(Optional<String> setting) {
    var options = options("rediss://localhost:6380", null);
    setting.ifPresent(options.getNetClientOptions()::setHostnameVerificationAlgorithm);
    return customize(options).getNetClientOptions().getHostnameVerificationAlgorithm();
  }

  private static RedisOptions options(String endpoint, String password) {
    return new RedisOptions().setConnectionString(endpoint).setPassword(password);
  }

  private static RedisOptions customized(String endpoint, String password) {
    return customize(options(endpoint, password));
  }

  private static RedisOptions customize(RedisOptions options) {
    new LinkOptions().customize(RedisConfig.DEFAULT_CLIENT_NAME, options);
    return options;
  }
}
