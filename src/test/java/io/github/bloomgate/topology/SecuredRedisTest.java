package io.github.bloomgate.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.Found;
import io.github.bloomgate.support.PlainHttp;
import io.github.bloomgate.support.ProjectFiles;
import io.github.bloomgate.support.SelfSigned;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import javax.net.ssl.SSLHandshakeException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The contract over TLS, with a Redis user that has only the documented permissions. */
@QuarkusTest
@WithTestResource(SecuredRedisTest.Server.class)
@Tag("topology")
class SecuredRedisTest extends TopologyContractTest {

  private static final String USER = "bloomgate";
  private static final String TOUR = "members-of-tour";
  private static final String PATH = "/v1/filters/" + TOUR;

  /** Since version 7, servers count subcommands, such as MEMORY|USAGE. */
  private static final Pattern CALLED =
      Pattern.compile("(?m)^CMDSTAT_([A-Z_]+)(?:\\|[A-Z-]+)?:CALLS=[1-9]");

  /** Permissions that a single Redis or the contract do not need, and why they are listed. */
  private static final Map<String, String> NOT_HERE =
      Map.of(
          "CLUSTER", "only for nodes of a cluster",
          "ASKING", "while a slot of a cluster moves",
          "BITOP", "when a file is imported over the bitmap of a library",
          "SETRANGE", "when the bitmap of a library grows by megabytes",
          "ZLEXCOUNT", "when the overview is requested");

  @TestHTTPResource(value = "/v1/filters", tls = true)
  URL secured;

  @Override
  TestRedis nodeOf(String key) {
    return Server.redis;
  }

  @Test
  void missingCommandPermissionsAreReported() {
    PlainHttp.send("PUT", "/v1/filters/acl", "{\"expectedInsertions\": 100}");
    for (var command : List.of("set", "evalsha")) {
      Server.redis.command("ACL", "SETUSER", USER, "-" + command);
      var refused = PlainHttp.send("POST", "/v1/filters/acl/add", "{\"elements\":[\"a\"]}");
      assertEquals(503, refused.status());
      assertTrue(refused.text().contains("access rules"), command);
      Server.redis.command("ACL", "SETUSER", USER, "+" + command);
    }
    var added = PlainHttp.send("POST", "/v1/filters/acl/add", "{\"elements\":[\"a\"]}");
    assertEquals(200, added.status());
    assertEquals(204, PlainHttp.send("DELETE", "/v1/filters/acl", null).status());
    Server.redis.command("ACL", "LOG", "RESET");
  }

  /** Uses only the listed permissions, and checks that each is needed. */
  @Override
  @Test
  void everyOperationAnswersAsOnASingleRedis() throws IOException {
    super.everyOperationAnswersAsOnASingleRedis();
    callMore();

    var stats = Server.redis.command("INFO", "commandstats").toString();
    var idle = ProjectFiles.redisCommands();
    idle.removeAll(Found.in(stats.toUpperCase(Locale.ROOT), CALLED));
    assertEquals(NOT_HERE.keySet(), idle, stats);
    assertEquals(0, Server.redis.command("ACL", "LOG").size(), "refused commands");
  }

  /** Makes calls that need more Redis commands than the contract test. */
  private static void callMore() {
    PlainHttp.call(201, "PUT", PATH, "{\"expectedInsertions\": 1000}");
    Server.redis.command("ZADD", TOUR + "-sorted", "1", "a", "2", "b");
    Server.redis.command("RPUSH", TOUR + "-list", "a", "b");
    for (var kind : new String[] {"sorted", "list"}) {
      var source = "{\"redisKey\": \"" + TOUR + "-" + kind + "\"}";
      PlainHttp.call(200, "PUT", PATH + "/source", source);
      PlainHttp.call(200, "POST", PATH + "/rebuild/run?wait=true", null);
    }
    PlainHttp.call(204, "DELETE", PATH + "/source", null);
    PlainHttp.call(200, "POST", PATH + "/add?durability=replicated", "{\"elements\": [\"c\"]}");
    PlainHttp.call(204, "DELETE", PATH, null);
    Server.redis.command("DEL", TOUR + "-sorted", TOUR + "-list");
    callOnCounter();
    callOnCounters();
  }

  /** Uses a counting filter. */
  private static void callOnCounters() {
    PlainHttp.call(201, "PUT", PATH, "{\"expectedInsertions\": 1000, \"counting\": true}");
    for (var operation : new String[] {"add", "test", "count", "remove"}) {
      PlainHttp.call(200, "POST", PATH + "/" + operation, "{\"elements\": [\"e\"]}");
    }
    PlainHttp.call(204, "DELETE", PATH, null);
  }

  /** Uses a filter of a library that counts its adds in a separate key. */
  private static void callOnCounter() {
    PlainHttp.call(
        201,
        "PUT",
        PATH,
        "{\"redisKey\": \"{%s}\", \"hashScheme\": \"rueidisprob\", \"expectedInsertions\": 1000}"
            .formatted(TOUR));
    PlainHttp.call(200, "POST", PATH + "/add", "{\"elements\": [\"d\"]}");
    PlainHttp.call(204, "DELETE", PATH + "?deleteKey=true", null);
  }

  @Test
  void redisIsUsedOverTlsByTheDocumentedUser() {
    PlainHttp.send("GET", "/v1/filters", null);
    var clients = Server.redis.command("CLIENT", "LIST").toString();
    assertTrue(clients.contains("user=" + USER), clients);
  }

  @Test
  void theServiceAcceptsOnlyTlsWithItsCertificate() throws Exception {
    var request = HttpRequest.newBuilder(secured.toURI()).build();
    var trusting = HttpClient.newBuilder().sslContext(Server.own.trusted()).build();
    assertEquals(200, trusting.send(request, HttpResponse.BodyHandlers.ofString()).statusCode());
    assertThrows(
        SSLHandshakeException.class,
        () -> HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()));
  }

  public static final class Server implements QuarkusTestResourceLifecycleManager {
    private static TestRedis redis;
    private static TestRedis replica;
    private static SelfSigned own;

    @Override
    public Map<String, String> start() {
      try {
        own = SelfSigned.in(Files.createTempDirectory("bloomgate-tls"));
        redis = TestRedis.startedWithTls(own.certificate(), own.key());
        var rules = new ArrayList<>(List.of("SETUSER", USER, "on", ">of-a-test", "~bloom:*"));
        rules.addAll(List.of("~coupons", "~{coupons}:config", "~a{tagged}b", "~a{tagged}b:config"));
        rules.addAll(List.of("~members-of-*", "~{members-of-*"));
        ProjectFiles.redisCommands().forEach(command -> rules.add("+" + command));
        redis.command("ACL", rules.toArray(String[]::new));
        replica = TestRedis.started("--replicaof", "127.0.0.1", String.valueOf(redis.port()));
        Awaitility.await()
            .atMost(Duration.ofMinutes(3))
            .until(() -> redis.command("INFO", "replication").toString().contains("state=online"));
        return Map.ofEntries(
            Map.entry(
                "quarkus.redis.hosts",
                "rediss://" + USER + ":of-a-test@127.0.0.1:" + redis.tlsPort() + "/0"),
            Map.entry("bloomgate.redis.replication-timeout", "60s"),
            Map.entry("bloomgate.limits.max-filters", "1000"),
            Map.entry("quarkus.redis.tls-configuration-name", "redis"),
            Map.entry("quarkus.tls.redis.trust-store.pem.certs", own.certificate().toString()),
            Map.entry("quarkus.tls.key-store.pem.0.cert", own.certificate().toString()),
            Map.entry("quarkus.tls.key-store.pem.0.key", own.key().toString()),
            Map.entry("quarkus.http.insecure-requests", "enabled"),
            Map.entry("quarkus.http.test-ssl-port", "0"));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void stop() {
      replica.close();
      redis.close();
    }
  }
}
