package io.github.bloomgate.http;

import static org.hamcrest.Matchers.emptyString;
import static org.hamcrest.Matchers.equalTo;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The gate: one element, answered only by the status. */
@QuarkusTest
class GateResourceTest {

  @Test
  void onlyElementsThatMayExistPass() {
    var name = Api.newFilter();
    Api.add(name, "let in").statusCode(200);
    gate(name, "element=let+in").statusCode(204).body(emptyString());
    gate(name, "element=let%20in&encoding=utf-8").statusCode(204);
    gate(name, "element=keep+out").statusCode(403).body(emptyString());
  }

  @Test
  void anElementMayBeEncoded() {
    var name = Api.newFilter();
    Api.addEncoded(name, "hex", List.of("00ff")).statusCode(200);
    gate(name, "element=00ff&encoding=hex").statusCode(204);
    gate(name, "element=AP8&encoding=base64").statusCode(204);
    gate(name, "element=%00%FF").statusCode(204);
    gate(name, "element=00ff").statusCode(403);
  }

  @Test
  void anyMediaTypeMayBeAccepted() {
    var name = Api.newFilter();
    Api.raw()
        .accept("text/html")
        .get("/v1/gate/" + name + "?element=a")
        .then()
        .statusCode(403)
        .body(emptyString());
  }

  @Test
  void anInvalidElementIsNotAnsweredAsNo() {
    gate(Api.newFilter(), "element=xyz&encoding=hex")
        .statusCode(400)
        .body("code", equalTo("INVALID_REQUEST"));
  }

  @Test
  void aMissingFilterIsNotAnsweredAsNo() {
    gate(Api.newName(), "element=a").statusCode(404).body("code", equalTo("FILTER_NOT_FOUND"));
  }

  private static ValidatableResponse gate(String name, String query) {
    return Api.raw().get("/v1/gate/" + name + "?" + query).then();
  }
}
