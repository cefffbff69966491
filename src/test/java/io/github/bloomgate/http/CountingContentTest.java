package io.github.bloomgate.http;

import static io.github.bloomgate.http.CountingFilterTest.ABC;
import static io.github.bloomgate.http.CountingFilterTest.COUNTING;
import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.nullValue;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Rebuilds, copies and files of filters whose elements can be removed, over HTTP. */
@QuarkusTest
class CountingContentTest {

  @Test
  void aRebuildKeepsCounting() {
    var name = Api.newFilter(COUNTING);
    Api.add(name, "old");
    Api.post(name, "rebuild", "{\"expectedInsertions\": 4000}").then().statusCode(201);
    Api.post(name, "rebuild/add", Api.elements(0, 100)).then().statusCode(200);
    Api.post(name, "rebuild/commit", "{}").then().statusCode(200);
    Api.describe(name)
        .then()
        .body("counting", equalTo(true))
        .body("expectedInsertions", equalTo(4000))
        .body("insertions", equalTo(100));
    Api.post(name, "remove", Api.elements(0, 100)).then().body("removedCount", equalTo(100));
    Api.post(name, "rebuild", "{\"whenFull\": \"grow\"}")
        .then()
        .statusCode(400)
        .body("detail", containsString("counting"));
    given()
        .spec(Api.lines("text/plain", "x\ny\n"))
        .put(Api.FILTERS + name + "/elements")
        .then()
        .statusCode(200)
        .body("counting", equalTo(true))
        .body("insertions", equalTo(2));
  }

  @Test
  void unsupportedOperationsAreRefused() {
    var name = Api.newFilter(COUNTING);
    var plain = Api.newFilter("{\"expectedInsertions\": 8000}");
    for (var pair : new String[][] {{name, plain}, {plain, name}}) {
      Api.post(pair[0], "merge", "{\"from\": [\"%s\"]}".formatted(pair[1]))
          .then()
          .statusCode(400)
          .body("detail", containsString("counts its elements"));
      Api.post(pair[0], "copy", "{\"to\": \"%s\", \"replace\": true}".formatted(pair[1]))
          .then()
          .statusCode(400)
          .body("detail", containsString("count"));
    }
    for (var format : List.of("guava", "bits-and-blooms", "redis-bitmap")) {
      given()
          .get(Api.FILTERS + name + "/export?format=" + format)
          .then()
          .statusCode(400)
          .body("detail", containsString("counts its elements"))
          .body("detail", containsString("plain=true"));
    }
    given()
        .get(Api.FILTERS + name + "/export?plain=yes")
        .then()
        .statusCode(400)
        .body("violations[0].field", equalTo("plain"));
    load(name, export(plain, "")).statusCode(400).body("detail", containsString("counts"));
    load(plain, export(name, "")).statusCode(400).body("detail", containsString("does not count"));
    Api.describe(name).then().body("counting", equalTo(true));
  }

  @Test
  void aFileCountsAsTheFilterDoes() {
    var name = Api.newFilter(COUNTING);
    Api.add(name, "a", "a", "b");
    var copy = Api.newName();
    load(copy, export(name, ""))
        .statusCode(201)
        .body("counting", equalTo(true))
        .body("insertions", equalTo(3));
    Api.post(copy, "count", ABC).then().body("counts", equalTo(List.of(2, 1, 0)));
    load(copy, export(name, "?plain=false")).statusCode(200).body("insertions", equalTo(3));
    var plain = Api.newName();
    load(plain, export(name, "?plain=true")).statusCode(201).body("counting", nullValue());
    Api.post(plain, "test", ABC).then().body("mightContain", equalTo(List.of(true, true, false)));
    given()
        .get(Api.FILTERS + name + "/export?format=redis-bitmap&plain=true")
        .then()
        .statusCode(200);
  }

  private static byte[] export(String name, String query) {
    var answer = given().get(Api.FILTERS + name + "/export" + query);
    answer.then().statusCode(200);
    return answer.asByteArray();
  }

  private static ValidatableResponse load(String name, byte[] file) {
    return given()
        .contentType("application/octet-stream")
        .body(file)
        .put(Api.FILTERS + name + "/import")
        .then();
  }
}
