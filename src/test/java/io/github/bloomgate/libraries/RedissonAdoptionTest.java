package io.github.bloomgate.libraries;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.http.Api;
import io.github.bloomgate.support.InParallel;
import io.quarkus.test.junit.QuarkusTest;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Filters that Redisson or Bloomgate created and both use. */
@QuarkusTest
@Tag("slow")
class RedissonAdoptionTest extends RedissonFilters {

  @ParameterizedTest
  @ValueSource(strings = {"string", "kryo5"})
  void redissonFiltersAreAdoptedWithoutAShape(String codec) {
    var theirs = madeByRedisson(codec);
    var elements = elements();
    theirs.add(elements);
    var config = ours.config();

    var description = ours.created(parameters(codec));
    assertEquals(theirs.getSize(), description.path("bitSize").asLong());
    assertEquals(theirs.getHashIterations(), description.path("numHashFunctions").asInt());
    assertEquals(theirs.getExpectedInsertions(), description.path("expectedInsertions").asLong());
    assertEquals(
        theirs.getFalseProbability(), description.path("falsePositiveProbability").asDouble());
    assertEquals(codec, description.path("elementCodec").asText());
    assertEquals(ours.key(), description.path("redisKey").asText());
    assertTrue(description.path("adopted").asBoolean());
    assertEquals(config, ours.config());

    assertEquals(all(elements, true), ours.test(Elements.ofTexts(elements)), this::seed);
    var more = elements();
    ours.add(Elements.ofTexts(more));
    assertEquals(more.size(), theirs.contains(more), this::seed);
    assertEquals(
        theirs.count(), ours.describe().path("approximateElementCount").asLong(), this::seed);
  }

  @Test
  void theDefaultCodecIsString() {
    var theirs = madeByRedisson(STRING);
    theirs.add("ä😀");
    var description = ours.created(Map.of("hashScheme", "redisson"));
    assertEquals(STRING, description.path("elementCodec").asText());
    assertEquals(List.of(true, false), ours.test("ä😀", "other"));
  }

  /** Before the first add, there are no bits: Redisson creates only the config hash. */
  @Test
  void emptyRedissonFiltersAreAdoptedToo() {
    var theirs = madeByRedisson(STRING);
    assertFalse(ours.keyExists());
    ours.created(parameters(STRING));
    assertEquals(List.of(false), ours.test("a"));
    assertTrue(theirs.add("a"));
    assertEquals(List.of(true), ours.test("a"));
  }

  /** Without a config hash the shape is unknown. */
  @Test
  void aMissingFilterIsNotAdoptedWithoutAShape() {
    int status = ours.put(parameters(STRING)).extract().statusCode();
    assertTrue(status >= 400 && status < 500, String.valueOf(status));
    Api.describe(ours.name()).statusCode(404);
    assertFalse(ours.keyExists() || ours.configExists());
  }

  @Test
  void anInvalidConfigIsRefused() {
    for (var size : List.of("", "x", "-1", "0", "4294967295", "99999999999999999999", "1.5")) {
      redis.run("HSET", ours.configKey(), "size", size, "hashIterations", "5");
      int status = ours.put(parameters(STRING)).extract().statusCode();
      assertTrue(status >= 400 && status < 500, status + " for " + size);
      Api.describe(ours.name()).statusCode(404);
      assertFalse(ours.keyExists());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"string", "kryo5"})
  void redissonOpensBloomgateFiltersWithoutInit(String codec) {
    ours.created(sized(codec));
    var theirs = redisson.filter(ours.key(), codec);
    var alone = redisson.filter(AdoptedFilter.of(redis).key(), codec);
    assertTrue(alone.tryInit(N, P));
    assertSameParameters(alone, theirs);

    var elements = elements();
    var added = ours.add(Elements.ofTexts(elements));
    assertEquals(alone.add(elements), Collections.frequency(added, true), this::seed);
    assertEquals(elements.size(), theirs.contains(elements), this::seed);
    assertEquals(0, theirs.add(elements), this::seed);

    var theirMore = elements();
    assertEquals(alone.add(theirMore), theirs.add(theirMore), this::seed);
    assertEquals(all(theirMore, true), ours.test(Elements.ofTexts(theirMore)), this::seed);
    assertArrayEquals(redis.run("GET", alone.getName()).toBytes(), ours.bits(), this::seed);
    assertEquals(alone.count(), theirs.count(), this::seed);

    var absent = elements();
    assertEquals(
        absent.stream().map(alone::contains).toList(),
        ours.test(Elements.ofTexts(absent)),
        this::seed);
    alone.delete();
  }

  @Test
  void tryInitKeepsBloomgateFilters() {
    ours.created(sized(STRING));
    ours.add("a");
    var config = ours.config();
    var theirs = redisson.filter(ours.key(), STRING);
    assertFalse(theirs.tryInit(N, P));
    assertTrue(theirs.contains("a"));
    assertTrue(theirs.add("b"));
    // This only affects a client object that Redisson no longer uses.
    assertFalse(redisson.filter(ours.key(), STRING).tryInit(7 * N, 0.1));
    assertEquals(config, ours.config());
    assertEquals(List.of(true, true, false), ours.test("a", "b", "c"));
    assertTrue(theirs.contains("b"));
  }

  /** The hash has exactly the fields that Redisson writes, in the same format. */
  @ParameterizedTest
  @ValueSource(
      strings = {"1000 0.01", "1 0.3", "120 1e-4", "999999 1e-12", "5000000 0.05", "20 0.0009"})
  void theConfigHashIsWrittenAsRedissonWritesIt(String sizing) {
    long n = Long.parseLong(sizing.split(" ")[0]);
    double p = Double.parseDouble(sizing.split(" ")[1]);
    var parameters = parameters(STRING);
    parameters.put("expectedInsertions", n);
    parameters.put("falsePositiveProbability", p);
    ours.created(parameters);
    var alone = AdoptedFilter.of(redis);
    assertTrue(redisson.filter(alone.key(), STRING).tryInit(n, p));
    assertEquals(alone.config(), ours.config());
    redis.run("DEL", alone.configKey());
  }

  @Test
  void aShapeMayBeGivenInBits() {
    var parameters = parameters(STRING);
    parameters.put("bitSize", 729);
    parameters.put("numHashFunctions", 5);
    ours.created(parameters);
    assertEquals("729", ours.config().get("size"));
    assertEquals("5", ours.config().get("hashIterations"));
    var theirs = redisson.filter(ours.key(), STRING);
    assertEquals(729, theirs.getSize());
    // Redisson parses these fields too.
    assertTrue(theirs.getExpectedInsertions() > 0);
    assertTrue(theirs.getFalseProbability() > 0);
    assertTrue(theirs.add("hello"));
    assertEquals(List.of(true), ours.test("hello"));
  }

  /** Redisson does not add braces to a name that has some. */
  @Test
  void aKeyWithAHashTagHasItsConfigInTheSameSlot() {
    ours = AdoptedFilter.of(redis, "{tag-" + Api.newName() + "}:seen");
    ours.created(sized("kryo5"));
    assertEquals(ours.key() + ":config", ours.configKey());
    assertTrue(ours.configExists());
    var theirs = redisson.filter(ours.key(), "kryo5");
    assertTrue(theirs.add("a"));
    assertEquals(List.of(true), ours.test("a"));
    ours.delete(true);
    assertFalse(ours.keyExists() || ours.configExists());
  }

  @ParameterizedTest
  @ValueSource(strings = {"string", "kryo5"})
  void addsOfBothSidesMeet(String codec) {
    ours.created(sized(codec));
    var theirs = redisson.filter(ours.key(), codec);
    var parts = IntStream.range(0, 4).mapToObj(part -> Texts.next(random, 300)).toList();
    var tasks =
        Stream.of(
            InParallel.run(() -> inBatches(parts.get(0), theirs::add)),
            InParallel.run(() -> parts.get(1).forEach(theirs::add)),
            InParallel.run(() -> inBatches(parts.get(2), some -> ours.add(Elements.ofTexts(some)))),
            InParallel.run(() -> parts.get(3).forEach(ours::add)));
    CompletableFuture.allOf(tasks.toArray(CompletableFuture[]::new))
        .orTimeout(MAX_WAIT.toSeconds(), TimeUnit.SECONDS)
        .join();
    for (var part : parts) {
      assertEquals(part.size(), theirs.contains(part), this::seed);
      assertEquals(all(part, true), ours.test(Elements.ofTexts(part)), this::seed);
    }
    var alone = redisson.filter(AdoptedFilter.of(redis).key(), codec);
    alone.tryInit(N, P);
    parts.forEach(alone::add);
    assertArrayEquals(redis.run("GET", alone.getName()).toBytes(), ours.bits(), this::seed);
    alone.delete();
  }

  private static void inBatches(List<String> elements, Consumer<List<String>> add) {
    for (int from = 0; from < elements.size(); from += 37) {
      add.accept(elements.subList(from, Math.min(elements.size(), from + 37)));
    }
  }

  private static List<Boolean> all(List<?> elements, boolean answer) {
    return Collections.nCopies(elements.size(), answer);
  }
}
