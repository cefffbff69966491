package io.github.bloomgate.http;

import static io.restassured.RestAssured.given;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.restassured.RestAssured;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.BeforeEach;

/** Requests that no client should send, to a filter whose content they must leave alone. */
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

  RawHttp.Answer send(String method, String operation, String headers, byte[] body) {
    return RawHttp.send(port(), method, Api.FILTERS + name + "/" + operation, headers, body);
  }

  static int port() {
    return RestAssured.port;
  }

  static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  void nothingChanged() {
    assertEquals(before, Api.description(name));
    given().get(Api.FILTERS + name + "/test?element=kept").then().statusCode(200);
  }

  static void refused(int status, String code, RawHttp.Answer answer) {
    assertEquals(status, answer.status(), answer.body());
    assertEquals("application/problem+json", answer.headers().get("content-type"));
    assertFalse(answer.body().isEmpty());
    var problem = Api.tree(answer.body());
    assertEquals(status, problem.path("status").asInt());
    assertEquals(code, problem.path("code").asText());
  }
}
