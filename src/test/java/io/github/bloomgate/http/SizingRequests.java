package io.github.bloomgate.http;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.restassured.path.json.JsonPath;
import io.restassured.response.ValidatableResponse;

/** Requests to the calculator with their expected responses. */
final class SizingRequests {

  private SizingRequests() {}

  static void assertSameShape(JsonPath sized, JsonPath created) {
    assertEquals(created.getLong("bitSize"), sized.getLong("bitSize"));
    assertEquals(created.getInt("numHashFunctions"), sized.getInt("numHashFunctions"));
    assertEquals(created.getInt("segments"), sized.getInt("segments"));
    assertEquals(created.getLong("sizeBytes"), sized.getLong("sizeBytes"));
  }

  static JsonPath solve(String query) {
    return given().get("/v1/sizing?" + query).then().statusCode(200).extract().jsonPath();
  }

  static ValidatableResponse refused(String query) {
    return Api.raw()
        .get("/v1/sizing" + (query.isEmpty() ? "" : "?" + query))
        .then()
        .statusCode(400)
        .contentType("application/problem+json")
        .body("code", equalTo("INVALID_REQUEST"));
  }
}
