package io.github.bloomgate.http;

import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.lessThan;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;

import io.quarkus.test.junit.QuarkusTest;
import org.junit.jupiter.api.Test;

/** Growing filters over HTTP. */
@QuarkusTest
class GrowingFilterTest {

  private static final String GROWING =
      "{\"expectedInsertions\": 100, \"falsePositiveProbability\": 0.001, \"whenFull\": \"grow\"}";

  @Test
  void itShowsItsLayers() {
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
  void aRebuildMakesOneLayer() {
    var name = Api.newName();
    Api.put(name, GROWING);
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
  void itIsExportedAndImportedWithItsLayers() {
    var name = Api.newName();
    Api.put(name, GROWING);
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

  private static void add(String name, int count) {
    Api.post(name, "add", Api.elements(0, count)).statusCode(200);
  }
}
