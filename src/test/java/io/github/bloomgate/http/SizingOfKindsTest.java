package io.github.bloomgate.http;

import static io.github.bloomgate.http.SizingResourceTest.assertSameShape;
import static io.github.bloomgate.http.SizingResourceTest.refused;
import static io.github.bloomgate.http.SizingResourceTest.solve;
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

/** The calculator for growing, window and counting filters. */
@QuarkusTest
class SizingOfKindsTest {

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

  @Test
  void theDefaultRateIsTheSameAsForANewFilter() {
    var sized = solve("expectedInsertions=1000&whenFull=grow&growsTo=1000");
    var name = Api.newFilter("{\"expectedInsertions\": 1000, \"whenFull\": \"grow\"}");
    assertSameShape(sized, Api.fields(name));
  }

  /** The response describes the filter that would be created. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // n, query, the same for a new filter, slices, rings
        "8000|&windowSeconds=86400|\"seconds\": 86400}|8|24",
        "8000|&windowSeconds=60&slices=64|\"seconds\": 60}, \"slices\": 64|64|128",
        "3000000|&windowSeconds=7&hashScheme=bloomgate-1-keyed|\"seconds\": 7}, \"hashScheme\": \"bloomgate-1-keyed\"|8|24",
        "1000|&windowInsertions=1000&slices=2|\"insertions\": 1000}, \"slices\": 2|2|3",
        "3000000|&windowInsertions=3000000|\"insertions\": 3000000}|8|9"
      })
  void aWindowIsSizedAsCreated(long n, String query, String window, int slices, int rings) {
    var size = "\"expectedInsertions\": %d, \"falsePositiveProbability\": 0.001".formatted(n);
    var sized = solve("expectedInsertions=%d&falsePositiveProbability=0.001%s".formatted(n, query));
    var name = Api.newFilter("{%s, \"window\": {%s}".formatted(size, window));
    var described = Api.fields(name);
    assertSameShape(sized, described);
    assertEquals(described.getMap("window"), sized.getMap("window.remembered"));
    assertEquals(slices, sized.getInt("window.slices"));
    assertEquals(rings, sized.getInt("window.rings"));
    assertTrue(sized.getDouble("falsePositiveProbability") <= 0.001 * 1.1);
    Api.delete(name).statusCode(204);

    var fixed = solve("expectedInsertions=%d&falsePositiveProbability=0.001".formatted(n));
    assertEquals(fixed.getLong("sizeBytes"), sized.getLong("window.fixedSizeBytes"));
    assertEquals(
        sized.getDouble("sizeBytes") / fixed.getDouble("sizeBytes"),
        sized.getDouble("window.timesFixedSize"),
        1e-6);
    assertNull(fixed.get("window"));
  }

  @Test
  void aWindowByInsertionsKeepsTheDefaultRate() {
    var sized = solve("windowInsertions=1000");
    assertEquals(1000, sized.getLong("expectedInsertions"));
    assertEquals(0.01, sized.getDouble("falsePositiveProbability"), 0.001);
  }

  @Test
  void aFilterThatCountsIsComparedWithAPlainOne() {
    var sized = solve("expectedInsertions=1000000&counting=true");
    assertEquals(9_585_216, sized.getInt("counting.counters"));
    assertEquals(4 * 9_585_216, sized.getInt("bitSize"));
    assertEquals(3, sized.getInt("segments"));
    assertEquals(1_198_136, sized.getInt("counting.fixedSizeBytes"));
    assertEquals(0.010038442, sized.getDouble("falsePositiveProbability"), 1e-8);
  }

  @ParameterizedTest
  @CsvSource({
    "n=1000&p=0.01&whenFull=grow, growsTo is missing",
    "n=1000&whenFull=grow&growsTo=2000&bitSize=9600, bitSize cannot be used with whenFull=grow",
    "n=1000&whenFull=grow&growsTo=2000&numHashFunctions=3, numHashFunctions",
    "n=1000&whenFull=grow&growsTo=2000&hashScheme=redisson, redisson",
    "n=1000&p=0.8&whenFull=grow&growsTo=2000, falsePositiveProbability is 0.8",
    "n=1000&p=0.8&whenFull=grow&growsTo=2000, at most 0.5",
    "p=0.01&whenFull=grow&growsTo=1000, expectedInsertions is missing",
    "n=1000&p=0.01&growsTo=2000, growsTo",
    "n=1000&p=0.01&growthFactor=3, growthFactor",
    "n=1000&p=0.01&whenFull=reject&growsTo=5, growsTo",
    "n=60&slices=4, windowSeconds",
    "n=60&windowSeconds=60&windowInsertions=60, either windowSeconds",
    "windowInsertions=7, insertions of at least 8",
    "windowInsertions=100&growsTo=200, growsTo",
    "windowInsertions=100&p=0.9, at most 0.5",
    "n=1000000&counting=true&whenFull=grow&growsTo=10000000, counting",
    "n=1000000&counting=true&bitSize=9, counting"
  })
  void incompatibleParametersAreRefused(String query, String reported) {
    refused(
            query
                .replaceAll("\\bn=", "expectedInsertions=")
                .replaceAll("\\bp=", "falsePositiveProbability="))
        .body("detail", containsString(reported));
  }

  @Test
  void aTooLargeFilterIsRefused() {
    var windowed = given().get("/v1/sizing?windowInsertions=10000000000").then();
    Api.refused(422, "LIMIT_EXCEEDED", windowed);
    var grown = given().get("/v1/sizing?" + GROWING + "&growsTo=100000&growthFactor=1").then();
    Api.refused(422, "LIMIT_EXCEEDED", grown)
        .body("detail", containsString("full with 32000 elements, in 32 layers"));
  }
}
