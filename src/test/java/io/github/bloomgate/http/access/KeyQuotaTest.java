package io.github.bloomgate.http.access;

import static io.github.bloomgate.http.access.TestKeys.ADMIN;
import static io.github.bloomgate.http.access.TestKeys.json;
import static io.github.bloomgate.http.access.TestKeys.with;
import static org.hamcrest.Matchers.allOf;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.http.Api;
import io.github.bloomgate.model.Quota;
import io.github.bloomgate.support.InParallel;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import jakarta.inject.Inject;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Quotas of filters over HTTP, for each request that creates or enlarges one, and for growing
 * filters. The size of other filters never changes.
 */
@QuarkusTest
@TestProfile(TestKeys.class)
@Tag("slow")
class KeyQuotaTest extends KeyQuotas {

  private static final int BYTES = 3 * FILTER_BYTES;

  private static final String GROWING =
      "{\"expectedInsertions\": 200, \"falsePositiveProbability\": 0.01, \"whenFull\": \"grow\"}";

  @Inject Caller caller;

  @Test
  void aKeyCreatesFiltersUpToItsQuota() {
    var first = made(FEW, FEW_PREFIX);
    made(FEW, FEW_LATER);
    made(FEW, FEW_LATER);
    made(ADMIN, FEW_LATER);
    var before = namesOfFew();

    var name = FEW_PREFIX + Api.newName();
    refused(create(FEW, name, 1))
        .body(
            "detail",
            allOf(
                containsString("The key 'few' has created 3 filters"),
                containsString("its maxFilters quota is 3")));

    with(FEW).get(Api.FILTERS + name).then().statusCode(404);
    assertEquals(before, namesOfFew());
    create(FEW, first, 1).then().statusCode(200);
    create(FEW, first, 2).then().statusCode(409).body("code", equalTo("FILTER_EXISTS"));
    made(OTHER, OTHER_PREFIX);
    var others = made(ADMIN, FEW_PREFIX);
    delete(others);
    refused(create(FEW, name, 1));
    delete(first);
    create(FEW, name, 1).then().statusCode(201);
  }

  /** They still count for the key's id, and for a new key with this id. */
  @Test
  void theFiltersOfARemovedKeyHaveNoQuota() {
    assertEquals(new Quota("removed", 0, 0), caller.of("removed"));
    assertEquals(new Quota("few", MAX_FILTERS, 0), caller.of("few"));
  }

  @Test
  void everyCallThatMakesAFilterCountsIt() {
    var own = made(FEW, FEW_PREFIX);
    var to = FEW_PREFIX + Api.newName();
    var file = export(FEW, own);
    copy(FEW, own, to, false).then().statusCode(201);
    load(FEW, FEW_PREFIX + Api.newName(), file).then().statusCode(201);
    var before = namesOfFew();

    refused(copy(FEW, own, FEW_LATER + Api.newName(), false));
    refused(copy(FEW, own, FEW_LATER + Api.newName(), true));
    refused(load(FEW, FEW_LATER + Api.newName(), file));
    refused(adopt(FEW, FEW_LATER + Api.newName()));

    assertEquals(before, namesOfFew());
    copy(FEW, own, to, true).then().statusCode(201);
    load(FEW, to, file).then().statusCode(200);
    rename(FEW, to, FEW_LATER + Api.newName()).then().statusCode(200);
    assertEquals(MAX_FILTERS, namesOfFew().size());
    delete(own);
    adopt(FEW, FEW_LATER + Api.newName()).then().statusCode(201);
  }

  @Test
  void aKeyUsesBytesUpToItsQuota() {
    var first = made(SMALL, SMALL_PREFIX);
    made(SMALL, SMALL_PREFIX);
    made(SMALL, SMALL_PREFIX);
    made(ADMIN, SMALL_PREFIX);
    var before = names(SMALL_PREFIX);

    var name = SMALL_PREFIX + Api.newName();
    refused(create(SMALL, name, 1))
        .body(
            "detail",
            allOf(
                containsString("'" + name + "' would take 1024 more bytes"),
                containsString("that the key 'small' has created take 3072 bytes"),
                containsString("its maxBytes quota is 3072")));

    with(SMALL).get(Api.FILTERS + name).then().statusCode(404);
    assertEquals(before, names(SMALL_PREFIX));
    create(SMALL, first, 1).then().statusCode(200);
    // The bitmap counts with 8 KiB, the size to which adds can enlarge it.
    refused(adopt(SMALL, SMALL_PREFIX + Api.newName()));
    made(OTHER, OTHER_PREFIX);
    delete(first);
    create(SMALL, name, 1).then().statusCode(201);
  }

  /**
   * After its filter is deleted or replaced by a rename, a new bitmap would stay without being
   * counted.
   */
  @Test
  void aKeyWithAByteQuotaAdoptsOnlyExistingBitmaps() {
    var name = WIDE_PREFIX + Api.newName();
    Api.refused(422, "LIMIT_EXCEEDED", adopt(WIDE, name).then())
        .body("detail", containsString("There is no Redis key '" + name + "-bits'"));
    with(ADMIN).get(Api.FILTERS + name).then().statusCode(404);
    // A key without a quota creates the bitmap, which then looks like a library's.
    adopt(ADMIN, name).then().statusCode(201);
    delete(name);
    adopt(WIDE, name).then().statusCode(201);
  }

  @Test
  void everyCallThatEnlargesAFilterCountsItsBytes() {
    var one = made(TIGHT, TIGHT_PREFIX);
    var two = made(TIGHT, TIGHT_PREFIX);
    var large = made(ADMIN, FREE_PREFIX, 3);
    var file = export(ADMIN, large);

    refused(rebuild(TIGHT, one, 3));
    refused(load(TIGHT, one, file));
    refused(load(TIGHT, TIGHT_PREFIX + Api.newName(), file));
    refused(replace(TIGHT, one, 3));
    assertBytes(one, 1);

    replace(TIGHT, one, 2).then().statusCode(200);
    refused(copy(TIGHT, one, two, true));
    refused(copy(TIGHT, one, TIGHT_PREFIX + Api.newName(), false));
    assertBytes(two, 1);
    replace(TIGHT, one, 2).then().statusCode(200);
    replace(TIGHT, one, 1).then().statusCode(200);
    copy(TIGHT, one, two, true).then().statusCode(201);
    var from = "{\"from\": [\"%s\"]}".formatted(two);
    TestKeys.post(TIGHT, one, "merge", from).statusCode(200);
    rebuild(TIGHT, two, 2).then().statusCode(201);
    with(TIGHT).delete(Api.FILTERS + two + "/rebuild").then().statusCode(204);
  }

  /** Shared calls must not mix up the responses. */
  @Test
  void parallelCreatesGetTheirOwnResponses() {
    InParallel.atOnce(
        48,
        number -> {
          var name = WIDE_PREFIX + Api.newName();
          var answer = json(WIDE, shape(1)).put(Api.FILTERS + name);
          assertEquals(201, answer.statusCode());
          assertTrue(answer.header("Location").endsWith(Api.FILTERS + name));
        });
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aNewQuotaAppliesWithTheNewFileOfKeys(boolean bytes) {
    var id = bytes ? "fresh-bytes" : "fresh-filters";
    var token = TestKeys.token(id);
    var attribute = bytes ? "maxBytes=" : "maxFilters=";
    var one = bytes ? FILTER_BYTES : 1;
    var prefix = FRESH_PREFIX + Api.newName() + "-";
    TestKeys.write(ApiKey.line(id, Role.ADMIN, token, List.of(prefix), attribute + one));
    var first = prefix + Api.newName();
    Awaitility.await().until(() -> create(token, first, 1).statusCode() == 201);
    refused(create(token, prefix + Api.newName(), 1));

    TestKeys.write(ApiKey.line(id, Role.ADMIN, token, List.of(prefix), attribute + 2 * one));

    Awaitility.await().until(() -> create(token, prefix + Api.newName(), 1).statusCode() == 201);
  }

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
    var limited = madeGrowing();
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
    var name = madeGrowing();
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
    TestKeys.post(TIGHT, renamed, "rebuild", "{\"expectedInsertions\": 200}").statusCode(201);
    TestKeys.post(TIGHT, renamed, "rebuild/commit", "{\"allowEmpty\": true}").statusCode(200);
    with(TIGHT).get(Api.FILTERS + renamed).then().body("layers.size()", equalTo(1));
    assertLeft(BYTES - bytes(renamed));
    delete(renamed);
    assertLeft(BYTES);
  }

  /** The next generation grows, while the live content does not change. */
  @Test
  void aLayerOfTheNextGenerationIsPaidToo() {
    var name = madeGrowing();
    TestKeys.post(TIGHT, name, "add", elements(100)).statusCode(200);
    TestKeys.post(TIGHT, name, "rebuild", "{}").statusCode(201);
    refused(json(TIGHT, elements(5_000)).post(Api.FILTERS + name + "/rebuild/add"));
    with(TIGHT).delete(Api.FILTERS + name + "/rebuild").then().statusCode(204);
    TestKeys.post(TIGHT, name, "test", elements(100)).body("mightContainCount", equalTo(100));
    assertLeft(BYTES - bytes(name));
  }

  private static String madeGrowing() {
    var name = TIGHT_PREFIX + Api.newName();
    TestKeys.put(TIGHT, name, GROWING).statusCode(201);
    return name;
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
}
