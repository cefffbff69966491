package io.github.bloomgate.libraries;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.github.bloomgate.support.RawRedis;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.io.IOException;
import java.util.Collections;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Filters of a class that many projects copied, on the same Redis. */
@QuarkusTest
@Tag("slow")
class GuavaRedisHelperFiltersTest {

  private static final String TWICE = "guava-redis-helper";
  private static final String ONCE = "guava-redis-helper-once";
  private static final int N = 2000;
  private static final double P = 0.003;

  @Inject RawRedis redis;

  private final long seed = Long.getLong("bloomgate.seed", System.nanoTime());
  private final SplittableRandom random = new SplittableRandom(seed);

  @ParameterizedTest
  @ValueSource(strings = {TWICE, ONCE})
  void bothSidesAddAndTestTheSameBits(String scheme) throws IOException {
    var ours = AdoptedFilter.of(redis);
    var alone = AdoptedFilter.of(redis);
    try (var theirs = copiedClass(ours, scheme);
        var reference = copiedClass(alone, scheme)) {
      var before = Texts.next(random, 200);
      before.forEach(theirs::add);
      var description = ours.created(parameters(scheme));
      assertEquals(theirs.bits(), description.path("bitSize").asInt());
      assertEquals(theirs.numHashFunctions(), description.path("numHashFunctions").asInt());
      assertEquals(Collections.nCopies(200, true), ours.test(Elements.ofTexts(before)), this::seed);

      var after = Texts.next(random, 200);
      ours.add(Elements.ofTexts(after));
      assertFalse(theirs.mightContain(after).contains(false), this::seed);
      before.forEach(reference::add);
      after.forEach(reference::add);
      assertArrayEquals(alone.bits(), ours.bits(), this::seed);

      var absent = Texts.next(random, 500);
      assertEquals(theirs.mightContain(absent), ours.test(Elements.ofTexts(absent)), this::seed);
    }
    redis.run("DEL", alone.key());
    ours.delete(true);
  }

  private CopiedClass copiedClass(AdoptedFilter filter, String scheme) throws IOException {
    return new CopiedClass(redis, filter.key(), scheme.equals(TWICE), N, P);
  }

  private static Map<String, Object> parameters(String scheme) {
    return Map.of("hashScheme", scheme, "expectedInsertions", N, "falsePositiveProbability", P);
  }

  private String seed() {
    return "seed " + seed;
  }
}
