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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The calculator for filters with a window. */
@QuarkusTest
class WindowSizingTest {

  /** The response describes the filter that would be created. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // n, query, the same of a new filter, slices, rings
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

  @ParameterizedTest
  @CsvSource({
    "windowSeconds=60, expectedInsertions",
    "expectedInsertions=60&slices=4, windowSeconds",
    "expectedInsertions=60&windowSeconds=60&windowInsertions=60, either windowSeconds",
    "expectedInsertions=70&windowInsertions=60, Leave expectedInsertions out",
    "windowInsertions=7, insertions of at least 8",
    "windowInsertions=100&whenFull=grow, whenFull",
    "windowInsertions=100&whenFull=reject, whenFull",
    "windowInsertions=100&growsTo=200, growsTo",
    "windowInsertions=100&growthFactor=2, growthFactor",
    "windowInsertions=100&numHashFunctions=3, numHashFunctions",
    "windowInsertions=100&bitSize=1000, bitSize",
    "windowInsertions=100&hashScheme=redisson, redisson",
    "windowInsertions=100&falsePositiveProbability=0.9, at most 0.5"
  })
  void incompatibleParametersAreRefused(String query, String reported) {
    refused(query).body(containsString(reported));
  }

  @Test
  void aWindowThatWouldBeTooLargeIsBeyondTheLimit() {
    Api.refused(
        422, "LIMIT_EXCEEDED", given().get("/v1/sizing?windowInsertions=10000000000").then());
  }
}
