package io.github.bloomgate.libraries;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.in;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.http.Api;
import io.github.bloomgate.support.InParallel;
import io.github.bloomgate.support.PlainHttp;
import io.github.bloomgate.support.RawRedis;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.redisson.api.RBloomFilter;

/**
 * Filters that Redisson or Bloomgate created and both use, clear, rebuild and delete, and Redisson
 * on the same Redis.
 */
@QuarkusTest
@Tag("slow")
class RedissonFiltersTest {

  @Inject RawRedis redis;

  private static final String STRING = "string";
  private static final int N = 1000;
  private static final double P = 1e-9;

  private static final Duration MAX_WAIT = Duration.ofMinutes(2);
  private static final int[] HIGHEST = {0x7f, 0x7ff, 0xffff, Character.MAX_CODE_POINT};

  private final long seed = Long.getLong("test.seed", System.nanoTime());
  private final SplittableRandom random = new SplittableRandom(seed);
  private RedissonOnRedis redisson;
  private AdoptedFilter ours;

  @BeforeEach
  void connect() {
    redisson = new RedissonOnRedis(redis);
    ours = AdoptedFilter.of(redis);
  }

  @AfterEach
  void disconnect() {
    redisson.close();
    redis.run("DEL", ours.key(), ours.configKey());
  }

  private RBloomFilter<String> madeByRedisson(String codec) {
    var theirs = redisson.filter(ours.key(), codec);
    assertTrue(theirs.tryInit(N, P));
    return theirs;
  }

  private static Map<String, Object> parameters(String codec) {
    var parameters = new HashMap<String, Object>();
    parameters.put("hashScheme", "redisson");
    parameters.put("elementCodec", codec);
    return parameters;
  }

  private static Map<String, Object> sized(String codec) {
    var parameters = parameters(codec);
    parameters.put("expectedInsertions", N);
    parameters.put("falsePositiveProbability", P);
    return parameters;
  }

  private static void assertSameParameters(RBloomFilter<?> expected, RBloomFilter<?> actual) {
    assertEquals(expected.getSize(), actual.getSize());
    assertEquals(expected.getHashIterations(), actual.getHashIterations());
    assertEquals(expected.getExpectedInsertions(), actual.getExpectedInsertions());
    assertEquals(expected.getFalseProbability(), actual.getFalseProbability());
  }

  /** Texts that the codecs treat differently, and random ones. */
  private List<String> elements() {
    var salt = Long.toString(random.nextLong(1L << 20), 36);
    return Stream.concat(
            Stream.of(
                "",
                "a",
                "\u0000",
                salt,
                "x".repeat(32 - salt.length()) + salt,
                "x".repeat(33 - salt.length()) + salt,
                "é" + salt,
                "你好" + salt,
                "😀" + salt,
                "😀".repeat(70) + salt,
                "long ".repeat(12_000) + salt),
            texts(100).stream())
        .distinct()
        .toList();
  }

  /** Random texts with characters of up to one, two, three or four bytes in UTF-8. */
  private List<String> texts(int count) {
    return Stream.generate(this::text).limit(count).toList();
  }

  private String text() {
    int highest = HIGHEST[random.nextInt(HIGHEST.length)];
    return random
        .ints(random.nextInt(5, 60), 1, highest + 1)
        .filter(c -> c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  private String seed() {
    return "seed " + seed;
  }

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

    assertEquals(all(elements, true), Elements.ofTexts(elements).testIn(ours.name()), this::seed);
    var more = elements();
    Elements.ofTexts(more).addTo(ours.name());
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
    Api.refused(400, "INVALID_REQUEST", ours.put(parameters(STRING)));
    Api.describe(ours.name()).statusCode(404);
    assertFalse(ours.keyExists() || ours.configExists());
  }

  @Test
  void anInvalidConfigIsRefused() {
    for (var size : List.of("", "x", "-1", "0", "99999999999999999999", "1.5")) {
      redis.run("HSET", ours.configKey(), "size", size, "hashIterations", "5");
      Api.refused(409, "KEY_MISMATCH", ours.put(parameters(STRING)));
      Api.describe(ours.name()).statusCode(404);
      assertFalse(ours.keyExists());
    }
    redis.run("HSET", ours.configKey(), "size", "4294967295");
    Api.refused(422, "LIMIT_EXCEEDED", ours.put(parameters(STRING)))
        .body("detail", containsString("4294967295 bits"));
    redis.run("HSET", ours.configKey(), "size", "729", "hashIterations", "2147483648");
    Api.refused(422, "LIMIT_EXCEEDED", ours.put(parameters(STRING)))
        .body("detail", containsString("2147483648 hash functions"));
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
    var added = Elements.ofTexts(elements).addTo(ours.name());
    assertEquals(alone.add(elements), Collections.frequency(added, true), this::seed);
    assertEquals(elements.size(), theirs.contains(elements), this::seed);
    assertEquals(0, theirs.add(elements), this::seed);

    var theirMore = elements();
    assertEquals(alone.add(theirMore), theirs.add(theirMore), this::seed);
    assertEquals(all(theirMore, true), Elements.ofTexts(theirMore).testIn(ours.name()), this::seed);
    assertArrayEquals(redis.run("GET", alone.getName()).toBytes(), ours.bits(), this::seed);
    assertEquals(alone.count(), theirs.count(), this::seed);

    var absent = elements();
    assertEquals(
        absent.stream().map(alone::contains).toList(),
        Elements.ofTexts(absent).testIn(ours.name()),
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
    var parts = IntStream.range(0, 4).mapToObj(part -> texts(300)).toList();
    var tasks =
        Stream.of(
            InParallel.run(() -> inBatches(parts.get(0), theirs::add)),
            InParallel.run(() -> parts.get(1).forEach(theirs::add)),
            InParallel.run(
                () -> inBatches(parts.get(2), some -> Elements.ofTexts(some).addTo(ours.name()))),
            InParallel.run(() -> parts.get(3).forEach(ours::add)));
    CompletableFuture.allOf(tasks.toArray(CompletableFuture[]::new))
        .orTimeout(MAX_WAIT.toSeconds(), TimeUnit.SECONDS)
        .join();
    for (var part : parts) {
      assertEquals(part.size(), theirs.contains(part), this::seed);
      assertEquals(all(part, true), Elements.ofTexts(part).testIn(ours.name()), this::seed);
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

  @Test
  void keysRecreatedWithAnotherShapeAreNeverAnsweredWithNo() {
    ours.created(sized(STRING));
    ours.add("a");
    var theirs = redisson.filter(ours.key(), STRING);
    theirs.delete();
    assertTrue(theirs.tryInit(5 * N, 0.1));
    var elements = Elements.ofTexts("a", "b");
    // First without bits, then with some.
    for (var code : List.of("FILTER_DAMAGED", "KEY_MISMATCH")) {
      for (var call :
          List.of(
              Api.post(ours.name(), "test", elements),
              Api.post(ours.name(), "add", elements),
              Api.describe(ours.name()))) {
        call.statusCode(in(List.of(409, 410))).body("code", in(List.of("KEY_MISMATCH", code)));
      }
      theirs.add("b");
    }
    assertEquals(1, theirs.count());
  }

  @Test
  void anOpenClientSeesThatTheFilterWasCleared() {
    ours.created(sized(STRING));
    var theirs = redisson.filter(ours.key(), STRING);
    theirs.add("a");
    assertTrue(theirs.expire(Duration.ofHours(1)));
    var config = ours.config();
    assertTrue(theirs.contains("a"));
    given().post(Api.FILTERS + ours.name() + "/clear").then().statusCode(200);
    assertFalse(theirs.contains("a"));
    assertEquals(0, theirs.count());
    assertEquals(config, ours.config());
    assertTrue(theirs.remainTimeToLive() > 3_000_000);
    assertEquals(List.of(false), ours.test("a"));
    assertTrue(theirs.add("b"));
    assertEquals(List.of(true), ours.test("b"));
  }

  @Test
  void anOpenClientSeesARebuildImmediately() {
    ours.created(sized(STRING));
    var theirs = redisson.filter(ours.key(), STRING);
    theirs.add(List.of("old", "kept"));
    var config = ours.config();
    Api.post(ours.name(), "rebuild", "{}").statusCode(201);
    Api.post(ours.name(), "rebuild/add", Elements.ofTexts("kept", "new")).statusCode(200);
    assertEquals(2, theirs.contains(List.of("old", "kept", "new")));
    assertFalse(theirs.contains("new"));
    Api.post(ours.name(), "rebuild/commit", "{}").statusCode(200);
    assertFalse(theirs.contains("old"));
    assertEquals(2, theirs.contains(List.of("kept", "new")));
    assertEquals(config, ours.config());
    assertEquals(List.of(false, true, true), ours.test("old", "kept", "new"));
    assertTrue(theirs.add("later"));
    assertEquals(List.of(true), ours.test("later"));
  }

  /** A rebuild repairs lost keys, and clients of Redisson can continue. */
  @Test
  void aRebuildRestoresKeysDeletedByRedisson() {
    ours.created(sized(STRING));
    var config = ours.config();
    var theirs = redisson.filter(ours.key(), STRING);
    theirs.add("old");
    assertTrue(theirs.delete());
    var answer = PlainHttp.sendLines("PUT", Api.FILTERS + ours.name() + "/elements", "new\n");
    assertEquals(200, answer.status(), answer.text());
    assertEquals(config, ours.config());
    assertEquals(List.of(false, true), ours.test("old", "new"));
    assertFalse(theirs.contains("old"));
    assertTrue(theirs.contains("new"));
    assertTrue(theirs.add("later"));
    assertSameParameters(theirs, redisson.filter(ours.key(), STRING));
  }

  /** The library's clients cache the shape, so it must not change. */
  @Test
  void aRebuildMustNotChangeTheShape() {
    ours.created(sized(STRING));
    ours.add("a");
    for (var change :
        List.<Map<String, Object>>of(
            Map.of("expectedInsertions", 2 * N),
            Map.of("hashScheme", "bloomgate-1"),
            Map.of("elementCodec", "kryo5"),
            Map.of("bitSize", 729, "numHashFunctions", 5))) {
      Api.refused(400, "INVALID_REQUEST", Api.post(ours.name(), "rebuild", change));
      assertTrue(ours.describe().path("rebuild").isNull());
    }
    assertEquals(List.of(true), ours.test("a"));
  }

  @Test
  void deletingReleasesTheKey() {
    ours.created(sized(STRING));
    ours.add("a");
    var theirs = redisson.filter(ours.key(), STRING);
    var config = ours.config();
    var bits = ours.bits();
    ours.delete(false);
    Api.describe(ours.name()).statusCode(404);
    assertTrue(theirs.contains("a"));
    assertEquals(config, ours.config());
    assertArrayEquals(bits, ours.bits());

    ours.created(parameters(STRING));
    assertEquals(List.of(true), ours.test("a"));
  }
}
