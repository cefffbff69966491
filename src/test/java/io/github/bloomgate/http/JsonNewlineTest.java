package io.github.bloomgate.http;

import static io.restassured.RestAssured.given;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every JSON body is a line, so that a terminal shows its prompt below it. */
@QuarkusTest
class JsonNewlineTest {

  @Test
  void everyJsonBodyEndsWithOneNewline() {
    var filter = Api.FILTERS + Api.newFilter();
    var json = Api.json("{\"elements\": [\"a\"]}");

    assertLine(200, given().get(filter));
    assertLine(200, given().get("/v1/filters?limit=1"));
    assertLine(200, given().get("/v1/sizing?expectedInsertions=10&falsePositiveProbability=0.1"));
    assertLine(200, json.post(filter + "/add"));
    assertLine(200, Api.lines("text/plain", "a\n").post(filter + "/test"));
    assertLine(404, given().get(Api.FILTERS + Api.newName()));
    assertLine(405, given().patch(filter));
    assertLine(404, given().get("/v1/nothing"));
  }

  private static void assertLine(int status, Response answer) {
    assertEquals(status, answer.statusCode(), answer.asString());
    var body = answer.asString();
    assertTrue(body.endsWith("}\n"), body);
    assertEquals(
        Integer.toString(body.length()),
        answer.header("Content-Length"),
        () -> answer.headers().toString());
    assertEquals(List.of(body.strip()), body.lines().toList());
  }
}
