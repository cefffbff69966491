package io.github.bloomgate.http.access;

import static io.github.bloomgate.http.access.TestKeys.ADMIN;
import static io.github.bloomgate.http.access.TestKeys.LIMITED;
import static io.github.bloomgate.http.access.TestKeys.PREFIX;
import static io.github.bloomgate.http.access.TestKeys.READER;
import static io.github.bloomgate.http.access.TestKeys.WRITER;
import static io.github.bloomgate.http.access.TestKeys.json;
import static io.github.bloomgate.http.access.TestKeys.newFilter;
import static io.github.bloomgate.http.access.TestKeys.put;
import static io.github.bloomgate.http.access.TestKeys.with;
import static org.hamcrest.Matchers.allOf;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;

import io.github.bloomgate.http.Api;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.response.Response;
import io.restassured.response.ValidatableResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which keys may create filters by an add, and like which others. */
@QuarkusTest
@TestProfile(TestKeys.class)
class TemplateKeysTest extends KeyQuotas {

  private static String template(String prefix) {
    var name = prefix + Api.newName();
    put(ADMIN, name, "{\"expectedInsertions\": 1000, \"template\": true}").statusCode(201);
    return name;
  }

  private static ValidatableResponse add(String key, String name, String like) {
    var answer =
        json(key, "{\"elements\": [\"a\"]}").post(Api.FILTERS + name + "/add?like=" + like);
    return answer.then();
  }

  private static Response lines(String key, String name, String like) {
    return with(key)
        .contentType("text/plain; charset=utf-8")
        .body("a\n")
        .post(Api.FILTERS + name + "/add?like=" + like);
  }

  private static Response addToSeveral(String key, String name, String like) {
    return json(key, Map.of("filters", List.of(name), "elements", List.of("a")))
        .post("/v1/add?like=" + like);
  }

  private static void assertRefused(
      int status, String code, String key, String name, String like, String reason) {
    for (var answer :
        List.of(
            add(key, name, like),
            lines(key, name, like).then(),
            addToSeveral(key, name, like).then())) {
      Api.refused(status, code, answer).body("detail", containsString(reason));
    }
    with(ADMIN).get(Api.FILTERS + name).then().statusCode(404);
  }

  @Test
  void aWriterCreatesFiltersLikeTemplatesOnly() {
    assertRefused(403, "FORBIDDEN", WRITER, Api.newName(), newFilter(), "is not a template");
    assertRefused(403, "FORBIDDEN", READER, Api.newName(), template(""), "the role writer");
    var like = template("");
    add(WRITER, Api.newName(), like).statusCode(200);
    lines(WRITER, Api.newName(), like).then().statusCode(200);
    addToSeveral(WRITER, Api.newName(), like).then().statusCode(200);
    add(ADMIN, Api.newName(), newFilter()).statusCode(200);
    // Nothing is created, so there is nothing to allow.
    add(WRITER, newFilter(), newFilter()).statusCode(200);
  }

  @Test
  void bothNamesMustHaveAPrefixOfTheKey() {
    var like = template(ADDS_PREFIX);
    var own = ADDS_PREFIX + Api.newName();
    var reason = "limited to names that begin with " + ADDS_PREFIX;
    assertRefused(403, "FORBIDDEN", ADDS, Api.newName(), like, reason);
    assertRefused(403, "FORBIDDEN", ADDS, own, template(""), reason);
    assertRefused(403, "FORBIDDEN", ADDS, own, Api.newName(), reason);
    assertRefused(403, "FORBIDDEN", LIMITED, PREFIX + Api.newName(), newFilter(), "limited");
    assertRefused(404, "FILTER_NOT_FOUND", ADDS, own, own + "-gone", own + "-gone");
    add(ADDS, own, like).statusCode(200);
    add(LIMITED, PREFIX + Api.newName(), newFilter(PREFIX)).statusCode(200);
  }

  @Test
  void aWriterCreatesFiltersUpToItsQuota() {
    var like = template(ADDS_PREFIX);
    var first = ADDS_PREFIX + Api.newName();
    add(ADDS, first, like).statusCode(200);
    lines(ADDS, ADDS_PREFIX + Api.newName(), like).then().statusCode(200);
    var name = ADDS_PREFIX + Api.newName();
    assertRefused(422, "LIMIT_EXCEEDED", ADDS, name, like, "its maxFilters quota is 2");
    add(ADDS, name, like)
        .body(
            "detail",
            allOf(containsString("The key 'adds'"), containsString("Nothing was changed")));
    add(ADDS, first, like).statusCode(200).body("addedCount", equalTo(0));
    delete(first);
    addToSeveral(ADDS, name, like).then().statusCode(200);
  }

  @Test
  void onlyAnAdminMakesATemplate() {
    put(WRITER, Api.newName(), "{\"expectedInsertions\": 1000, \"template\": true}")
        .statusCode(403);
  }
}
