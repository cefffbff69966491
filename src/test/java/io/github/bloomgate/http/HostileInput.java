package io.github.bloomgate.http;

import static io.restassured.RestAssured.given;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.bloomgate.support.RawResponse;
import org.junit.jupiter.api.BeforeEach;

/** Malicious requests to a filter whose content they must not change. */
abstract class HostileInput {

  static final String JSON = "Content-Type: application/json\r\n";

  String name;
  String before;

  @BeforeEach
  void aFilterWithContent() {
    name = Api.newFilter();
    Api.add(name, "kept").statusCode(200);
    before = Api.description(name);
  }

  RawResponse send(String method, String operation, String headers, byte[] body) {
    return RawHttp.send(method, Api.FILTERS + name + "/" + operation, headers, body);
  }

  void nothingChanged() {
    assertEquals(before, Api.description(name));
    given().get(Api.FILTERS + name + "/test?element=kept").then().statusCode(200);
  }
}
