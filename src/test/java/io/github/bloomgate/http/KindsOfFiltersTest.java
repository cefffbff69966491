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
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.hash.HashSchemes;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Growing and window filters over HTTP. Filters may grow, have a window or count, but only one of
 * these and only with a native scheme.
 */
@QuarkusTest
class KindsOfFiltersTest {

  private static final Map<String, String> KINDS =
      Map.of(
          "whenFull", "\"whenFull\": \"grow\"",
          "window", "\"window\": {\"seconds\": 60}",
          "counting", "\"counting\": true");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"counting": true}                                                  | expectedInsertions
          {"counting": true, "n": 9, "hashScheme": "redisson", "redisKey": "k"} | redisKey
          {"counting": true, "n": 9, "whenFull": "grow"}                      | whenFull
          {"counting": true, "n": 9, "maxSizeBytes": 100}                     | maxSizeBytes
          {"counting": true, "n": 9, "growthFactor": 2}                       | growthFactor
          {"counting": true, "n": 9, "bitSize": 1000, "numHashFunctions": 3}  | bitSize
          {"counting": true, "n": 9, "window": {"seconds": 60}}               | window
          {"counting": true, "n": 9, "slices": 4}                             | slices
          {"window": {"seconds": 60}}                                         | expectedInsertions
          {"window": {"insertions": 60}, "n": 9}                              | expectedInsertions
          {"window": {"insertions": 7}}                                       | insertions of at least 8
          {"window": {}, "n": 9}                                              | either seconds or insertions
          {"window": {"seconds": 60, "insertions": 60}, "n": 9}               | either seconds or insertions
          {"window": {"seconds": 60}, "n": 9, "hashScheme": "redisson", "redisKey": "k"} | redisKey
          {"window": {"seconds": 60}, "n": 9, "whenFull": "reject"}           | whenFull
          {"window": {"seconds": 60}, "n": 9, "whenFull": "grow"}             | whenFull
          {"window": {"seconds": 60}, "n": 9, "maxSizeBytes": 100}            | maxSizeBytes
          {"window": {"seconds": 60}, "n": 9, "growthFactor": 2}              | growthFactor
          {"window": {"seconds": 60}, "n": 9, "bitSize": 9, "numHashFunctions": 3} | bitSize
          {"n": 100, "slices": 4}                                  | slices can only be used with window
          {"n": 100, "refresh": false}                             | refresh can only be used with window
          {"whenFull": "grow", "n": 9, "hashScheme": "redisson", "redisKey": "k"} | redisson
          {"whenFull": "grow", "n": 100, "maxSizeBytes": 100}                 | at least 144
          {"whenFull": "grow", "n": 9, "bitSize": 9, "numHashFunctions": 3}   | bitSize
          {"whenFull": "grow", "numHashFunctions": 13}             | whenFull grow needs expectedInsertions
          {"whenFull": "grow", "bitSize": 1000}                    | whenFull grow needs expectedInsertions
          {"whenFull": "grow", "bitSize": 9, "numHashFunctions": 3, "maxSizeBytes": 18} | whenFull grow needs expectedInsertions
          {"whenFull": "grow", "n": 9, "falsePositiveProbability": 0.51}      | at most 0.5
          {"n": 100, "growthFactor": 3}                                       | growthFactor
          {"n": 100, "maxSizeBytes": 1000000}                                 | maxSizeBytes
          """)
  void incompatibleParametersAreRefusedByName(String body, String reported) {
    var name = Api.newName();
    var refused = Api.put(name, body.replace("\"n\"", "\"expectedInsertions\""));
    Api.refused(400, "INVALID_REQUEST", refused).body("detail", containsString(reported));
    Api.describe(name).statusCode(404);
  }

  @Test
  void librarySchemesDoNotSupportThem() {
    var schemes = HashSchemes.ids().stream().filter(id -> !id.startsWith("bloomgate-1")).toList();
    assertFalse(schemes.isEmpty());
    for (var scheme : schemes) {
      KINDS.forEach(
          (field, kind) -> {
            var body = "{\"expectedInsertions\": 1000, \"hashScheme\": \"%s\", %s}";
            var refused = Api.put(Api.newName(), body.formatted(scheme, kind));
            Api.refused(400, "INVALID_REQUEST", refused).body("detail", containsString(scheme));
          });
    }
  }

  private static final String GROWING =
      "{\"expectedInsertions\": 100, \"falsePositiveProbability\": 0.001, \"whenFull\": \"grow\"}";

  @Test
  void aGrowingFilterShowsItsLayers() {
    var name = Api.newName();
    Api.put(name, GROWING)
        .statusCode(201)
        .body("whenFull", equalTo("grow"))
        .body("growthFactor", equalTo(2))
        .body("maxSizeBytes", equalTo(1 << 30))
        .body("layers.size()", equalTo(1))
        .body("layers[0].falsePositiveProbability", equalTo(0.0005f));
    Api.put(name, GROWING).statusCode(200);
    Api.put(name, GROWING.replace("}", ", \"growthFactor\": 3}"))
        .statusCode(409)
        .body("differences[0].field", equalTo("growthFactor"));
    add(name, 1000);
    Api.describe(name)
        .body("layers.size()", equalTo(4))
        .body("layers[1].expectedInsertions", equalTo(200))
        .body("layers[1].insertions", equalTo(200))
        .body("layers[1].openedAt", notNullValue())
        .body("layers.sizeBytes.sum()", equalTo(sizeBytes(name)))
        .body("insertions", greaterThan(990))
        .body("expectedInsertions", equalTo(100))
        .body("estimatedFalsePositiveProbability", lessThan(0.001f));
  }

  @Test
  void aRebuildOfAGrowingFilterMakesOneLayer() {
    var name = Api.newFilter(GROWING);
    add(name, 500);
    Api.post(name, "rebuild", "{}").statusCode(201).body("expectedInsertions", equalTo(700));
    Api.post(name, "rebuild/commit", "{\"allowEmpty\": true}").statusCode(200);
    Api.describe(name)
        .body("layers.size()", equalTo(1))
        .body("whenFull", equalTo("grow"))
        .body("layers[0].expectedInsertions", equalTo(700));
  }

  /** A layer with more could be stored but not read, which would make the whole filter unusable. */
  @Test
  void noLayerHasMoreHashFunctionsThanTheLimit() {
    var name = Api.newFilter("{\"bitSize\": 100000, \"numHashFunctions\": 254}");
    Api.post(name, "rebuild", "{\"whenFull\": \"grow\", \"expectedInsertions\": 5}")
        .statusCode(201)
        .body("numHashFunctions", equalTo(255));
    Api.post(name, "rebuild/commit", "{\"allowEmpty\": true}").statusCode(200);
    Api.add(name, "a", "b", "c", "d", "e").statusCode(200);
    Api.add(name, "f").statusCode(409).body("code", equalTo("FILTER_FULL"));
    Api.test(name, "a", "e").body("mightContainCount", equalTo(2));
  }

  @Test
  void aFixedFilterIsRebuiltToGrow() {
    var name = Api.newName();
    Api.put(name, "{\"expectedInsertions\": 100}").body("layers", nullValue());
    add(name, 300);
    Api.post(name, "rebuild", "{\"whenFull\": \"grow\", \"growthFactor\": 4}").statusCode(201);
    add(name, 300);
    Api.post(name, "rebuild/commit", "{\"allowEmpty\": true}").statusCode(200);
    Api.describe(name)
        .body("growthFactor", equalTo(4))
        .body("layers.size()", equalTo(2))
        .body("insertions", greaterThan(295));
  }

  @Test
  void aGrowingFilterIsExportedAndImportedWithItsLayers() {
    var name = Api.newFilter(GROWING);
    add(name, 500);
    Api.load(Api.newName(), "", Api.exported(name, ""))
        .statusCode(201)
        .body("layers.size()", equalTo(3))
        .body("whenFull", equalTo("grow"))
        .body("insertions", equalTo(insertions(name)));
    Api.export(name, "?format=redis-bitmap")
        .statusCode(400)
        .body("detail", containsString("in one of: bloomgate"));
  }

  private static int insertions(String name) {
    return Api.describe(name).extract().path("insertions");
  }

  private static int sizeBytes(String name) {
    return Api.describe(name).extract().path("sizeBytes");
  }

  private static final String DAY =
      "{\"expectedInsertions\": 8000, \"falsePositiveProbability\": 1e-9, \"window\": {\"seconds\":"
          + " 86400}}";
  private static final String THOUSAND = "{\"window\": {\"insertions\": 1000}, \"slices\": 4}";

  @Test
  void aWindowFilterShowsItsWindow() {
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
  void elementsBeyondTheCapacityOfAWindowCauseAWarning() {
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
    var name = Api.newFilter("{\"expectedInsertions\": 8000, \"whenFull\": \"reject\"}");
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
  void operationsThatAWindowDoesNotSupportAreRefused() {
    var name = Api.newFilter(DAY);
    var fixed = Api.newFilter("{\"expectedInsertions\": 8000}");
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
