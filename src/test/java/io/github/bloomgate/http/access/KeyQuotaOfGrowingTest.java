package io.github.bloomgate.http.access;

import static io.github.bloomgate.http.access.TestKeys.ADMIN;
import static io.github.bloomgate.http.access.TestKeys.json;
import static io.github.bloomgate.http.access.TestKeys.with;
import static org.hamcrest.Matchers.allOf;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;

import io.github.bloomgate.http.Api;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Quotas for growing filters, over HTTP. The size of other filters never changes. */
@QuarkusTest
@TestProfile(TestKeys.class)
@Tag("slow")
class KeyQuotaOfGrowingTest extends KeyQuotas {

  /** The byte quota of these tests. */
  private static final int BYTES = 3 * FILTER_BYTES;

  private static final String GROWING =
      "{\"expectedInsertions\": 200, \"falsePositiveProbability\": 0.01, \"whenFull\": \"grow\"}";

  /** Three layers take 2296 bytes, and the fourth would exceed the quota. */
  @Test
  void aLayerCountsForTheKeyThatCreatedTheFilter() {
    var name = SMALL_PREFIX + Api.newName();
    TestKeys.put(SMALL, name, GROWING).statusCode(201);
    TestKeys.post(SMALL, name, "add", elements(100)).statusCode(200);
    for (var key : List.of(ADMIN, SMALL)) {
      refused(json(key, elements(5_000)).post(Api.FILTERS + name + "/add"))
          .body(
              "detail",
              allOf(
                  containsString("that the key 'small' has created"),
                  containsString("that still fit were added")));
    }
    with(SMALL).get(Api.FILTERS + name).then().body("layers.size()", equalTo(3));
    TestKeys.post(SMALL, name, "test", elements(100)).body("mightContainCount", equalTo(100));

    var free = FREE_PREFIX + Api.newName();
    TestKeys.put(ADMIN, free, GROWING).statusCode(201);
    TestKeys.post(ADMIN, free, "add", elements(5_000)).statusCode(200);
  }

  @Test
  void eachOfSeveralFiltersGrowsWithinItsOwnQuota() {
    var limited = madeAs(GROWING);
    var free = FREE_PREFIX + Api.newName();
    TestKeys.put(ADMIN, free, GROWING).statusCode(201);
    var filters = "{\"filters\": [\"%s\", \"%s\"], ".formatted(limited, free);
    refused(json(ADMIN, filters + elements(5_000).substring(1)).post("/v1/add"))
        .body("detail", containsString(limited))
        .body("addedTo", equalTo(List.of(free)));
    TestKeys.post(ADMIN, free, "test", elements(5_000)).body("mightContainCount", equalTo(5_000));
  }

  @Test
  void aFilterThatHasGrownCountsWithAllItsLayers() {
    var name = madeAs(GROWING);
    TestKeys.post(TIGHT, name, "add", elements(1_200)).statusCode(200);
    with(TIGHT).get(Api.FILTERS + name).then().body("layers.size()", equalTo(3));
    assertLeft(BYTES - bytes(name));

    var file = export(TIGHT, name);
    refused(copy(TIGHT, name, TIGHT_PREFIX + Api.newName(), false));
    refused(load(TIGHT, TIGHT_PREFIX + Api.newName(), file));
    load(TIGHT, name, file).then().statusCode(200);
    with(TIGHT).get(Api.FILTERS + name).then().body("layers.size()", equalTo(3));
    var renamed = TIGHT_PREFIX + Api.newName();
    rename(TIGHT, name, renamed).then().statusCode(200);
    assertLeft(BYTES - bytes(renamed));
    rebuildTo(renamed, "{\"expectedInsertions\": 200}");
    with(TIGHT).get(Api.FILTERS + renamed).then().body("layers.size()", equalTo(1));
    assertLeft(BYTES - bytes(renamed));
    delete(renamed);
    assertLeft(BYTES);
  }

  /** The next generation grows, while the live content does not change. */
  @Test
  void aLayerOfTheNextGenerationIsPaidToo() {
    var name = madeAs(GROWING);
    TestKeys.post(TIGHT, name, "add", elements(100)).statusCode(200);
    TestKeys.post(TIGHT, name, "rebuild", "{}").statusCode(201);
    refused(json(TIGHT, elements(5_000)).post(Api.FILTERS + name + "/rebuild/add"));
    with(TIGHT).delete(Api.FILTERS + name + "/rebuild").then().statusCode(204);
    TestKeys.post(TIGHT, name, "test", elements(100)).body("mightContainCount", equalTo(100));
    assertLeft(BYTES - bytes(name));
  }

  private static String madeAs(String body) {
    var name = TIGHT_PREFIX + Api.newName();
    TestKeys.put(TIGHT, name, body).statusCode(201);
    return name;
  }

  private static void rebuildTo(String name, String body) {
    TestKeys.post(TIGHT, name, "rebuild", body).statusCode(201);
    TestKeys.post(TIGHT, name, "rebuild/commit", "{\"allowEmpty\": true}").statusCode(200);
  }

  private static int bytes(String name) {
    return with(TIGHT).get(Api.FILTERS + name).jsonPath().getInt("sizeBytes");
  }

  /** Asserts the remaining bytes of the quota. */
  private static void assertLeft(int bytes) {
    var name = TIGHT_PREFIX + Api.newName();
    refused(json(TIGHT, shapeOf(bytes + 8)).put(Api.FILTERS + name));
    TestKeys.put(TIGHT, name, shapeOf(bytes)).statusCode(201);
    delete(name);
  }

  private static String shapeOf(int bytes) {
    return "{\"bitSize\": %d, \"numHashFunctions\": 5}".formatted(8 * bytes);
  }
}
