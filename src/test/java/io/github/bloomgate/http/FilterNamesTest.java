package io.github.bloomgate.http;

import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.startsWith;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quarkus.test.junit.QuarkusTest;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Valid names of filters, and renaming. */
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
    assertDeadline(Instant.parse(before.getString("expiresAt")), keysOf(to));
    list(from).body("filters", hasSize(0));
    list(to).body("filters", hasSize(1));
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

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-a",
        ".a",
        "_a",
        "~a",
        ":a",
        "@a",
        "%20a",
        "a%20b",
        "a+b",
        "a%2Fb",
        "a%5Cb",
        "a%00",
        "a%0A",
        "%7Ba%7D",
        "a%7Bb",
        "%C3%A9",
        "%FF",
        "%ED%A0%80",
        "a*",
        "a,b",
        "a%3Bb",
        "a=b",
        "a&b",
        "a%3Fb",
        "a%23b",
        "$a",
        "a!",
        "(a)",
        "'a'",
        "%F0%9F%98%80"
      })
  void anyOtherNameIsRefused(String name) {
    Api.refused(
            400,
            "INVALID_REQUEST",
            Api.raw()
                .contentType("application/json")
                .body("{\"expectedInsertions\": 10}")
                .put(Api.FILTERS + name)
                .then())
        .body("detail", startsWith("A filter name has 1 to 128 characters"));
    Api.raw().get(Api.FILTERS + name).then().statusCode(400);
  }
}
