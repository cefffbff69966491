package io.github.bloomgate.http.access;

import static io.github.bloomgate.http.access.TestKeys.ADMIN;
import static io.github.bloomgate.http.access.TestKeys.FOLLOWER;
import static io.github.bloomgate.http.access.TestKeys.LIMITED;
import static io.github.bloomgate.http.access.TestKeys.PREFIX;
import static io.github.bloomgate.http.access.TestKeys.READER;
import static io.github.bloomgate.http.access.TestKeys.UNKNOWN;
import static io.github.bloomgate.http.access.TestKeys.json;
import static io.github.bloomgate.http.access.TestKeys.newFilter;
import static io.github.bloomgate.http.access.TestKeys.with;
import static org.hamcrest.Matchers.hasItem;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.rebuild.ContentTransfer;
import io.github.bloomgate.rebuild.ContentTransfers;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/**
 * The overview, and other responses that are shared and tagged: their content for each key, and how
 * old they may be.
 */
@QuarkusTest
@TestProfile(TestKeys.class)
class OverviewTest {

  /** The prefix of the limited key's names and of others. */
  private static final String BOTH = "limit";

  private static final String LIST = "/v1/filters?limit=500&figures=true&prefix=" + BOTH;

  @Inject ContentTransfers transfers;

  @Test
  void aKeySeesItsPermissions() {
    var reader = overview(READER);
    assertEquals("reader", reader.getString("key.role"));
    assertEquals(List.of("reader"), reader.getList("key.roles"));
    assertEquals(List.of(), reader.getList("key.prefixes"));
    assertEquals(List.of("reader", "follower"), overview(FOLLOWER).getList("key.roles"));
    assertEquals("admin", overview(ADMIN).getString("key.role"));
    assertTrue(overview(LIMITED).getList("key.prefixes").contains(PREFIX));
    assertEquals(0, overview(LIMITED).getInt("key.maxFilters"));
  }

  @Test
  void itCountsTheFiltersThatTheKeyMayUse() {
    var all = overview(ADMIN).getLong("filters");
    var own = overview(LIMITED).getLong("filters");
    newFilter();
    newFilter(PREFIX);
    assertEquals(all + 2, overview(ADMIN).getLong("filters"));
    assertEquals(own + 1, overview(LIMITED).getLong("filters"));
  }

  @Test
  void itReportsRedisAndTheWorkOfTheInstance() {
    var before = overview(ADMIN);
    assertTrue(before.getBoolean("servesHealth"));
    assertTrue(before.getLong("redis.usedBytes") > 0);
    assertTrue(before.getLong("redis.leftBytes") > 0);
    var name = newFilter();
    json(ADMIN, "{\"elements\": [\"a\", \"b\", \"b\"]}").post("/v1/filters/" + name + "/add");
    json(ADMIN, "{\"elements\": [\"a\", \"c\"]}").post("/v1/filters/" + name + "/test");
    var after = overview(ADMIN);
    assertEquals(before.getLong("work.elementsAdded") + 3, after.getLong("work.elementsAdded"));
    assertEquals(before.getLong("work.elementsTested") + 2, after.getLong("work.elementsTested"));
    assertTrue(after.getLong("work.requests") >= before.getLong("work.requests") + 3);
  }

  @Test
  void aKeyLimitedToPrefixesSeesNothingOfOtherFilters() {
    var limited = overview(LIMITED);
    assertNull(limited.get("redis"));
    assertNull(limited.get("work"));
    assertEquals(List.of(), limited.getList("warnings"));
  }

  @Test
  void itListsOperationsOnFiltersThatTheKeyMayUse() {
    var own = new FilterName(newFilter(PREFIX));
    var foreign = new FilterName(newFilter());
    var all = List.of(own.value(), foreign.value());
    try (var copy = transfers.begin(ContentTransfer.Kind.COPY, own, 4_000);
        var load = transfers.begin(ContentTransfer.Kind.IMPORT, foreign, 500)) {
      copy.wrote(1_000);
      copy.wrote(500);
      assertEquals(copy.startedAt().toString(), progress(ADMIN, own, all).get("startedAt"));
      assertEquals("import", progress(ADMIN, foreign, all).get("operation"));
      var seen = progress(LIMITED, own, List.of(own.value()));
      assertEquals("copy", seen.get("operation"));
      assertEquals(1_500, seen.get("doneBytes"));
      assertEquals(4_000, seen.get("totalBytes"));
      load.wrote(500);
      assertEquals(500, progress(READER, foreign, all).get("doneBytes"));
    }
    assertEquals(List.of(), overview(ADMIN).getList("operations"));
  }

  /** The transfer on a filter, after a check of all that a key sees. */
  private static Map<String, Object> progress(String token, FilterName name, List<String> all) {
    var seen = overview(token);
    assertEquals(all, seen.getList("operations.filter"));
    return seen.getMap("operations.find { it.filter == '%s' }".formatted(name));
  }

  private static JsonPath overview(String token) {
    return with(token).get("/v1/overview").then().statusCode(200).extract().jsonPath();
  }

  @Test
  void unchangedResponsesAreNotSentAgain() {
    var name = newFilter(PREFIX);
    for (var path : List.of("/v1/filters/" + name, "/v1/filters?prefix=" + name)) {
      var answer = with(ADMIN).get(path);
      var tag = answer.header("ETag");
      assertEquals("no-store", answer.header("Cache-Control"), "no cache keeps it");
      assertTrue(answer.asString().endsWith("}\n"));
      for (var held : List.of(tag, "W/" + tag, "\"other\", " + tag, "*")) {
        var again = with(ADMIN).header("If-None-Match", held).get(path);
        assertEquals(304, again.statusCode());
        assertEquals("", again.asString());
        assertEquals(tag, again.header("ETag"));
      }
      with(ADMIN).header("If-None-Match", "\"other\"").get(path).then().statusCode(200);
      var expiry = "{\"ttlSeconds\": %d}".formatted(9000 + path.length());
      TestKeys.put(ADMIN, name + "/expiry", expiry).statusCode(200);
      var changed = with(ADMIN).header("If-None-Match", tag).get(path);
      assertEquals(200, changed.statusCode());
      assertNotEquals(tag, changed.header("ETag"));
    }
  }

  @Test
  void responsesAreNotSharedBetweenKeys() {
    var foreign = newFilter(BOTH + '.');
    var own = newFilter(PREFIX);
    var all = poll(ADMIN, LIST);
    all.then().statusCode(200).body("filters.name", hasItem(foreign));
    var limited = with(LIMITED).header("If-None-Match", all.header("ETag"));
    var seen = limited.header("Cache-Control", "max-age=1").get(LIST);
    assertEquals(200, seen.statusCode());
    List<String> names = seen.jsonPath().getList("filters.name");
    assertTrue(names.contains(own), names.toString());
    assertFalse(names.contains(foreign), names.toString());
    poll(ADMIN, LIST).then().body("filters.name", hasItem(foreign));

    var path = "/v1/filters/" + foreign;
    poll(READER, path).then().statusCode(200);
    poll(LIMITED, path).then().statusCode(403);
    poll(UNKNOWN, path).then().statusCode(401);

    var whole = poll(ADMIN, "/v1/overview").jsonPath();
    assertEquals("admin", whole.getString("key.id"));
    var part = poll(LIMITED, "/v1/overview").jsonPath();
    assertEquals("limited", part.getString("key.id"));
    assertTrue(part.getInt("filters") < whole.getInt("filters"));
    assertNull(part.get("redis"));
  }

  @Test
  void responsesAreSharedOnlyIfMaxAgeAllowsIt() {
    var name = newFilter();
    var path = "/v1/filters/" + name;
    var elements = new int[1];
    // The second may end between any two requests, but not every time.
    Awaitility.await()
        .until(
            () -> {
              var before = poll(ADMIN, path).jsonPath().getInt("insertions");
              add(name, "e" + elements[0]++);
              return poll(READER, path).jsonPath().getInt("insertions") == before;
            });
    add(name, "last");
    var now = with(READER).get(path).jsonPath().getInt("insertions");
    assertEquals(elements[0] + 1, now);
    assertEquals(now, poll(ADMIN, path).jsonPath().getInt("insertions"), "no response is older");
    add(name, "one more");
    Awaitility.await()
        .until(() -> poll(ADMIN, path).jsonPath().getInt("insertions") == elements[0] + 2);
  }

  private static void add(String name, String element) {
    TestKeys.post(ADMIN, name, "add", "{\"elements\": [\"" + element + "\"]}").statusCode(200);
  }

  private static Response poll(String token, String path) {
    return with(token).header("Cache-Control", "max-age=1").get(path);
  }
}
