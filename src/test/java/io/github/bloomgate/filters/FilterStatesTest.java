package io.github.bloomgate.filters;

import static io.github.bloomgate.support.Failures.assertFails;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.config.secret.HashSecrets;
import io.github.bloomgate.hash.HashScheme;
import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.hash.KeyOrigin;
import io.github.bloomgate.model.AdoptedKey;
import io.github.bloomgate.model.Counting;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.FilterPlan;
import io.github.bloomgate.model.Growth;
import io.github.bloomgate.model.Plain;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.Window;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.store.TestStores;
import java.time.Instant;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class FilterStatesTest {

  private static final FilterName NAME = new FilterName("users");

  private final FilterStates states = new FilterStates(HashSecrets.of());
  private final FilterPlan plan =
      FilterPlan.of(new Plain(WhenFull.REJECT).parameters(HashSchemes.nativeScheme(), 1_000, 0.01));
  private final String json = states.definition(plan, Optional.empty());

  @Test
  void writtenStatesAreRead() {
    assertRead(plan, Optional.empty(), "");
  }

  private void assertRead(FilterPlan written, Optional<AdoptedKey> key, String message) {
    var filter = read(states.definition(written, key));
    assertEquals(written, filter.plan(), message);
    assertEquals(key, filter.adoptedKey(), message);
  }

  private Generation read(String definition) {
    return states.read(NAME, TestStores.state(NAME, definition));
  }

  /** Every filter that can be created passes the checks when it is read. */
  @ParameterizedTest
  @MethodSource("schemes")
  void everyFilterThatCanBeCreatedIsRead(HashScheme scheme) {
    var seed = System.nanoTime();
    var random = new Random(seed);
    var read = 0;
    for (var i = 0; i < 2_000; i++) {
      var n = Math.round(Math.pow(10, random.nextDouble(11)));
      var p = Math.pow(10, -random.nextDouble(15));
      try {
        assertRead(parameters(random, scheme, n, p), seed);
        read++;
      } catch (BloomException refused) {
        assertNotEquals(ErrorCode.FILTER_DAMAGED, refused.code(), "seed " + seed);
      }
    }
    assertTrue(read > 0, "seed " + seed);
  }

  private static Stream<HashScheme> schemes() {
    var keyed = HashSchemes.keyed(new KeyOrigin("0b".repeat(8), "0a".repeat(16)), Optional.empty());
    return HashSchemes.ids().stream()
        .flatMap(
            id ->
                Stream.concat(
                    HashSchemes.elementCodecs(id).stream()
                        .map(codec -> HashSchemes.named(id, Optional.of(codec))),
                    Stream.of(HashSchemes.named(id, Optional.empty()))))
        .flatMap(Optional::stream)
        .map(scheme -> scheme.isKeyed() ? keyed : scheme);
  }

  private static FilterParameters parameters(Random random, HashScheme scheme, long n, double p) {
    return switch (random.nextInt(scheme.isNative() ? 6 : 2)) {
      case 0 -> new Plain(WhenFull.REJECT).parameters(scheme, n, p);
      case 1 -> {
        var k = scheme.defaultNumHashFunctions().orElse(random.nextInt(1, 256));
        yield FilterParameters.forShape(scheme, n, k, WhenFull.ACCEPT);
      }
      case 2 -> new Counting(WhenFull.ACCEPT).parameters(scheme, n, p);
      case 3 -> new Counting(WhenFull.ACCEPT).parameters(scheme, n, p).withBits();
      case 4 -> new Growth(random.nextInt(1, 11), Growth.MAX_SIZE_BYTES).parameters(scheme, n, p);
      default ->
          random.nextBoolean()
              ? Window.ofSeconds(60, random.nextInt(2, 65), true).parameters(scheme, n, p)
              : Window.ofInsertions(n, random.nextInt(2, 65), false).parameters(scheme, n, p);
    };
  }

  private void assertRead(FilterParameters parameters, long seed) {
    var plan =
        parameters.kind() instanceof Growth growth
            ? growth.planFor(parameters, 3 * parameters.expectedInsertions())
            : FilterPlan.of(parameters);
    assertRead(
        plan.openedAt(Optional.of(Instant.now())),
        Optional.of(AdoptedKey.of(parameters.hashScheme(), "a")),
        "seed " + seed);
  }

  @Test
  void anotherFormatIsRefusedWhateverItsFields() {
    assertTrue(json.startsWith("{\"format\":5,"), json);
    assertRefused("{\"format\":3}", "is stored in format 3,");
    assertRefused(json.replace("{\"format\":5,", "{\"format\":6,\"more\":[],"), "in format 6,");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{", "7", "null", "[]", "{}", "{\"format\":5}"})
  void malformedJsonIsDamage(String other) {
    assertRefused(other, "The Redis key bloom:{users} of the filter 'users'");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"expectedInsertions\":0",
        "\"firstSegment\":1",
        "\"segments\":2147483647",
        "\"segmentBits\":9223372036854775807",
        "\"segmentBits\":34359738368",
        "\"numHashFunctions\":256"
      })
  void anImpossiblePlanIsDamage(String field) {
    var name = field.substring(0, field.indexOf(':'));
    var other = json.replaceFirst(name + ":\\d+", field);
    assertNotEquals(json, other);
    assertRefused(other, "The Redis key bloom:{users} of the filter 'users'");
  }

  private void assertRefused(String other, String problem) {
    var failure = assertFails(ErrorCode.FILTER_DAMAGED, () -> read(other));
    assertTrue(failure.getMessage().contains(problem), failure.getMessage());
  }
}
