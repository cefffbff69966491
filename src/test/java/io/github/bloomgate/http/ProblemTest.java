package io.github.bloomgate.http;

import static io.restassured.RestAssured.given;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.http.problem.ShutdownGate;
import io.github.bloomgate.memory.MemoryBudget;
import io.github.bloomgate.memory.MemoryBudget.Use;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.redis.TestRedis;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import io.restassured.response.Response;
import jakarta.enterprise.inject.spi.CDI;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every error code, provoked over HTTP, on a Redis that may be frozen and filled up. */
@QuarkusTest
@TestProfile(ProblemTest.OwnRedis.class)
@Tag("faults")
class ProblemTest {

  /** An element that no answer may repeat. */
  private static final String SECRET = "element-of-a-secret";

  /** Within it the slowest machine tells of a Redis that hangs for as long as it is asked. */
  private static final Duration BOUND = Duration.ofMinutes(2);

  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @ParameterizedTest
  @EnumSource(ErrorCode.class)
  void everyCodeIsAnsweredAsAProblemDocument(ErrorCode code) {
    var answer = provoke(code);
    assertEquals(code.status(), answer.statusCode(), answer.asString());
    assertEquals("application/problem+json", answer.contentType());
    var problem = answer.jsonPath();
    assertEquals(
        "urn:bloomgate:problem:" + code.name().toLowerCase(Locale.ROOT).replace('_', '-'),
        problem.getString("type"));
    assertEquals(code.title(), problem.getString("title"));
    assertEquals(code.status(), problem.getInt("status"));
    assertEquals(code.name(), problem.getString("code"));
    assertTrue(problem.getString("detail").length() > 20, answer.asString());
    if (code.status() == 503 || code.status() == 429) {
      assertNotNull(answer.header("Retry-After"));
    } else {
      assertNull(answer.header("Retry-After"));
    }
    assertTellsNothing(answer.asString());
  }

  /** Without default: a new code does not compile until it has its case here. */
  private static Response provoke(ErrorCode code) {
    return switch (code) {
      case INVALID_REQUEST -> add(Api.newFilter(), "{\"elements\": \"" + SECRET + "\"}");
      case UNAUTHENTICATED -> given().get(FailingResource.PATH + "/authentication");
      case FORBIDDEN -> given().header("X-Forwarded-For", SECRET).get(Api.FILTERS);
      case NOT_FOUND -> given().get("/v2/" + SECRET);
      case FILTER_NOT_FOUND -> addSecret(Api.newName());
      case REBUILD_NOT_FOUND -> given().get(Api.FILTERS + Api.newFilter() + "/rebuild");
      case SOURCE_NOT_FOUND -> given().get(Api.FILTERS + Api.newFilter() + "/source");
      case METHOD_NOT_ALLOWED -> given().patch(Api.FILTERS + Api.newFilter() + "/add");
      case NOT_ACCEPTABLE -> given().accept("text/html").get(Api.FILTERS + Api.newFilter());
      case FILTER_EXISTS -> Api.put(Api.newFilter(), "{\"expectedInsertions\": 1}");
      case FILTER_CHANGED -> addMany(filterThatKeepsChanging());
      case FILTER_FULL -> addSecret(fullFilter());
      case INCOMPATIBLE_FILTERS ->
          Api.post(Api.newFilter(), "merge", Map.of("from", List.of(fullFilter())));
      case RATE_EXCEEDED ->
          Api.post(
              Api.newFilter(),
              "merge",
              "{\"from\": [\"%s\"], \"maxFalsePositiveProbability\": 1e-300}"
                  .formatted(filterWithSecret()));
      case REBUILD_IN_PROGRESS -> Api.post(filterBeingRebuilt(), "clear", "");
      case REBUILD_EMPTY -> Api.post(filterBeingRebuilt(), "rebuild/commit", "{}");
      case REBUILD_TOO_SMALL ->
          Api.post(filterBeingRebuilt(), "rebuild/commit", "{\"minElements\": 2}");
      case WRONG_KEY_TYPE -> addSecret(filterUnderForeignKey("state"));
      case KEY_MISMATCH -> addSecret(adoptedKeyThatGrew());
      case FILTER_DAMAGED -> addSecret(filterWithout("bits"));
      case TOO_LARGE ->
          add(Api.newFilter(), "{\"elements\": [\"" + SECRET.repeat(1_000_000) + "\"]}");
      case UNSUPPORTED_FORMAT ->
          given().contentType("text/csv").body(SECRET).post(Api.FILTERS + Api.newFilter() + "/add");
      case CORRUPT_IMPORT ->
          given()
              .contentType("application/octet-stream")
              .body(SECRET.getBytes(StandardCharsets.UTF_8))
              .put(Api.FILTERS + Api.newName() + "/import");
      case LIMIT_EXCEEDED -> Api.put(Api.newName(), "{\"expectedInsertions\": 100000000000}");
      case RATE_LIMITED -> given().get(FailingResource.PATH + "/rate");
      case INTERNAL -> given().get(FailingResource.PATH);
      case SOURCE_UNREADABLE -> given().post(filterWithMissingSource() + "/rebuild/run?wait=true");
      case SECRET_MISSING -> addSecret(filterOfAnotherSecret());
      case FILTER_NOT_READY -> addSecret(filterBeingCreated());
      case TOO_MANY_STREAMS -> whileStreaming(Api.newFilter());
      case OVERLOADED -> whileOverloaded(Api.newFilter());
      case SHUTTING_DOWN -> whileLeaving(Api.newFilter());
      case STORE_UNAVAILABLE -> whileFrozen(Api.newFilter(), ProblemTest::testSecret);
      case STORE_OUTCOME_UNKNOWN -> whileFrozen(Api.newFilter(), ProblemTest::addSecret);
      // The embedded Redis has no replicas.
      case NOT_REPLICATED ->
          Api.json("{\"elements\": [\"" + SECRET + "\"]}")
              .post(Api.FILTERS + Api.newFilter() + "/add?durability=replicated");
      case STORE_FULL -> whileFull(() -> Api.put(Api.newName(), "{\"expectedInsertions\": 9}"));
    };
  }

  private static Response whileOverloaded(String name) {
    var memory = CDI.current().select(MemoryBudget.class).get();
    memory.takeOrWait(Use.BODIES, memory.most());
    try {
      var refused = new AtomicBoolean();
      while (!refused.get()) {
        memory.await(
            Use.BODIES,
            memory.most(),
            admitted -> {
              refused.compareAndSet(false, !admitted);
              if (admitted) {
                memory.giveBack(Use.BODIES, memory.most());
              }
            });
      }
      return addSecret(name);
    } finally {
      memory.giveBack(Use.BODIES, memory.most());
    }
  }

  private static Response whileLeaving(String name) {
    var departure = CDI.current().select(ShutdownGate.class).get();
    departure.refuse(true);
    try {
      return addSecret(name);
    } finally {
      departure.refuse(false);
    }
  }

  private static String filterWithSecret() {
    var name = Api.newFilter();
    addSecret(name).then().statusCode(200);
    return name;
  }

  private static String filterWithMissingSource() {
    var path = Api.FILTERS + Api.newFilter();
    Api.json("{\"redisKey\": \"" + SECRET + "\"}").put(path + "/source").then().statusCode(200);
    return path;
  }

  private static String adoptedKeyThatGrew() {
    var name = Api.newName();
    Api.put(
        name,
        "{\"hashScheme\": \"go-zero\", \"bitSize\": 64, \"redisKey\": \"%s\"}".formatted(name));
    Server.redis.command("SETBIT", name, "64", "1");
    return name;
  }

  private static String filterOfAnotherSecret() {
    var name = Api.newName();
    Api.put(name, "{\"expectedInsertions\": 9, \"hashScheme\": \"bloomgate-1-keyed\"}");
    Server.redis.command("HSET", "bloom:{" + name + "}:state", "hashSecretId", "0".repeat(16));
    // The service looks at what it has not seen yet.
    var renamed = Api.newName();
    Api.post(name, "rename", Map.of("to", renamed)).then().statusCode(200);
    return renamed;
  }

  private static String filterBeingRebuilt() {
    var name = Api.newFilter();
    Api.post(name, "rebuild", "{}").then().statusCode(201);
    return name;
  }

  @Test
  void aHangingRedisIsToldInTimeAndServesAgainAfterwards() {
    var name = Api.newFilter();
    addSecret(name).then().statusCode(200);
    Server.redis.freeze();
    try {
      assertTimeout(BOUND, () -> addSecret(name).then().statusCode(504));
      assertTimeout(BOUND, () -> testSecret(name).then().statusCode(503));
      assertTimeout(BOUND, () -> Api.describe(name).then().statusCode(503));
      // Not sent any more, so its outcome is known.
      assertTimeout(BOUND, () -> addSecret(name).then().statusCode(503));
    } finally {
      Server.redis.thaw();
    }
    awaitRedis(name);
    assertEquals(1, testSecret(name).jsonPath().getInt("mightContainCount"));
  }

  @Test
  void aFullRedisTakesNothingAndAnswersStill() {
    var name = Api.newFilter();
    addSecret(name).then().statusCode(200);
    whileFull(
        () -> {
          assertEquals(507, add(name, "{\"elements\": [\"new\"]}").statusCode());
          assertEquals(1, testSecret(name).jsonPath().getInt("mightContainCount"));
          return Api.describe(name);
        });
    add(name, "{\"elements\": [\"new\"]}").then().statusCode(200);
  }

  @ParameterizedTest
  @EnumSource(Damage.class)
  void everyDamageIsToldByEveryOperation(Damage damage) {
    var name = Api.newFilter();
    addSecret(name).then().statusCode(200);
    damage.inflict(name);
    for (var answer :
        List.of(
            addSecret(name),
            testSecret(name),
            Api.raw().get(Api.FILTERS + name + "/test?element=a"),
            given().get("/v1/gate/" + name + "?element=a"),
            Api.describe(name),
            given().post(Api.FILTERS + name + "/clear"),
            Api.json("{\"ttlSeconds\": 60}").put(Api.FILTERS + name + "/expiry"),
            given().delete(Api.FILTERS + name + "/expiry"),
            Api.post(name, "rename", Map.of("to", Api.newName())))) {
      assertEquals(damage.code.name(), answer.jsonPath().getString("code"), answer.asString());
      assertEquals(damage.code.status(), answer.statusCode());
      assertTellsNothing(answer.asString());
    }
  }

  private enum Damage {
    STATE_LOST(ErrorCode.FILTER_DAMAGED, "DEL", "state"),
    BITS_LOST(ErrorCode.FILTER_DAMAGED, "DEL", "bits"),
    BITS_CUT_SHORT(ErrorCode.FILTER_DAMAGED, "SET", "bits", "short"),
    STATE_INCOMPLETE(ErrorCode.FILTER_DAMAGED, "HDEL", "state", "bitsSet"),
    STATE_OF_ANOTHER_TYPE(ErrorCode.WRONG_KEY_TYPE, "SET", "state", "foreign");

    private final ErrorCode code;
    private final String command;
    private final String key;
    private final Optional<String> argument;

    Damage(ErrorCode code, String command, String key) {
      this(code, command, key, Optional.empty());
    }

    Damage(ErrorCode code, String command, String key, String argument) {
      this(code, command, key, Optional.of(argument));
    }

    Damage(ErrorCode code, String command, String key, Optional<String> argument) {
      this.code = code;
      this.command = command;
      this.key = key;
      this.argument = argument;
    }

    void inflict(String name) {
      var arguments = new ArrayList<>(List.of(key(name, key)));
      argument.ifPresent(arguments::add);
      Server.redis.command(command, arguments.toArray(String[]::new));
    }
  }

  private static Response addSecret(String name) {
    return add(name, "{\"elements\": [\"" + SECRET + "\"]}");
  }

  private static Response testSecret(String name) {
    return Api.post(name, "test", "{\"elements\": [\"" + SECRET + "\"]}");
  }

  private static Response add(String name, String body) {
    return Api.post(name, "add", body);
  }

  /** Enough elements for each of two segments to get some. */
  private static Response addMany(String name) {
    var elements = IntStream.range(0, 64).mapToObj(i -> SECRET + i).toList();
    return Api.post(name, "add", Map.of("elements", elements));
  }

  private static String key(String name, String kind) {
    return "bloom:{" + name + "}:" + kind;
  }

  private static String filterWithout(String kind) {
    var name = Api.newFilter();
    Server.redis.command("DEL", key(name, kind));
    return name;
  }

  private static String filterUnderForeignKey(String kind) {
    var name = Api.newFilter();
    Server.redis.command("SET", key(name, kind), "foreign");
    return name;
  }

  private static String fullFilter() {
    var name = Api.newFilter("{\"expectedInsertions\": 1, \"whenFull\": \"reject\"}");
    Api.add(name, "first").statusCode(200);
    return name;
  }

  /** Under a name the service does not know yet, so that it has to read the state. */
  private static String filterBeingCreated() {
    var known = Api.newFilterOfTwoSegments();
    var unknown = Api.newName();
    Server.redis.command("HSET", key(known, "state"), "pending", "create");
    for (var kind : List.of("state", "bits", "segments")) {
      Server.redis.command("RENAME", key(known, kind), key(unknown, kind));
    }
    return unknown;
  }

  /** The later segment claims another generation, and a revision that none is ever ahead of. */
  private static String filterThatKeepsChanging() {
    var name = Api.newFilterOfTwoSegments();
    var incarnation =
        Server.redis.command("HGET", key(name, "state"), "generation").toString().split("\\.")[0];
    var state = key(incarnation + "/1", "state");
    Server.redis.command("HSET", state, "generation", "0000000000000000.9", "revision", "999999");
    return name;
  }

  private static Response whileFrozen(String name, Function<String, Response> request) {
    awaitRedis(name);
    Server.redis.freeze();
    try {
      return assertTimeout(BOUND, () -> request.apply(name));
    } finally {
      Server.redis.thaw();
      awaitRedis(name);
    }
  }

  /** While the only stream there may be runs. */
  private static Response whileStreaming(String name) {
    try (var other = Conversation.open(name + "/test?return=flags")) {
      other.send(SECRET + "\n");
      assertEquals("0\n", other.receive());
      return Api.lines("text/plain", SECRET).post(Api.FILTERS + name + "/test");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aStreamEndsWithAnErrorWhenRedisHangs() throws IOException {
    var name = Api.newFilter();
    awaitRedis(name);
    try (var shown = Conversation.open(name + "/add?return=flags")) {
      shown.send("a\n");
      assertEquals("1\n", shown.receive());
      Server.redis.freeze();
      shown.send("b\n");
      assertThrows(IOException.class, shown::receive);
    } finally {
      Server.redis.thaw();
      awaitRedis(name);
    }
    awaitNoStream();
    try (var summed = Conversation.open(name + "/add")) {
      summed.send("c\n");
      Awaitility.await()
          .atMost(PATIENCE)
          .until(() -> Api.test(name, "c").extract().path("mightContainCount").equals(1));
      Server.redis.freeze();
      summed.send(SECRET + "\n");
      var answer = summed.receiveWhole();
      assertTrue(answer.startsWith("HTTP/1.1 504"), answer);
      assertTrue(answer.contains("\"appliedCount\":1,\"line\":2"), answer);
      assertTellsNothing(answer);
    } finally {
      Server.redis.thaw();
      awaitRedis(name);
    }
    awaitNoStream();
  }

  @Test
  void anUploadThatStallsIsGivenUp() throws IOException {
    try (var stream = Conversation.open(Api.newFilter() + "/add")) {
      stream.send("a\n");
      assertThrows(IOException.class, stream::receiveAll);
    }
    awaitNoStream();
  }

  private static void awaitNoStream() {
    Awaitility.await()
        .atMost(PATIENCE)
        .until(() -> given().get("/q/metrics").asString().contains("bloom_streams_running 0.0"));
  }

  private static Response whileFull(Supplier<Response> request) {
    Server.redis.command("CONFIG", "SET", "maxmemory", "1");
    try {
      return request.get();
    } finally {
      Server.redis.command("CONFIG", "SET", "maxmemory", "0");
    }
  }

  private static void awaitRedis(String name) {
    Awaitility.await().atMost(PATIENCE).until(() -> Api.describe(name).statusCode() == 200);
  }

  private static void assertTellsNothing(String body) {
    for (var inner :
        List.of(
            SECRET,
            FailingResource.SECRET,
            "io.github",
            "Exception",
            "java.",
            "127.0.0.1",
            "\tat ")) {
      assertFalse(body.contains(inner), () -> "the answer tells '" + inner + "': " + body);
    }
  }

  /** Points the service at a Redis of this test. */
  public static final class OwnRedis implements QuarkusTestProfile {
    @Override
    public Map<String, String> getConfigOverrides() {
      return Map.of(
          "bloomgate.streams.max-concurrent", "1",
          "quarkus.http.read-timeout", "15s",
          "bloomgate.redis.call-timeout", "5s",
          "bloomgate.redis.connect-timeout", "5s");
    }

    @Override
    public List<TestResourceEntry> testResources() {
      return List.of(new TestResourceEntry(Server.class));
    }
  }

  /** Runs Redis while the test runs. */
  public static final class Server implements QuarkusTestResourceLifecycleManager {
    private static TestRedis redis;

    @Override
    public Map<String, String> start() {
      redis = TestRedis.started();
      return Map.of("quarkus.redis.hosts", redis.uri());
    }

    @Override
    public void stop() {
      redis.close();
    }
  }
}
