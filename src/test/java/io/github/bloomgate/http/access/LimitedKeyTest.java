package io.github.bloomgate.http.access;

import static io.github.bloomgate.http.access.TestKeys.ADMIN;
import static io.github.bloomgate.http.access.TestKeys.LATER_PREFIX;
import static io.github.bloomgate.http.access.TestKeys.LIMITED;
import static io.github.bloomgate.http.access.TestKeys.PREFIX;
import static io.github.bloomgate.http.access.TestKeys.json;
import static io.github.bloomgate.http.access.TestKeys.newFilter;
import static io.github.bloomgate.http.access.TestKeys.with;
import static io.github.bloomgate.support.Bytes.utf8;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.http.Api;
import io.github.bloomgate.support.RawRedis;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.response.Response;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** A key limited to prefixes cannot use other names anywhere in a request. */
@QuarkusTest
@TestProfile(TestKeys.class)
class LimitedKeyTest {

  @Inject RawRedis redis;

  @Test
  void renameAndCopyLeadToItsOwnNamesOnly() {
    var own = newFilter(PREFIX);
    for (var operation : List.of("rename", "copy")) {
      var taken = post(own, operation, "{\"to\": \"%s\"}".formatted(newFilter()));
      var free = post(own, operation, "{\"to\": \"%s\"}".formatted(Api.newName()));
      taken.then().statusCode(403).body("code", equalTo("FORBIDDEN"));
      assertEquals(taken.asString(), free.asString(), "shows whether it exists");
      var replaced = "{\"to\": \"%s\", \"replace\": true}".formatted(newFilter());
      post(own, operation, replaced).then().statusCode(403);
    }
    var to = "{\"to\": \"%s\"}".formatted(PREFIX + Api.newName());
    post(own, "copy", to).then().statusCode(201);
    var other = "{\"to\": \"%s\"}".formatted(LATER_PREFIX + Api.newName());
    post(own, "rename", other).then().statusCode(200);
  }

  @Test
  void mergeTakesFromItsOwnNamesOnly() {
    var own = newFilter(PREFIX);
    var more = newFilter(PREFIX);
    post(own, "merge", Map.of("from", List.of(more, newFilter()))).then().statusCode(403);
    post(own, "merge", Map.of("from", List.of(Api.newName()))).then().statusCode(403);
    post(own, "merge", Map.of("from", List.of(more))).then().statusCode(200);
  }

  @Test
  void requestsToSeveralFiltersNameItsOwnOnly() {
    var own = newFilter(PREFIX);
    for (var other : List.of(newFilter(), Api.newName())) {
      var names = "filter=" + own + "&filter=" + other;
      var body = Map.of("filters", List.of(own, other), "elements", List.of("a"));
      for (var answer :
          List.of(
              with(LIMITED).get("/v1/test?element=a&missing=ignore&" + names),
              with(LIMITED).get("/v1/gate?element=a&" + names),
              with(LIMITED).contentType("text/plain").body("a\n").post("/v1/test?" + names),
              json(LIMITED, body).post("/v1/test?missing=ignore"),
              json(LIMITED, body).post("/v1/add"))) {
        answer.then().statusCode(403).body("code", equalTo("FORBIDDEN"));
      }
    }
    var allowed = with(LIMITED).get("/v1/test?element=a&filter=" + own).then().statusCode(200);
    allowed.body("any", equalTo(List.of(false)));
  }

  @Test
  void keysInRedisAreSubjectToThePrefixesToo() {
    adopt(Api.newName()).then().statusCode(403).body("code", equalTo("FORBIDDEN"));
    adopt("bloom:{x}:bits").then().statusCode(403);
    adopt(PREFIX + Api.newName()).then().statusCode(201);

    var own = Api.FILTERS + newFilter(PREFIX) + "/source";
    json(LIMITED, "{\"redisKey\": \"users\"}").put(own).then().statusCode(403);
    json(LIMITED, "{\"redisKey\": \"" + PREFIX + "users\"}").put(own).then().statusCode(200);
    json(ADMIN, "{\"redisKey\": \"users\"}").put(own).then().statusCode(200);
  }

  /** Redisson's companion key of a is {a}:config, which matches none of the prefixes of a. */
  @Test
  void prefixesApplyToCompanionKeysToo() {
    var redisKey = PREFIX + Api.newName();
    var config = "{" + redisKey + "}:config";
    var path = Api.FILTERS + PREFIX + Api.newName();
    Api.refused(403, "FORBIDDEN", adoptOfRedisson(LIMITED, path, redisKey).then())
        .body("detail", containsString(config));
    assertEquals("0", redis.run("EXISTS", redisKey, config).toString());

    redis.run("HSET", config, "size", "729", "hashIterations", "5");
    var found = Map.of("hashScheme", "redisson", "redisKey", redisKey);
    json(LIMITED, found).put(path).then().statusCode(403);
    redis.run("DEL", config);
    adoptOfRedisson(ADMIN, path, redisKey).then().statusCode(201);
    with(LIMITED).delete(path + "?deleteKey=true").then().statusCode(403);
    assertEquals("2", redis.run("EXISTS", redisKey, config).toString());

    var braces = TestKeys.token("braces");
    TestKeys.write(ApiKey.line("braces", Role.ADMIN, braces, List.of(PREFIX, "{" + PREFIX)));
    Awaitility.await().until(() -> with(braces).get(path).statusCode() == 200);
    with(braces).delete(path + "?deleteKey=true").then().statusCode(204);
    adoptOfRedisson(braces, path, redisKey).then().statusCode(201);
    with(braces).delete(path + "?deleteKey=true").then().statusCode(204);
    assertEquals("0", redis.run("EXISTS", redisKey, config).toString());
  }

  private static Response adoptOfRedisson(String key, String path, String redisKey) {
    var body =
        "{\"hashScheme\": \"redisson\", \"bitSize\": 729, \"numHashFunctions\": 5, \"redisKey\": \"%s\"}"
            .formatted(redisKey);
    return json(key, body).put(path);
  }

  @Test
  void aForeignRedisKeyThatBearsItsNameIsNotDeleted() {
    var name = Api.FILTERS + PREFIX + Api.newName();
    var redisKey = Api.newName();
    adopt(ADMIN, name, redisKey).then().statusCode(201);

    var refused = with(LIMITED).delete(name + "?deleteKey=true");
    refused.then().statusCode(403).body("code", equalTo("FORBIDDEN"));
    with(LIMITED).get(name).then().statusCode(200).body("redisKey", equalTo(redisKey));
    redis.run("DEL", redisKey);
    with(LIMITED).delete(name + "?deleteKey=true").then().statusCode(403);
    with(LIMITED).delete(name).then().statusCode(204);

    adopt(ADMIN, name, redisKey).then().statusCode(201);
    with(ADMIN).delete(name + "?deleteKey=true").then().statusCode(204);
  }

  @Test
  void itsOwnRedisKeyIsDeleted() {
    var name = Api.FILTERS + PREFIX + Api.newName();
    var redisKey = PREFIX + Api.newName();
    adopt(LIMITED, name, redisKey).then().statusCode(201);

    with(LIMITED).delete(name + "?deleteKey=true").then().statusCode(204);
    assertEquals("0", redis.run("EXISTS", redisKey).toString());
    var plain = Api.FILTERS + newFilter(PREFIX) + "?deleteKey=true";
    with(LIMITED).delete(plain).then().statusCode(204);
    with(LIMITED).delete(plain).then().statusCode(404);
  }

  @Test
  void listsShowItsOwnNamesOnlyPageByPage() {
    // The prefixes sort as limited-, limiter-, limits-.
    var mark = Api.newName();
    var own = new ArrayList<String>();
    for (var i = 0; i < 5; i++) {
      own.add(create(PREFIX + mark + i));
      create("limiter-" + mark + i);
    }
    for (var i = 0; i < 5; i++) {
      own.add(create(LATER_PREFIX + mark + i));
    }

    // The smallest page and the largest. Other tests leave hundreds of names.
    for (var limit : List.of(1, 500)) {
      var listed = pages("", limit);
      assertEquals(own, listed.stream().filter(name -> name.contains(mark)).toList());
      assertTrue(
          listed.stream().allMatch(n -> n.startsWith(PREFIX) || n.startsWith(LATER_PREFIX)),
          listed.toString());
    }
    assertEquals(own.subList(0, 5), pages(PREFIX + mark, 2));
    assertEquals(own.subList(3, 4), pages(own.get(3), 2));
    assertEquals(List.of(), pages("limiter-", 2));
    assertEquals(List.of(), pages(mark, 2));
    assertEquals(own, pages("limit", 4).stream().filter(name -> name.contains(mark)).toList());
  }

  @Test
  void aForgedCursorShowsNothingElse() {
    var cursor = Base64.getUrlEncoder().withoutPadding().encodeToString(utf8("limiter-"));
    var page = with(LIMITED).get("/v1/filters?limit=500&cursor=" + cursor).jsonPath();

    assertTrue(
        page.getList("filters.name", String.class).stream()
            .allMatch(name -> name.startsWith(LATER_PREFIX)));
  }

  @Test
  void metricsAreForKeysOfAllNames() {
    with(LIMITED).get("/q/metrics").then().statusCode(403).body(containsString("FORBIDDEN"));
    with(TestKeys.READER).get("/q/metrics").then().statusCode(200);
  }

  private static String create(String name) {
    TestKeys.put(ADMIN, name, "{\"expectedInsertions\": 10}").statusCode(201);
    return name;
  }

  private static List<String> pages(String prefix, int limit) {
    var names = new ArrayList<String>();
    String cursor = null;
    do {
      var path = "/v1/filters?limit=" + limit + "&prefix=" + prefix;
      var page = with(LIMITED).get(cursor == null ? path : path + "&cursor=" + cursor);
      assertEquals(200, page.statusCode(), page.asString());
      names.addAll(page.jsonPath().getList("filters.name", String.class));
      cursor = page.jsonPath().getString("nextCursor");
    } while (cursor != null);
    return names;
  }

  private static Response post(String name, String operation, Object body) {
    return json(LIMITED, body).post(Api.FILTERS + name + "/" + operation);
  }

  private static Response adopt(String redisKey) {
    return adopt(LIMITED, Api.FILTERS + PREFIX + Api.newName(), redisKey);
  }

  private static Response adopt(String key, String path, String redisKey) {
    var body = Map.of("hashScheme", "go-zero", "bitSize", 64, "redisKey", redisKey);
    return json(key, body).put(path);
  }
}
