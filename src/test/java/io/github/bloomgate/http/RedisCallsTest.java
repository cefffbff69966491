package io.github.bloomgate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.store.Keys;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.response.ValidatableResponse;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The number of calls to a single Redis for each request, with known scripts, for a known filter
 * whose journals are folded.
 */
@QuarkusTest
@Tag("slow")
@TestProfile(OwnRedis.class)
class RedisCallsTest {

  /**
   * Takes the least number of calls, because scheduled work adds some, and the first request sends
   * the scripts.
   */
  private static final int TRIES = 6;

  private static final String SMALL = "{\"expectedInsertions\": 1000}";
  private static final String IDLE = SMALL.replace("}", ", \"idleSeconds\": 3600}");
  private static final int EVALSHA_FIRST_KEY = 3;

  /** The operations on a filter without a rebuild. */
  private static final int OPERATIONS = 8;

  /** The number of filters in one request. */
  private static final int SEVERAL = 10;

  /** Filters that have been folded. */
  private static final Queue<String> FILLED = new ArrayDeque<>();

  /** Filters with a loaded rebuild. */
  private static final Queue<String> LOADED = new ArrayDeque<>();

  private static boolean isPrepared;

  /** Commands of this test and of the connection. */
  private static final List<String> NOT_ITS = List.of("slowlog", "config", "ping", "role");

  @BeforeEach
  void logAllCalls() {
    redis("CONFIG", "SET", "slowlog-max-len", "1000");
    redis("CONFIG", "SET", "slowlog-log-slower-than", "0");
    if (!isPrepared) {
      prepare();
      isPrepared = true;
    }
  }

  /** Creates all filters in advance, because a filter is folded seconds after its last change. */
  private static void prepare() {
    Stream.generate(RedisCallsTest::filled).limit((long) OPERATIONS * TRIES).forEach(FILLED::add);
    Stream.generate(RedisCallsTest::loaded).limit(TRIES).forEach(LOADED::add);
    FILLED.forEach(RedisCallsTest::awaitRest);
    LOADED.forEach(RedisCallsTest::awaitRest);
  }

  @AfterEach
  void logNoMoreCalls() {
    redis("CONFIG", "SET", "slowlog-log-slower-than", "-1");
  }

  private static io.vertx.redis.client.Response redis(String command, String... arguments) {
    return OwnRedis.Server.redis.command(command, arguments);
  }

  private static List<String> callsOf(Supplier<ValidatableResponse> request) {
    redis("SLOWLOG", "RESET");
    var status = request.get().extract().statusCode();
    assertTrue(status < 300 || status == 304, "status " + status);
    var calls = new ArrayList<String>();
    for (var entry : redis("SLOWLOG", "GET", "1000")) {
      var words = entry.get(3);
      var command = words.get(0).toString();
      // The driver writes commands in lower case, our scripts in upper case.
      if (command.equals(command.toLowerCase(Locale.ROOT)) && !NOT_ITS.contains(command)) {
        var key = command.equals("evalsha") ? EVALSHA_FIRST_KEY : 1;
        calls.add(0, command + (words.size() > key ? " " + words.get(key) : ""));
      }
    }
    return calls;
  }

  /** Repeats a request, each time for another name. */
  private static DynamicTest calls(
      String operation,
      int expected,
      Supplier<String> names,
      Function<String, ValidatableResponse> request) {
    return dynamicTest(operation, () -> assertCalls(expected, names, request));
  }

  private static void assertCalls(
      int expected, Supplier<String> names, Function<String, ValidatableResponse> request) {
    List<String> fewest = null;
    for (var i = 0; i < TRIES; i++) {
      var name = names.get();
      var calls = callsOf(() -> request.apply(name));
      if (fewest == null || calls.size() < fewest.size()) {
        fewest = calls;
      }
    }
    assertEquals(expected, fewest.size(), fewest.toString());
  }

  private static void awaitRest(String name) {
    Awaitility.await().until(() -> callsOf(() -> Api.describe(name)).size() == 1);
  }

  private static String filled() {
    var name = Api.newFilter(SMALL);
    Api.add(name, "a").statusCode(200);
    return name;
  }

  private static String loaded() {
    var name = filled();
    Api.post(name, "rebuild", "{}").statusCode(201);
    Api.post(name, "rebuild/add", Map.of("elements", List.of("b"))).statusCode(200);
    return name;
  }

  @TestFactory
  Stream<DynamicTest> everyRequestMakesFewCalls() {
    return Stream.of(
        calls("create", 3, Api::newName, name -> Api.put(name, SMALL)),
        calls("create again", 3, FILLED::remove, name -> Api.put(name, SMALL)),
        calls("describe", 1, FILLED::remove, Api::describe),
        calls("delete", 2, FILLED::remove, Api::delete),
        calls(
            "rename",
            3,
            FILLED::remove,
            name -> Api.post(name, "rename", Map.of("to", Api.newName()))),
        calls("clear", 1, FILLED::remove, name -> Api.post(name, "clear", "")),
        calls("expire", 2, FILLED::remove, name -> Api.expiry(name, "{\"ttlSeconds\": 100}")),
        calls("open", 1, FILLED::remove, name -> Api.post(name, "rebuild", "{}")),
        // One call reserves the bytes before, and one enters them afterwards.
        calls(
            "open a larger one",
            3,
            FILLED::remove,
            name -> Api.post(name, "rebuild", "{\"expectedInsertions\": 100000}")),
        calls("commit", 2, LOADED::remove, name -> Api.post(name, "rebuild/commit", "{}")));
  }

  /** As few calls as for one filter, because all filters are in the same round. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void testAndAddOfSeveral(boolean areAdopted) {
    var filters = Stream.generate(areAdopted ? RedisCallsTest::adopted : RedisCallsTest::filled);
    var names = filters.limit(SEVERAL).toList();
    var body = Map.of("filters", names, "elements", List.of("a", "b"));
    for (var path : List.of("/v1/test", "/v1/add")) {
      assertCalls(1, Api::newName, ignored -> Api.json(body).post(path).then());
    }
  }

  /** The filter and the mark of each segment, whatever it contains. */
  @Test
  void anUnchangedFileIsNotRead() {
    var path = Api.FILTERS + filled() + "/export";
    var tag = Api.raw().get(path).header("ETag");
    assertCalls(2, Api::newName, ignored -> Api.raw().head(path).then());
    assertCalls(
        2, Api::newName, ignored -> Api.raw().header("If-None-Match", tag).get(path).then());
    // The filter is found again at the end.
    assertCalls(3, Api::newName, ignored -> Api.raw().get(path).then());
  }

  @Test
  void likeTakesCallsOnlyIfTheFilterIsMissing() {
    var body = Map.of("elements", List.of("a"));
    var name = filled();
    assertCalls(
        1,
        Api::newName,
        gone -> Api.json(body).post(Api.FILTERS + name + "/add?like=" + gone).then());
    // Finds both filters twice, reserves the name, creates the filter, confirms the name, finds it
    // and adds.
    assertCalls(
        9,
        Api::newName,
        missing -> Api.json(body).post(Api.FILTERS + missing + "/add?like=" + name).then());
  }

  @Test
  void useTakesACallMoreOnlyToPostponeAnExpiry() {
    var body = Map.of("elements", List.of("a"));
    var used = Api.newFilter(IDLE);
    assertCalls(1, () -> used, name -> Api.json(body).post(Api.FILTERS + name + "/add").then());
    // Finds the filter, postpones its expiry and adds.
    assertCalls(
        3, RedisCallsTest::unused, name -> Api.json(body).post(Api.FILTERS + name + "/add").then());
  }

  /** A filter that will soon expire. */
  private static String unused() {
    var name = Api.newFilter(IDLE);
    var soon = String.valueOf(System.currentTimeMillis() + 600_000);
    redis("HSET", Keys.state(new FilterName(name)), "expiresAt", soon);
    redis("PEXPIREAT", Keys.state(new FilterName(name)), soon);
    return name;
  }

  private static String adopted() {
    return Api.newFilter(
        "{\"hashScheme\": \"go-zero\", \"bitSize\": 4096, \"redisKey\": \"several-%s\"}"
            .formatted(Api.newName()));
  }
}
