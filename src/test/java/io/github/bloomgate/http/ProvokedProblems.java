package io.github.bloomgate.http;

import static io.restassured.RestAssured.given;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import io.github.bloomgate.http.door.ShutdownGate;
import io.github.bloomgate.memory.MemoryBudget;
import io.github.bloomgate.memory.MemoryBudget.Use;
import io.github.bloomgate.memory.Shares;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.support.InParallel;
import io.restassured.response.ValidatableResponse;
import jakarta.enterprise.inject.spi.CDI;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;
import org.awaitility.Awaitility;

/** A request for each error code that provokes the error. */
final class ProvokedProblems {

  /** An element that no response may contain. */
  static final String SECRET = "element-of-a-secret";

  /** Even the slowest machine reports a hanging Redis within this time. */
  static final Duration BOUND = Duration.ofMinutes(2);

  private ProvokedProblems() {}

  /** Has no default, so that a new code does not compile without a case here. */
  static ValidatableResponse provoke(ErrorCode code) {
    return switch (code) {
      case INVALID_REQUEST -> add(Api.newFilter(), "{\"elements\": \"" + SECRET + "\"}");
      case RENAME_ACROSS_SLOTS -> given().get(FailingPaths.PATH + "/slots").then();
      case UNAUTHENTICATED -> given().get(FailingPaths.PATH + "/authentication").then();
      case FORBIDDEN -> given().header("X-Forwarded-For", SECRET).get(Api.FILTERS).then();
      case NOT_FOUND -> given().get("/v2/" + SECRET).then();
      case FILTER_NOT_FOUND -> addSecret(Api.newName());
      case REBUILD_NOT_FOUND -> given().get(Api.FILTERS + Api.newFilter() + "/rebuild").then();
      case SOURCE_NOT_FOUND -> given().get(Api.FILTERS + Api.newFilter() + "/source").then();
      case METHOD_NOT_ALLOWED -> given().patch(Api.FILTERS + Api.newFilter() + "/add").then();
      case NOT_ACCEPTABLE -> given().accept("text/html").get(Api.FILTERS + Api.newFilter()).then();
      case FILTER_EXISTS -> Api.put(Api.newFilter(), "{\"expectedInsertions\": 1}");
      case FILTER_CHANGED -> whileChanging(Api.newFilter());
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
      case WRONG_KEY_TYPE -> addSecret(filterUnderForeignKey());
      case KEY_MISMATCH -> addSecret(adoptedKeyThatGrew());
      case FILTER_DAMAGED -> addSecret(filterWithoutASegment());
      case TOO_LARGE ->
          add(Api.newFilter(), "{\"elements\": [\"" + SECRET.repeat(1_000_000) + "\"]}");
      case URI_TOO_LONG -> given().get("/v2/" + SECRET.repeat(500)).then();
      case UNSUPPORTED_FORMAT ->
          Api.lines("text/csv", SECRET).post(Api.FILTERS + Api.newFilter() + "/add").then();
      case CORRUPT_IMPORT -> importSecret();
      case LIMIT_EXCEEDED -> Api.put(Api.newName(), "{\"expectedInsertions\": 100000000000}");
      case RATE_LIMITED -> given().get(FailingPaths.PATH + "/rate").then();
      case HEADERS_TOO_LARGE -> given().header("X-Long", SECRET.repeat(2_000)).get("/v2/x").then();
      case INTERNAL -> given().get(FailingPaths.PATH).then();
      case SOURCE_UNREADABLE ->
          given().post(filterWithMissingSource() + "/rebuild/run?wait=true").then();
      case RUN_INTERRUPTED ->
          given().post(filterWithInterruptedRun() + "/rebuild/run?wait=true").then();
      case SECRET_MISSING -> addSecret(filterOfAnotherSecret());
      case TOO_MANY_STREAMS -> whileStreaming(Api.newFilter());
      case OVERLOADED -> whileOverloaded(Api.newFilter());
      case SHUTTING_DOWN -> whileLeaving(Api.newFilter());
      case STORE_UNAVAILABLE -> whileFrozen(Api.newFilter(), ProvokedProblems::testSecret);
      case STORE_OUTCOME_UNKNOWN -> whileFrozen(Api.newFilter(), ProvokedProblems::addSecret);
      // The embedded Redis has no replicas.
      case NOT_REPLICATED ->
          Api.post(
              Api.newFilter(), "add?durability=replicated", Map.of("elements", List.of(SECRET)));
      case STORE_FULL -> whileFull(() -> Api.put(Api.newName(), "{\"expectedInsertions\": 9}"));
      case TEMP_FOLDER_UNUSABLE -> withoutTempFolder();
    };
  }

  private static ValidatableResponse importSecret() {
    var file = SECRET.getBytes(StandardCharsets.UTF_8);
    return Api.load(Api.newName(), "", file);
  }

  private static ValidatableResponse withoutTempFolder() {
    var folder = System.setProperty("java.io.tmpdir", "/no-such-folder");
    try {
      return importSecret();
    } finally {
      System.setProperty("java.io.tmpdir", folder);
    }
  }

  private static ValidatableResponse whileOverloaded(String name) {
    var memory = CDI.current().select(MemoryBudget.class).get();
    var all = memory.takeOrWait(Use.BODIES, memory.most());
    try {
      var refused = new AtomicBoolean();
      while (!refused.get()) {
        var more = memory.hold(Use.BODIES, Shares.NO_CLIENT);
        more.await(
            memory.most(),
            admitted -> {
              refused.compareAndSet(false, !admitted);
              more.close();
            });
      }
      return addSecret(name);
    } finally {
      all.close();
    }
  }

  private static ValidatableResponse whileLeaving(String name) {
    var shutdown = CDI.current().select(ShutdownGate.class).get();
    shutdown.refuse(true);
    try {
      return addSecret(name);
    } finally {
      shutdown.refuse(false);
    }
  }

  private static String filterWithSecret() {
    var name = Api.newFilter();
    addSecret(name).statusCode(200);
    return name;
  }

  private static String filterWithMissingSource() {
    var path = Api.FILTERS + Api.newFilter();
    Api.json("{\"redisKey\": \"" + SECRET + "\"}").put(path + "/source").then().statusCode(200);
    return path;
  }

  private static String filterWithInterruptedRun() {
    var path = filterWithMissingSource();
    var name = path.substring(Api.FILTERS.length());
    var key = "bloom:{%s}:source".formatted(name);
    for (var field : List.of("run", "runStartedAt", "leasedUntil", "rebuild")) {
      OwnRedis.Server.redis.command("HSET", key, field, "1");
    }
    OwnRedis.Server.redis.command("HSET", key, "attempt", "1");
    return path;
  }

  private static String adoptedKeyThatGrew() {
    var name = Api.newName();
    Api.put(
        name,
        "{\"hashScheme\": \"go-zero\", \"bitSize\": 64, \"redisKey\": \"%s\"}".formatted(name));
    OwnRedis.Server.redis.command("SETBIT", name, "64", "1");
    return name;
  }

  private static String filterOfAnotherSecret() {
    var name = Api.newName();
    Api.put(name, "{\"expectedInsertions\": 9, \"hashScheme\": \"bloomgate-1-keyed\"}");
    var definition = OwnRedis.Server.redis.command("HGET", key(name), "definition").toString();
    OwnRedis.Server.redis.command(
        "HSET",
        key(name),
        "definition",
        definition.replaceFirst(
            "\"secretId\":\"[^\"]*\"", "\"secretId\":\"" + "0".repeat(16) + "\""));
    // The service reads the unknown filter.
    var renamed = Api.newName();
    Api.post(name, "rename", Map.of("to", renamed)).statusCode(200);
    return renamed;
  }

  private static String filterBeingRebuilt() {
    var name = Api.newFilter();
    Api.post(name, "rebuild", "{}").statusCode(201);
    return name;
  }

  static ValidatableResponse addSecret(String name) {
    return add(name, "{\"elements\": [\"" + SECRET + "\"]}");
  }

  static ValidatableResponse testSecret(String name) {
    return Api.post(name, "test", "{\"elements\": [\"" + SECRET + "\"]}");
  }

  static ValidatableResponse add(String name, String body) {
    return Api.post(name, "add", body);
  }

  static String key(String name) {
    return "bloom:{" + name + "}";
  }

  private static String filterWithoutASegment() {
    var name = filterWithSecret();
    OwnRedis.Server.redis.command("DEL", Api.fields(name).getString("redisKey"));
    return name;
  }

  private static String filterUnderForeignKey() {
    var name = Api.newFilter();
    OwnRedis.Server.redis.command("SET", key(name), "foreign");
    return name;
  }

  private static String fullFilter() {
    var name = Api.newFilter("{\"expectedInsertions\": 1, \"whenFull\": \"reject\"}");
    Api.add(name, "first").statusCode(200);
    return name;
  }

  /** Changes the version of the state continuously, until the service gives up. */
  private static ValidatableResponse whileChanging(String name) {
    var isOver = new AtomicBoolean();
    var changes =
        CompletableFuture.runAsync(
            () -> {
              for (var version = 0L; !isOver.get(); version++) {
                OwnRedis.Server.redis.command(
                    "HSET", key(name), "version", "%016x".formatted(version));
              }
            });
    try {
      var answer = addSecret(name);
      while (answer.extract().statusCode() == 200) {
        answer = addSecret(name);
      }
      return answer;
    } finally {
      isOver.set(true);
      InParallel.resultOf(changes);
    }
  }

  private static ValidatableResponse whileFrozen(
      String name, Function<String, ValidatableResponse> request) {
    awaitRedis(name);
    OwnRedis.Server.redis.freeze();
    try {
      return assertTimeout(BOUND, () -> request.apply(name));
    } finally {
      OwnRedis.Server.redis.thaw();
      awaitRedis(name);
    }
  }

  /** Sends a request while the only allowed stream is running. */
  private static ValidatableResponse whileStreaming(String name) {
    try (var other = Conversation.open(name + "/test?return=flags&interleave=true")) {
      other.send(SECRET + "\n");
      assertEquals("0\n", other.receive());
      return Api.lines("text/plain", SECRET).post(Api.FILTERS + name + "/test").then();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static ValidatableResponse whileFull(Supplier<ValidatableResponse> request) {
    OwnRedis.Server.redis.command("CONFIG", "SET", "maxmemory", "1");
    try {
      return request.get();
    } finally {
      OwnRedis.Server.redis.command("CONFIG", "SET", "maxmemory", "0");
    }
  }

  static void awaitRedis(String name) {
    Awaitility.await().until(() -> Api.describe(name).extract().statusCode() == 200);
  }
}
