package io.github.bloomgate.http.access;

import static io.github.bloomgate.http.access.TestKeys.ADMIN;
import static io.github.bloomgate.http.access.TestKeys.LIMITED;
import static io.github.bloomgate.http.access.TestKeys.PREFIX;
import static io.github.bloomgate.http.access.TestKeys.READER;
import static io.github.bloomgate.http.access.TestKeys.json;
import static io.github.bloomgate.http.access.TestKeys.newFilter;
import static io.github.bloomgate.http.access.TestKeys.with;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.path.json.JsonPath;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The overview for keys of several kinds. */
@QuarkusTest
@TestProfile(TestKeys.class)
class OverviewTest {

  @Test
  void aKeySeesItsPermissions() {
    var reader = overview(READER);
    assertEquals("reader", reader.getString("key.role"));
    assertEquals(List.of(), reader.getList("key.prefixes"));
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
  }

  private static JsonPath overview(String token) {
    return with(token).get("/v1/overview").then().statusCode(200).extract().jsonPath();
  }
}
