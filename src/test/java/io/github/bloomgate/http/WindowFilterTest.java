package io.github.bloomgate.http;

import static org.hamcrest.Matchers.allOf;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.lessThan;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import org.junit.jupiter.api.Test;

/** Window filters over HTTP. */
@QuarkusTest
class WindowFilterTest {

  private static final String DAY =
      "{\"expectedInsertions\": 8000, \"falsePositiveProbability\": 1e-9, \"window\": {\"seconds\":"
          + " 86400}}";
  private static final String THOUSAND = "{\"window\": {\"insertions\": 1000}, \"slices\": 4}";

  @Test
  void itShowsItsWindow() {
    var name = Api.newName();
    Api.put(name, DAY)
        .statusCode(201)
        .body("window.seconds", equalTo(86400))
        .body("window.insertions", nullValue())
        .body("window.rememberedAtLeastSeconds", equalTo(86400f))
        .body("window.rememberedAtMostSeconds", equalTo(97200f))
        .body("slices", equalTo(8))
        .body("refresh", equalTo(true))
        .body("liveSlices.size()", equalTo(0));
    Api.put(name, DAY).statusCode(200);
    Api.put(name, DAY.replace("}}", "}, \"slices\": 4, \"refresh\": false}"))
        .statusCode(409)
        .body("differences.field", hasItem("slices"))
        .body("differences.field", hasItem("refresh"));
    Api.put(name, "{\"expectedInsertions\": 8000}")
        .statusCode(409)
        .body("differences.field", hasItem("window.seconds"));
    add(name, 400).body("addedCount", equalTo(400));
    add(name, 400).body("addedCount", equalTo(0));
    Api.describe(name)
        .body("insertions", equalTo(400))
        .body("approximateElementCount", allOf(greaterThan(390), lessThan(410)))
        .body("liveSlices.size()", equalTo(1))
        .body("liveSlices[0].openedAt", notNullValue())
        .body("liveSlices[0].closesAt", notNullValue())
        .body("liveSlices[0].elements", equalTo(400))
        .body("windowWarning", nullValue())
        .body("estimatedFalsePositiveProbability", lessThan(0.01f));
  }

  @Test
  void elementsBeyondTheCapacityCauseAWarning() {
    var name = Api.newFilter("{\"expectedInsertions\": 100, \"window\": {\"seconds\": 86400}}");
    add(name, 1000);
    Api.describe(name).body("windowWarning", containsString("more than 100 elements"));
  }

  @Test
  void elementsExpireByInsertions() {
    var name = Api.newName();
    Api.put(name, THOUSAND)
        .statusCode(201)
        .body("expectedInsertions", equalTo(1000))
        .body("window.insertions", equalTo(1000))
        .body("window.rememberedAtLeastInsertions", equalTo(1000))
        .body("window.rememberedAtMostInsertions", equalTo(1250))
        .body("liveSlices.size()", equalTo(0));
    add(name, 5000);
    Api.describe(name)
        .body("liveSlices.size()", equalTo(5))
        .body("liveSlices[0].openedAt", nullValue());
    Api.post(name, "test", Api.elements(4000, 5000)).body("mightContainCount", equalTo(1000));
    Api.post(name, "test", Api.elements(0, 1000)).body("mightContainCount", lessThan(50));
    Api.post(name, "add", Api.elements("last ", 0, 100)).statusCode(200);
    var before = Api.fields(name).getList("liveSlices.elements", Integer.class);
    Api.post(name, "add", Api.elements("newest ", 0, 40)).statusCode(200);
    var after = Api.fields(name).getList("liveSlices.elements", Integer.class);
    assertTrue(after.get(0) > before.get(0), "the newest slice comes first");
    assertEquals(before.subList(1, 5), after.subList(1, 5));
  }

  @Test
  void aRebuildMayHaveAnotherWindow() {
    var name = Api.newName();
    Api.put(name, "{\"expectedInsertions\": 8000, \"whenFull\": \"reject\"}");
    Api.post(name, "rebuild", "{\"slices\": 4}").statusCode(400);
    rebuild(name, "{\"window\": {\"seconds\": 60}, \"refresh\": false}")
        .body("window.seconds", equalTo(60))
        .body("slices", equalTo(8))
        .body("refresh", equalTo(false))
        .body("whenFull", equalTo("accept"))
        .body("expectedInsertions", equalTo(8000));
    rebuild(name, "{\"slices\": 4}")
        .body("window.seconds", equalTo(60))
        .body("slices", equalTo(4))
        .body("refresh", equalTo(false));
    rebuild(name, "{\"window\": {\"insertions\": 100}, \"refresh\": true}")
        .body("window.insertions", equalTo(100))
        .body("expectedInsertions", equalTo(100))
        .body("slices", equalTo(4))
        .body("refresh", equalTo(true));
    Api.post(name, "rebuild", "{\"expectedInsertions\": 200}").statusCode(400);
    Api.post(name, "rebuild", "{\"whenFull\": \"grow\"}")
        .statusCode(400)
        .body("detail", containsString("window"));
    rebuild(name, "{\"falsePositiveProbability\": 0.001}")
        .body("window.insertions", equalTo(100))
        .body("falsePositiveProbability", equalTo(0.001f));
    Api.post(name, "add", "{\"elements\": [\"a\"]}").body("addedCount", equalTo(1));
  }

  private static ValidatableResponse rebuild(String name, String request) {
    Api.post(name, "rebuild", request).statusCode(201);
    Api.post(name, "rebuild/commit", "{\"allowEmpty\": true}").statusCode(200);
    return Api.describe(name);
  }

  @Test
  void unsupportedOperationsAreRefused() {
    var name = Api.newName();
    Api.put(name, DAY);
    var fixed = Api.newName();
    Api.put(fixed, "{\"expectedInsertions\": 8000}");
    Api.post(fixed, "copy", "{\"to\": \"%s\", \"replace\": true}".formatted(name))
        .statusCode(400)
        .body("detail", containsString("window"));
    for (var pair : new String[][] {{name, fixed}, {fixed, name}}) {
      Api.post(pair[0], "merge", "{\"from\": [\"%s\"]}".formatted(pair[1]))
          .statusCode(409)
          .body("differences.field", hasItem("window.seconds"));
    }
    var byInsertions = Api.newFilter(THOUSAND);
    var alike = Api.newFilter(THOUSAND);
    Api.post(byInsertions, "merge", "{\"from\": [\"%s\"]}".formatted(alike))
        .statusCode(400)
        .body("detail", containsString("a window of insertions"));
    Api.export(name, "?plain=true").statusCode(400).body("detail", containsString("window"));
    Api.export(name, "?format=redis-bitmap")
        .statusCode(400)
        .body("detail", containsString("in one of: bloomgate"));
    Api.load(name, "", Api.exported(fixed, ""))
        .statusCode(400)
        .body("detail", containsString("window"));
    Api.describe(name).body("window.seconds", equalTo(86400));
  }

  private static ValidatableResponse add(String name, int count) {
    return Api.post(name, "add", Api.elements(0, count)).statusCode(200);
  }
}
