package io.github.bloomgate.http;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import io.restassured.response.ValidatableResponse;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** Keyed filters over HTTP, from creation to export, in a service with a secret. */
@QuarkusTest
class KeyedFilterTest extends FilterAndKeys {

  private static final String KEYED =
      "{\"expectedInsertions\": 1000, \"hashScheme\": \"bloomgate-1-keyed\"}";

  /** Two elements with seven positions of three bytes each. */
  private static final int ENTRIES = 2 * 7 * 3;

  /** The stamp and the mark of a block. */
  private static final int BEHIND = 6 + 8;

  @Test
  void aKeyedFilterIsCreatedFilledAndTested() {
    var name = filled(KEYED);
    Api.describe(name)
        .body("hashScheme", equalTo("bloomgate-1-keyed"))
        .body("hashSecretId", matchesPattern("[0-9a-f]{16}"))
        .body("elementCodec", nullValue())
        .body("schemeWarning", nullValue())
        .body("bitSize", equalTo(bitSize(filled("{\"expectedInsertions\": 1000}"))));
    assertHolds(name);
    Api.put(name, KEYED).statusCode(200);
    Api.put(name, "{\"expectedInsertions\": 1000}").statusCode(409);
    given().get("/v1/gate/" + name + "?element=a").then().statusCode(204);
    Api.describe(filled("{\"expectedInsertions\": 1000}")).body("hashSecretId", nullValue());
  }

  @Test
  void saltAndKeyAreNeverReturned() {
    var name = filled(KEYED);
    var salt = salt(name);
    Api.describe(name).body(not(containsString(salt)));
    Api.post(name, "rebuild", "{}").statusCode(201).body(not(containsString(salt)));
  }

  @Test
  void theSameElementsHaveOtherBitsInEveryKeyedFilter() {
    assertNotEquals(bits(filled(KEYED)), bits(filled(KEYED)));
    var plain = filled("{\"expectedInsertions\": 1000}");
    assertNotEquals(bits(filled(KEYED)), bits(plain));
    assertEquals(bits(plain), bits(filled("{\"expectedInsertions\": 1000}")));
  }

  @Test
  void aPlainFilterIsRebuiltKeyedAndKeepsItsSize() {
    var name = filled("{\"bitSize\": 6400, \"numHashFunctions\": 5}");
    Api.post(name, "rebuild", "{\"hashScheme\": \"bloomgate-1-keyed\"}").statusCode(201);
    Api.post(name, "rebuild/add", "{\"elements\": [\"a\"]}").statusCode(200);
    Api.add(name, "b");
    Api.post(name, "rebuild/commit", "{}").statusCode(200);
    Api.describe(name).body("hashScheme", equalTo("bloomgate-1-keyed"));
    assertHolds(name);

    var salt = salt(name);
    var size = bitSize(name);
    Api.lines("text/plain", "a\nb\n").put(Api.FILTERS + name + "/elements").then().statusCode(200);
    assertEquals(salt, salt(name), "a replacement that names no scheme keeps the key");
    assertHolds(name);

    Api.post(name, "rebuild", "{\"hashScheme\": \"bloomgate-1-keyed\"}").statusCode(201);
    Api.post(name, "rebuild/add", "{\"elements\": [\"a\", \"b\"]}").statusCode(200);
    Api.post(name, "rebuild/commit", "{}").statusCode(200);
    assertNotEquals(salt, salt(name), "a rebuild that names the scheme makes a new key");
    assertEquals(size, bitSize(name));
    assertHolds(name);
  }

  @Test
  void renamesAndCopiesKeepTheKey() {
    var name = filled(KEYED);
    var salt = salt(name);
    var renamed = Api.newName();
    Api.post(name, "rename", "{\"to\": \"%s\"}".formatted(renamed)).statusCode(200);
    var copy = Api.newName();
    Api.post(renamed, "copy", "{\"to\": \"%s\"}".formatted(copy)).statusCode(201);
    for (var now : new String[] {renamed, copy}) {
      assertEquals(salt, salt(now));
      assertHolds(now);
    }
    Api.post(renamed, "merge", "{\"from\": [\"%s\"]}".formatted(copy)).statusCode(200);
    Api.refused(
            409,
            "INCOMPATIBLE_FILTERS",
            Api.post(renamed, "merge", "{\"from\": [\"%s\"]}".formatted(filled(KEYED))))
        .body("detail", containsString("hashSalt"));
  }

  @Test
  void aFileKeepsTheKeyAndARawBitmapIsRefused() {
    var name = filled(KEYED);
    var imported = Api.newName();
    Api.load(imported, "", Api.exported(name, "")).statusCode(201);
    assertEquals(salt(name), salt(imported));
    assertHolds(imported);

    Api.refused(400, "INVALID_REQUEST", Api.export(name, "?format=redis-bitmap"));
    var raw = "?format=redis-bitmap&hashScheme=bloomgate-1-keyed&bitSize=64&numHashFunctions=3";
    Api.load(Api.newName(), raw, new byte[8]).statusCode(400).body("detail", containsString("key"));
  }

  @Test
  void operationsOnElementsNeedTheSecretOfTheFilter() {
    var before = Api.newFilter(KEYED);
    redis.run(
        "HSET",
        stateKey(before),
        "definition",
        redis
            .run("HGET", stateKey(before), "definition")
            .toString()
            .replaceFirst("\"secretId\":\"[^\"]*\"", "\"secretId\":\"0123456789abcdef\""));
    // The service reads a filter with another name again, like a new instance.
    var name = Api.newName();
    Api.post(before, "rename", "{\"to\": \"%s\"}".formatted(name)).statusCode(200);
    for (var answer :
        new ValidatableResponse[] {
          Api.post(name, "add", "{\"elements\": [\"c\"]}"),
          Api.post(name, "test", "{\"elements\": [\"a\"]}"),
          Api.testByUrl(name, "element=a"),
          given().get("/v1/gate/" + name + "?element=a").then(),
          Api.lines("text/plain", "a\n").post(Api.FILTERS + name + "/add").then(),
          Api.lines("text/plain", "a\n").post(Api.FILTERS + name + "/test").then(),
          Api.post(name, "rebuild", "{}"),
          Api.put(name, KEYED)
        }) {
      Api.refused(503, "SECRET_MISSING", answer).body("detail", containsString("0123456789abcdef"));
    }
    Api.describe(name).statusCode(200).body("hashSecretId", equalTo("0123456789abcdef"));
    Api.post(name, "rebuild", "{\"hashScheme\": \"bloomgate-1-keyed\"}").statusCode(201);
    Api.delete(name).statusCode(204);
  }

  private static String filled(String parameters) {
    var name = Api.newFilter(parameters);
    Api.add(name, "a", "b").body("addedCount", equalTo(2));
    return name;
  }

  private static void assertHolds(String name) {
    Api.test(name, "a", "b", "c").body("mightContainCount", equalTo(2));
  }

  private static int bitSize(String name) {
    return Api.describe(name).extract().path("bitSize");
  }

  private String salt(String name) {
    var definition = redis.run("HGET", stateKey(name), "definition").toString();
    return JsonPath.from(definition).getString("plan.hashKey.salt");
  }

  /** The journal of the segment. The same elements have the same entries. */
  private String bits(String name) {
    var key = Api.fields(name).getString("redisKey");
    return HexFormat.of()
        .formatHex(redis.run("GETRANGE", key, -BEHIND - ENTRIES, -BEHIND - 1).toBytes());
  }
}
