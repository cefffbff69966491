package io.github.bloomgate.http;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;
import static org.hamcrest.Matchers.startsWith;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quarkus.test.junit.QuarkusTest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Valid names of filters, renaming, and the list with its pages and entries. */
@QuarkusTest
class FilterNamesTest extends FilterAndKeys {

  @Test
  void aRenamedFilterKeepsItsContentAndExpiry() {
    var from = Api.newFilter("{\"expectedInsertions\": 1000, \"ttlSeconds\": 5000}");
    var to = Api.newName();
    Api.add(from, "kept").statusCode(200);
    var before = Api.fields(from);
    Api.post(from, "rename", Map.of("to", to))
        .statusCode(200)
        .body("name", equalTo(to))
        .body("insertions", equalTo(1))
        .body("bitsSet", equalTo(before.getInt("bitsSet")))
        .body("createdAt", equalTo(before.getString("createdAt")))
        .body("expiresAt", equalTo(before.getString("expiresAt")))
        // Segments keep their keys, so a rename takes the same time at any size.
        .body("redisKey", equalTo(before.getString("redisKey")));
    Api.describe(from).statusCode(404);
    Api.test(to, "kept", "other").body("mightContain", equalTo(List.of(true, false)));
    assertEquals(List.of(), keysOf(from));
    assertExpiry(Instant.parse(before.getString("expiresAt")), keysOf(to));
    Api.list("prefix=" + from).body("filters", hasSize(0));
    Api.list("prefix=" + to).body("filters", hasSize(1));
  }

  @Test
  void anExistingFilterIsReplacedOnlyOnRequest() {
    var from = Api.newFilter();
    var to = Api.newFilter("{\"expectedInsertions\": 77}");
    Api.add(from, "new").statusCode(200);
    Api.add(to, "old").statusCode(200);
    Api.refused(409, "FILTER_EXISTS", Api.post(from, "rename", Map.of("to", to)));
    Api.post(from, "rename", Map.of("to", to, "replace", false)).statusCode(409);
    Api.test(from, "new").body("mightContainCount", equalTo(1));
    Api.test(to, "old").body("mightContainCount", equalTo(1));

    Api.post(from, "rename", Map.of("to", to, "replace", true))
        .statusCode(200)
        .body("expectedInsertions", equalTo(1000));
    Api.test(to, "new", "old").body("mightContain", equalTo(List.of(true, false)));
    Api.describe(from).statusCode(404);
  }

  @Test
  void aFilterCannotBeRenamedToItself() {
    var name = Api.newFilter();
    Api.refused(
        400, "INVALID_REQUEST", Api.post(name, "rename", Map.of("to", name, "replace", true)));
    Api.describe(name).statusCode(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "7", "a.b", "a_b", "a~b", "a:b", "a@b", "a-b", "Zz.0_~:@-"})
  void aNameMayHaveLettersDigitsAndSomeSigns(String sample) {
    var name = sample + Api.newName();
    Api.put(name, "{\"expectedInsertions\": 10}").statusCode(201);
    Api.describe(name).statusCode(200).body("name", equalTo(name));
  }

  @Test
  void aNameMayHave128Characters() {
    var name = Api.newName() + "x".repeat(128 - Api.newName().length());
    Api.put(name, "{\"expectedInsertions\": 10}").statusCode(201);
    Api.put(name + "x", "{\"expectedInsertions\": 10}")
        .statusCode(400)
        .body("detail", not(containsString(name)));
  }

  @Test
  void anyOtherNameIsRefused() {
    for (var code = 0; code < 256; code++) {
      if ("._~:@-".indexOf(code) >= 0) {
        assertRefused((char) code + "a");
      } else if (code > 127 || !Character.isLetterOrDigit(code)) {
        assertRefused("a%%%02Xb".formatted(code));
      }
    }
    for (var name : List.of("a+b", "a*", "%C3%A9", "%ED%A0%80", "%F0%9F%98%80")) {
      assertRefused(name);
    }
  }

  private static void assertRefused(String name) {
    var path = Api.FILTERS + name;
    var created = Api.raw().contentType("application/json").body("{}").put(path).then();
    Api.refused(400, "INVALID_REQUEST", created)
        .body("detail", startsWith("A filter name has 1 to 128 characters"));
    Api.raw().get(path).then().statusCode(400);
  }

  @Test
  void filtersAreListedInPagesInTheOrderOfTheirNames() {
    var prefix = Api.newName();
    var names = IntStream.range(0, 7).mapToObj(i -> prefix + "." + i).toList();
    for (var i : List.of(3, 0, 6, 5, 1, 4, 2)) {
      Api.put(names.get(i), "{\"expectedInsertions\": 10}").statusCode(201);
    }
    var seen = new ArrayList<String>();
    var cursor = "";
    String next;
    var pages = 0;
    do {
      var page = Api.list("limit=3&prefix=" + prefix + cursor).extract().jsonPath();
      seen.addAll(page.getList("filters.name", String.class));
      next = page.getString("nextCursor");
      cursor = "&cursor=" + next;
      pages++;
    } while (next != null);
    assertEquals(names, seen);
    assertEquals(3, pages);
  }

  /** A word could be an element that was sent with the wrong name. */
  @ParameterizedTest
  @CsvSource({
    "5000, 'limit is 5000, but must be a whole number from 1 to '",
    "1.5, 'limit is 1.5, but must be a whole number from 1 to '",
    "secret, 'limit must be a whole number from 1 to '",
  })
  void aWrongNumberInAQueryIsNamedAndAWordIsNot(String limit, String detail) {
    var answer = given().get("/v1/filters?limit=" + limit).then();
    Api.refused(400, "INVALID_REQUEST", answer).body("detail", startsWith(detail));
  }

  @Test
  void aPrefixMatchesTheWholeNameToo() {
    var name = Api.newFilter();
    Api.list("prefix=" + name).body("filters.name", equalTo(List.of(name)));
    Api.list("prefix=" + name + "x").body("filters", hasSize(0));
  }

  /** Names are lost if the node with the catalogue fails over. */
  @Test
  void aLostNameReturnsWhenTheFilterIsCreatedAgain() {
    var name = Api.newName();
    var parameters = "{\"expectedInsertions\": 10}";
    Api.put(name, parameters).statusCode(201);
    redis.run("ZREM", "bloom:{=names}", name);
    redis.run("HDEL", "bloom:{=names}:usage", name);
    Api.list("prefix=" + name).body("filters", hasSize(0));
    Api.put(name, parameters).statusCode(200);
    Api.list("prefix=" + name).body("filters.name", equalTo(List.of(name)));
  }

  @Test
  @Tag("slow")
  void aListIncludesFiguresOnRequest() {
    var prefix = Api.newName();
    var full = prefix + ".full";
    var key = prefix + ".key";
    Api.put(full, "{\"expectedInsertions\": 10, \"whenFull\": \"reject\"}").statusCode(201);
    Api.add(full, "a", "b", "c").statusCode(200);
    Api.post(full, "rebuild", "{}").statusCode(201);
    Api.put(key, Map.of("hashScheme", "go-zero", "bitSize", 64, "redisKey", key)).statusCode(201);
    Api.list("prefix=" + prefix).body("filters[0]", not(hasKey("figures")));
    Awaitility.await()
        .untilAsserted(
            () ->
                Api.list("figures=true&prefix=" + prefix)
                    .body("filters[0].figures.insertions", equalTo(3))
                    .body("filters[0].figures.approximateElementCount", equalTo(3))
                    .body("filters[0].figures.fillRatio", greaterThan(0.1f))
                    .body("filters[0].figures.estimatedFalsePositiveProbability", greaterThan(0.0f))
                    .body("filters[0].figures.whenFull", equalTo("reject"))
                    .body("filters[0].figures", not(hasKey("counting")))
                    .body("filters[0].figures.rebuilding", equalTo(true))
                    .body("filters[0].figures.rebuildProgress", equalTo(0.0f))
                    .body("filters[0].figures.source", nullValue())
                    .body("filters[1].figures.fillRatio", nullValue())
                    .body("filters[1].figures.rebuilding", equalTo(false)));
    given().get("/v1/filters?figures=yes").then().statusCode(400);
    Api.delete(key + "?deleteKey=true").statusCode(204);
  }

  @Test
  void aListShowsWhichFiltersHaveCounters() {
    var name = Api.newFilter("{\"expectedInsertions\": 10, \"counting\": true}");
    Api.list("figures=true&prefix=" + name).body("filters[0].figures.counting", equalTo(true));
  }

  @Test
  void aListedFilterShowsItsParameters() {
    var name = Api.newFilter("{\"expectedInsertions\": 1000, \"ttlSeconds\": 1000}");
    var described = Api.fields(name);
    Api.list("prefix=" + name)
        .body("filters[0].state", equalTo("ready"))
        .body("filters[0].hashScheme", equalTo("bloomgate-1"))
        .body("filters[0].expectedInsertions", equalTo(1000))
        .body("filters[0].falsePositiveProbability", equalTo(0.01f))
        .body("filters[0].sizeBytes", equalTo(1200))
        .body("filters[0].createdAt", equalTo(described.getString("createdAt")))
        .body("filters[0].expiresAt", equalTo(described.getString("expiresAt")));
  }

  @Test
  void aDamagedFilterIsListedAsDamaged() {
    var name = Api.newFilter();
    redis.run("HDEL", stateKey(name), "definition");
    Api.list("prefix=" + name)
        .body("filters.name", equalTo(List.of(name)))
        .body("filters[0].state", equalTo("damaged"))
        .body("filters[0].sizeBytes", nullValue());
  }

  @Test
  void aFilterWithAnImpossibleExpiryOrSourceIsListedAsDamagedAndDeleted() {
    var values =
        Map.of(
            "expiresAt", List.of("x", "9".repeat(23), "1.5", "0x10"), "source", List.of("x", "2"));
    values.forEach(
        (field, some) ->
            some.forEach(
                value -> {
                  var name = Api.newFilter();
                  redis.run("HSET", stateKey(name), field, value);
                  redis.run("PEXPIRE", stateKey(name), "3600000");
                  Api.list("prefix=" + name).body("filters[0].state", equalTo("damaged"));
                  Api.test(name, "a").statusCode(410);
                  Api.delete(name).statusCode(204);
                }));
  }

  @Test
  void aFilterUnderAForeignKeyIsListedAsDamaged() {
    var name = Api.newFilter();
    redis.run("SET", stateKey(name), "foreign");
    Api.list("prefix=" + name).body("filters[0].state", equalTo("damaged"));
  }

  @Test
  void anExpiredFilterLeavesTheListWhenItIsNoticed() {
    var name = Api.newFilter();
    letExpire(name);
    Awaitility.await().until(() -> redis.run("EXISTS", stateKey(name)).toInteger() == 0);
    Api.list("prefix=" + name).body("filters", hasSize(0));
    Awaitility.await().until(() -> redis.run("ZSCORE", "bloom:{=names}", name) == null);
  }
}
