package io.github.bloomgate.http;

import static io.github.bloomgate.http.SizingRequests.assertSameShape;
import static io.github.bloomgate.http.SizingRequests.refused;
import static io.github.bloomgate.http.SizingRequests.solve;
import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.containsString;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.junit.QuarkusTest;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The calculator for growing filters. */
@QuarkusTest
class GrowingSizingTest {

  private static final String GROWING =
      "expectedInsertions=1000&falsePositiveProbability=0.01&whenFull=grow";

  @Test
  void aFilterThatGrowsIsComparedWithAFixedOne() {
    var grown = solve(GROWING + "&growsTo=5000");
    assertEquals(1000, grown.getLong("expectedInsertions"));
    assertEquals(3, grown.getInt("growth.layers"));
    assertEquals(2, grown.getInt("growth.growthFactor"));
    assertEquals(5000, grown.getLong("growth.growsTo"));
    var fixed = solve("expectedInsertions=5000&falsePositiveProbability=0.01");
    assertEquals(fixed.getLong("sizeBytes"), grown.getLong("growth.fixedSizeBytes"));
    assertEquals(
        grown.getDouble("sizeBytes") / fixed.getDouble("sizeBytes"),
        grown.getDouble("growth.timesFixedSize"),
        1e-6);
    assertTrue(grown.getDouble("falsePositiveProbability") <= 0.01);

    assertEquals(1, solve(GROWING + "&growsTo=1000").getInt("growth.layers"));
    assertEquals(2, solve(GROWING + "&growsTo=1001").getInt("growth.layers"));
    assertEquals(5, solve(GROWING + "&growsTo=5000&growthFactor=1").getInt("growth.layers"));
    assertNull(fixed.get("growth"));
  }

  /** The computed values match the filter. */
  @Test
  void aFilterGrowsAsComputed() {
    var sized = solve(GROWING + "&growsTo=5000");
    var name =
        Api.newFilter(
            "{\"expectedInsertions\": 1000, \"falsePositiveProbability\": 0.01, \"whenFull\": \"grow\"}");
    var lines = IntStream.range(0, 5000).mapToObj(i -> "e" + i).collect(Collectors.joining("\n"));
    Api.lines("text/plain", lines).post(Api.FILTERS + name + "/add").then().statusCode(200);
    var described = Api.fields(name);
    assertEquals(sized.getInt("growth.layers"), described.getList("layers").size());
    assertSameShape(sized, described);
    Api.delete(name).statusCode(204);
  }

  @ParameterizedTest
  @CsvSource({
    "'', growsTo is missing",
    "&growsTo=2000&bitSize=9600, bitSize cannot be used with whenFull=grow",
    "&growsTo=2000&numHashFunctions=3, numHashFunctions",
    "&growsTo=2000&hashScheme=redisson, redisson"
  })
  void incompatibleParametersAreRefused(String query, String reported) {
    refused(GROWING + query).body(containsString(reported));
  }

  @Test
  void theDefaultRateIsThatOfACreation() {
    var sized = solve("expectedInsertions=1000&whenFull=grow&growsTo=1000");
    var name = Api.newFilter("{\"expectedInsertions\": 1000, \"whenFull\": \"grow\"}");
    assertSameShape(sized, Api.fields(name));
    refused("falsePositiveProbability=0.01&whenFull=grow&growsTo=1000")
        .body(containsString("expectedInsertions is missing"));
  }

  @Test
  void ratesAboveTheSchemesLimitAreRefused() {
    refused("expectedInsertions=1000&falsePositiveProbability=0.8&whenFull=grow&growsTo=2000")
        .body(containsString("falsePositiveProbability is 0.8"))
        .body(containsString("at most 0.5"));
    var name = Api.newName();
    Api.put(
            name,
            "{\"expectedInsertions\": 9, \"falsePositiveProbability\": 0.51, \"whenFull\": \"grow\"}")
        .statusCode(400)
        .body(containsString("at most 0.5"));
    Api.describe(name).statusCode(404);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"growsTo=2000", "growthFactor=3", "whenFull=GROW", "whenFull=reject&growsTo=5"})
  void parametersOfGrowthAloneAreRefused(String query) {
    refused("expectedInsertions=1000&falsePositiveProbability=0.01&" + query);
  }

  @Test
  void aFilterThatCannotGrowSoFarIsBeyondTheLimit() {
    Api.refused(
            422,
            "LIMIT_EXCEEDED",
            given().get("/v1/sizing?" + GROWING + "&growsTo=100000&growthFactor=1").then())
        .body("detail", containsString("full with 32000 elements, in 32 layers"));
  }
}
