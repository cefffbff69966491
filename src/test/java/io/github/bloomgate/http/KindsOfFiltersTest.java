package io.github.bloomgate.http;

import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.github.bloomgate.hash.HashSchemes;
import io.quarkus.test.junit.QuarkusTest;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Filters may grow, have a window or count, but only one of these and only with a native scheme.
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
          (field, kind) ->
              Api.put(
                      Api.newName(),
                      "{\"expectedInsertions\": 1000, \"hashScheme\": \"%s\", %s}"
                          .formatted(scheme, kind))
                  .statusCode(400)
                  .body("code", equalTo("INVALID_REQUEST"))
                  .body("detail", containsString(scheme)));
    }
  }
}
