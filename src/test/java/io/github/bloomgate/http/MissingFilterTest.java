package io.github.bloomgate.http;

import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Filters that an add over HTTP creates, with the parameter {@code like}. */
@QuarkusTest
class MissingFilterTest {

  private static final String SHARP =
      "{\"expectedInsertions\": 1000, \"falsePositiveProbability\": 1e-9, \"whenFull\": \"reject\"}";
  private static final String TEMPLATE = SHARP.replace("}", ", \"template\": true}");

  private static ValidatableResponse add(String name, String query, String... elements) {
    return Api.json(Map.of("elements", Arrays.asList(elements)))
        .post(Api.FILTERS + name + "/add?" + query)
        .then();
  }

  private static ValidatableResponse lines(String name, String query, String lines) {
    return Api.lines("text/plain", lines).post(Api.FILTERS + name + "/add?" + query).then();
  }

  private static void assertMissing(String name) {
    Api.refused(404, "FILTER_NOT_FOUND", Api.describe(name));
  }

  @Test
  void anAddCreatesAMissingFilter() {
    var like = Api.newFilter(TEMPLATE);
    var name = Api.newName();
    add(name, "like=" + like + "&ttlSeconds=3600&return=summary", "a", "b", "a")
        .statusCode(200)
        .body("addedCount", equalTo(2));
    Api.test(name, "a", "b", "c").body("mightContain", contains(true, true, false));
    Api.describe(name)
        .body("expectedInsertions", equalTo(1000))
        .body("whenFull", equalTo("reject"))
        .body("insertions", equalTo(2))
        .body("expiresAt", notNullValue())
        .body("template", equalTo(false));
    Api.describe(like).body("template", equalTo(true)).body("insertions", equalTo(0));

    add(name, "like=" + like, "c").statusCode(200).body("added", contains(true));
    Api.describe(name).body("expiresAt", notNullValue());
    var forever = Api.newName();
    add(forever, "like=" + like, "a").statusCode(200).body("added", contains(true));
    Api.describe(forever).body("expiresAt", nullValue());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "&return=flags", "&return=flags&interleave=true"})
  void theFirstLinesOfAStreamCreateAMissingFilter(String mode) {
    var like = Api.newFilter(SHARP);
    var name = Api.newName();
    var query = "like=" + like + "&ttlSeconds=3600" + mode;
    lines(name, query, "a\nb\na\n").statusCode(200);
    Api.test(name, "a", "b", "c").body("mightContain", contains(true, true, false));
    Api.describe(name).body("insertions", equalTo(2)).body("expiresAt", notNullValue());
    lines(name, query, "c\n").statusCode(200);
    Api.describe(name).body("insertions", equalTo(3));
  }

  @Test
  void aStreamWithoutAFirstLineCreatesNone() {
    var like = Api.newFilter(SHARP);
    var name = Api.newName();
    lines(name, "like=" + like, "").statusCode(200).body("addedCount", equalTo(0));
    assertMissing(name);
    Api.refused(400, "INVALID_REQUEST", lines(name, "encoding=hex&like=" + like, "no hex\n"));
    assertMissing(name);
  }

  @Test
  void anAddToSeveralCreatesThoseThatAreMissing() {
    var like = Api.newFilter(TEMPLATE);
    var existing = Api.newFilter();
    var names = List.of(Api.newName(), existing, Api.newName());
    var body = Map.of("filters", names, "elements", List.of("a", "b"));
    Api.refused(404, "FILTER_NOT_FOUND", Api.json(body).post("/v1/add").then());
    var added = Api.json(body).post("/v1/add?ttlSeconds=60&like=" + like).then();
    added.statusCode(200);
    for (var name : names) {
      added.body("added.'" + name + "'", contains(true, true));
      Api.test(name, "a", "b").body("mightContain", contains(true, true));
    }
    Api.describe(existing).body("expiresAt", nullValue());
    Api.describe(names.get(2)).body("expiresAt", notNullValue());
  }

  @Test
  void theFilterToBeLikeMustExistAndHaveItsOwnBits() {
    var name = Api.newName();
    var gone = Api.newName();
    for (var answer : List.of(add(name, "like=" + gone, "a"), lines(name, "like=" + gone, "a\n"))) {
      Api.refused(404, "FILTER_NOT_FOUND", answer).body("detail", containsString(gone));
    }
    var bits = "bits-" + name;
    var adopted =
        Api.newFilter(
            "{\"hashScheme\": \"go-zero\", \"bitSize\": 4096, \"redisKey\": \"%s\"}"
                .formatted(bits));
    Api.refused(400, "INVALID_REQUEST", add(name, "like=" + adopted, "a"))
        .body("detail", containsString(adopted));
    assertMissing(name);
  }

  @Test
  void anExistingFilterNeedsNoOther() {
    var name = Api.newFilter();
    add(name, "ttlSeconds=60&like=" + Api.newName(), "a").statusCode(200);
    lines(name, "like=" + Api.newName(), "b\n").statusCode(200);
    Api.describe(name).body("insertions", equalTo(2)).body("expiresAt", nullValue());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ttlSeconds=60",
        "like=",
        "like=%2F",
        "like=LIKE&like=LIKE",
        "like=LIKE&ttlSeconds=0",
        "like=LIKE&ttlSeconds=315360001",
        "like=LIKE&ttlSeconds=1.5",
        "like=LIKE&ttlSeconds=soon",
        "like=LIKE&expiresAt=2100-01-01",
      })
  void otherParametersAreRefusedBeforeAnythingIsCreated(String query) {
    var name = Api.newName();
    var its = query.replace("LIKE", Api.newFilter(TEMPLATE));
    var several = Map.of("filters", List.of(name), "elements", List.of("a"));
    for (var answer :
        List.of(
            Api.raw()
                .contentType("application/json")
                .body("{\"elements\": [\"a\"]}")
                .post(Api.FILTERS + name + "/add?" + its)
                .then(),
            Api.raw().contentType("application/json").body(several).post("/v1/add?" + its).then(),
            lines(name, its, "a\n"))) {
      Api.refused(400, "INVALID_REQUEST", answer);
    }
    assertMissing(name);
  }

  @Test
  void onlyAddsCreateFilters() {
    var like = Api.newFilter(TEMPLATE);
    var name = Api.newName();
    for (var operation : List.of("test", "remove", "count", "rebuild/add")) {
      var answer =
          Api.json(Map.of("elements", List.of("a")))
              .post(Api.FILTERS + name + "/" + operation + "?like=" + like)
              .then();
      Api.refused(400, "INVALID_REQUEST", answer);
    }
    assertMissing(name);
  }

  @Test
  void aTemplateIsOneFromItsCreation() {
    var name = Api.newFilter(TEMPLATE);
    Api.put(name, TEMPLATE).statusCode(200).body("template", equalTo(true));
    Api.put(name, SHARP).statusCode(200).body("template", equalTo(true));
    var other = Api.newFilter(SHARP);
    Api.refused(409, "FILTER_EXISTS", Api.put(other, TEMPLATE))
        .body("differences.field", contains("template"))
        .body("detail", containsString("delete it first"));
    Api.describe(other).body("template", equalTo(false));
    var adopting =
        "{\"hashScheme\": \"go-zero\", \"bitSize\": 4096, \"redisKey\": \"k\", \"template\": true}";
    var adopted = Api.newName();
    Api.refused(400, "INVALID_REQUEST", Api.put(adopted, adopting));
    assertMissing(adopted);
  }
}
