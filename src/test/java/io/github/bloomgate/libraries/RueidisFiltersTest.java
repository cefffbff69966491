package io.github.bloomgate.libraries;

import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.bloomgate.hash.LibraryVectors;
import io.github.bloomgate.http.Api;
import io.github.bloomgate.support.Beside;
import io.github.bloomgate.support.RawRedis;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import jakarta.inject.Inject;
import java.security.MessageDigest;
import java.util.Collections;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Filters of rueidisprob, by its golden file and by the commands it sends: a bitmap and a counter
 * of the elements that changed it, which both sides keep.
 */
@QuarkusTest
class RueidisFiltersTest {

  private static final int BITS = 9586;
  private static final int HASHES = 7;
  private static final Map<String, Object> SHAPE =
      Map.of("hashScheme", "rueidisprob", "bitSize", BITS, "numHashFunctions", HASHES);

  @Inject RawRedis redis;

  private AdoptedFilter ours;
  private RueidisOnRedis theirs;

  @BeforeEach
  void name() {
    ours = AdoptedFilter.of(redis, "{rueidis " + Api.newName() + "}");
    theirs = new RueidisOnRedis(redis, ours.key(), BITS, HASHES);
  }

  /** All that the golden file says of filters, once with adds of ours and once with theirs. */
  @Test
  void filtersHaveTheBitsTheAnswersAndTheCounterOfTheLibrary() throws Exception {
    for (var filter : LibraryVectors.of("rueidisprob").root().get("endToEnd")) {
      for (var byLibrary : List.of(false, true)) {
        name();
        var m = filter.get("m").asLong();
        var k = filter.get("k").asInt();
        theirs = new RueidisOnRedis(redis, ours.key(), m, k);
        var elements =
            StreamSupport.stream(filter.get("elements").spliterator(), false)
                .map(hex -> HexFormat.of().parseHex(hex.asText()))
                .toList();
        if (byLibrary) {
          var added = elements.stream().map(theirs::add).toList();
          assertEquals(booleans(filter.get("addedNew")), added);
          var shape = Map.<String, Object>of("bitSize", m, "numHashFunctions", k);
          ours.created(with(shape));
        } else {
          ours.created(
              with(
                  Map.of(
                      "expectedInsertions", filter.get("n").asLong(),
                      "falsePositiveProbability", filter.get("p").asDouble())));
          var counters = filter.get("counterAfterEachAdd");
          var added = filter.get("addedNew");
          for (var i = 0; i < 15; i++) {
            assertEquals(
                List.of(added.get(i).asBoolean()),
                ours.add(Elements.ofBytes(elements.subList(i, i + 1))));
            assertEquals(counters.get(i).asLong(), theirs.count());
          }
          assertEquals(
              booleans(added).subList(15, added.size()),
              elements.size() == 15
                  ? List.of()
                  : ours.add(Elements.ofBytes(elements.subList(15, elements.size()))));
        }
        checkContent(filter);
        ours.delete(true);
        assertFalse(ours.keyExists() || exists(theirs.counterKey()));
      }
    }
  }

  private void checkContent(JsonNode filter) throws Exception {
    var description = ours.describe();
    var counters = filter.get("counterAfterEachAdd");
    var counted = counters.get(counters.size() - 1).asLong();
    assertEquals(counted, theirs.count());
    assertEquals(counted, description.path("insertions").asLong());
    assertEquals(filter.get("m").asLong(), description.path("bitSize").asLong());
    assertEquals(filter.get("k").asInt(), description.path("numHashFunctions").asInt());
    assertEquals(filter.get("bitCount").asLong(), description.path("bitsSet").asLong());
    var bits = ours.bits();
    assertEquals(filter.get("redisStringLength").asInt(), bits.length);
    assertEquals(
        filter.get("bitmapSha256").asText(),
        HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bits)));
    for (var section : List.of("present", "absent")) {
      var rows = StreamSupport.stream(filter.get(section).spliterator(), false).toList();
      var elements =
          rows.stream()
              .map(row -> HexFormat.of().parseHex(row.get("elementHex").asText()))
              .toList();
      assertEquals(
          rows.stream().map(row -> row.get("contains").asBoolean()).toList(),
          ours.test(Elements.ofBytes(elements)),
          section);
    }
  }

  @Test
  void theLibraryGoesOnWhereWeStoppedAndWeWhereItStopped() {
    ours.created(SHAPE);
    var alone = new RueidisOnRedis(redis, "{alone " + ours.name() + "}", BITS, HASHES);
    for (var i = 0; i < 60; i++) {
      // Some come again, and some twice in a row.
      var element = "element " + (i % 7 == 0 ? i / 2 : i);
      var isNew = alone.add(element);
      assertEquals(isNew, i % 2 == 0 ? theirs.add(element) : ours.add(element).get(0), element);
      assertEquals(alone.count(), theirs.count(), element);
      assertTrue(theirs.exists(element));
      assertEquals(List.of(true), ours.test(element));
    }
    assertArrayEquals(alone.bits(), theirs.bits());
    assertEquals(alone.count(), ours.describe().path("insertions").asLong());
    alone.delete();
    ours.delete(true);
  }

  @Test
  void whatBothAddAtOnceIsCountedOnce() throws Exception {
    ours.created(SHAPE);
    var newToThem = new AtomicLong();
    var newToUs = new AtomicLong();
    var some = IntStream.range(0, 300).mapToObj(i -> "element " + i).toList();
    var tasks =
        List.of(
            Beside.run(() -> some.forEach(e -> newToThem.addAndGet(theirs.add(e) ? 1 : 0))),
            Beside.run(
                () -> {
                  for (var from = 0; from < some.size(); from += 10) {
                    var added = ours.add(Elements.ofTexts(some.subList(from, from + 10)));
                    newToUs.addAndGet(Collections.frequency(added, true));
                  }
                }));
    for (var task : tasks) {
      task.get(60, TimeUnit.SECONDS);
    }
    assertEquals(newToThem.get() + newToUs.get(), theirs.count());
    assertEquals(theirs.count(), ours.describe().path("insertions").asLong());
    ours.delete(true);
  }

  @Test
  void aNewFilterHasACounterOfNothing() {
    ours.created(SHAPE);
    assertEquals("0", redis.run("GET", theirs.counterKey()).toString());
    assertEquals(0, ours.describe().path("insertions").asLong());
    ours.delete(false);
    assertTrue(ours.keyExists() && exists(theirs.counterKey()));
    theirs.delete();
  }

  /** The library makes the bitmap an empty string, which is no damage where the counter is 0. */
  @Test
  void aResetOfTheLibraryEmptiesTheFilter() {
    ours.created(SHAPE);
    ours.add("a", "b");
    theirs.reset();
    assertEquals(List.of(false, false), ours.test("a", "b"));
    assertEquals(0, ours.describe().path("insertions").asLong());
    assertEquals(List.of(true), ours.add("a"));
    assertEquals(1, theirs.count());
    theirs.reset();
    ours.delete(false);
    ours.created(SHAPE);
    assertEquals(List.of(false), ours.test("a"));
    ours.delete(true);
  }

  @Test
  void clearEmptiesBothAndKeepsTheirDeadline() {
    ours.created(SHAPE);
    ours.add("a", "b");
    expiry();
    clear().then().statusCode(200).body("insertions", equalTo(0));
    assertEquals(0, theirs.count());
    assertFalse(theirs.exists("a"));
    assertDated(true);
    assertTrue(theirs.add("b"));
    assertEquals(1, ours.describe().path("insertions").asLong());
    ours.delete(true);
  }

  @Test
  void aDeadlineIsThatOfBothKeys() {
    ours.created(SHAPE);
    expiry();
    assertDated(true);
    Api.raw().delete(Api.FILTERS + ours.name() + "/expiry").then().statusCode(200);
    assertDated(false);
    ours.delete(false);
    // What the library gave one of them becomes that of both.
    redis.run("EXPIRE", theirs.counterKey(), 3600);
    ours.created(SHAPE);
    assertDated(true);
    ours.delete(true);
  }

  @Test
  void aRenamedFilterCountsOn() {
    ours.created(SHAPE);
    ours.add("a");
    var to = Api.newName();
    Api.post(ours.name(), "rename", Map.of("to", to)).then().statusCode(200);
    Api.add(to, "b").statusCode(200);
    assertEquals(2, theirs.count());
    assertTrue(theirs.exists("b"));
    Api.raw().delete(Api.FILTERS + to + "?deleteKey=true").then().statusCode(204);
    assertFalse(ours.keyExists() || exists(theirs.counterKey()));
  }

  /** The counter of the new content is what the library had counted, had it added that alone. */
  @Test
  void aRebuildCountsItsOwnElements() {
    ours.created(SHAPE);
    theirs.add("old");
    theirs.add("older");
    expiry();
    Api.post(ours.name(), "rebuild", "{}").then().statusCode(201);
    var load = Elements.ofTexts(List.of("x", "y", "z", "x"));
    Api.post(ours.name(), "rebuild/add", load).then().statusCode(200);
    assertEquals(2, theirs.count());
    ours.add("meanwhile");
    assertEquals(3, theirs.count());
    Api.post(ours.name(), "rebuild/commit", "{}").then().statusCode(200);
    assertEquals(4, theirs.count());
    assertEquals(4, ours.describe().path("insertions").asLong());
    assertTrue(theirs.exists("x") && theirs.exists("meanwhile") && !theirs.exists("old"));
    assertDated(true);
    ours.add("later");
    assertEquals(5, theirs.count());
    ours.delete(true);
  }

  @Test
  void aRebuildBringsBackWhatTheLibraryDeleted() {
    ours.created(SHAPE);
    ours.add("old");
    theirs.delete();
    refused(Api.describe(ours.name()), 410, "FILTER_DAMAGED");
    Api.post(ours.name(), "rebuild", "{}").then().statusCode(201);
    Api.post(ours.name(), "rebuild/add", Elements.ofTexts(List.of("new"))).then().statusCode(200);
    Api.post(ours.name(), "rebuild/commit", "{}").then().statusCode(200);
    assertEquals(List.of(false, true), ours.test("old", "new"));
    assertEquals(1, theirs.count());
    ours.delete(true);
  }

  @Test
  void filesAndCopiesTellWhatTheCounterSays() {
    ours.created(SHAPE);
    theirs.add("a");
    ours.add("b", "c");
    var copy = Api.newName();
    Api.post(ours.name(), "copy", Map.of("to", copy))
        .then()
        .statusCode(201)
        .body("insertions", equalTo(3));
    var file = FilterFiles.exported(ours.name(), "bloomgate");
    var imported = FilterFiles.newName();
    FilterFiles.load(imported, "bloomgate", file)
        .statusCode(201)
        .body("adopted", equalTo(false))
        .body("insertions", equalTo(3));
    var bitmap = FilterFiles.exported(ours.name(), "redis-bitmap");
    clear().then().statusCode(200);
    FilterFiles.load(ours.name(), "bloomgate", file).statusCode(200);
    assertEquals(3, theirs.count());
    assertTrue(theirs.exists("a") && theirs.exists("c"));
    assertArrayEquals(bitmap, FilterFiles.exported(ours.name(), "redis-bitmap"));
    Api.post(ours.name(), "merge", Map.of("from", List.of(copy))).then().statusCode(200);
    assertEquals(theirs.count(), ours.describe().path("insertions").asLong());
    ours.delete(true);
  }

  /** Unknown is never "no": what became of the pair is told, and nothing is changed. */
  @ParameterizedTest
  @CsvSource({
    "DEL bitmap, 410, FILTER_DAMAGED",
    "DEL counter, 410, FILTER_DAMAGED",
    "SET bitmap '', 410, FILTER_DAMAGED",
    "SET counter many, 409, KEY_MISMATCH",
    "SET counter 007, 409, KEY_MISMATCH",
    "SET counter -1, 409, KEY_MISMATCH",
    "SET counter 9223372036854775807, 409, KEY_MISMATCH",
    "RPUSH counter x, 409, WRONG_KEY_TYPE",
    "RPUSH bitmap x, 409, WRONG_KEY_TYPE"
  })
  void whatBecameOfAKeyIsTold(String command, int status, String code) {
    ours.created(SHAPE);
    ours.add("a");
    harm(command);
    var bits = redis.run("TYPE", ours.key()).toString();
    var elements = Elements.ofTexts(List.of("a", "b"));
    refused(Api.post(ours.name(), "test", elements), status, code);
    refused(Api.post(ours.name(), "add", elements), status, code);
    refused(Api.describe(ours.name()), status, code);
    refused(clear(), status, code);
    assertEquals(bits, redis.run("TYPE", ours.key()).toString());
    ours.delete(false);
    if (code.equals("FILTER_DAMAGED")) {
      // There are elements of which the bits, or the count, are lost.
      refused(ours.put(SHAPE), 409, "KEY_MISMATCH");
    } else {
      refused(ours.put(SHAPE), status, code);
    }
    Api.describe(ours.name()).then().statusCode(404);
    theirs.delete();
  }

  private void harm(String command) {
    var words = command.split(" ");
    var key = words[1].equals("bitmap") ? ours.key() : theirs.counterKey();
    switch (words[0]) {
      case "DEL" -> redis.run("DEL", key);
      case "SET" -> redis.run("SET", key, words[2].equals("''") ? "" : words[2]);
      default -> {
        redis.run("DEL", key);
        redis.run("RPUSH", key, "x");
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"orders", "{}", "{orders}:seen", "x{orders}"})
  void aKeyThatTheLibraryCannotHaveIsRefused(String key) {
    var filter = AdoptedFilter.of(redis, key);
    filter
        .put(SHAPE)
        .then()
        .statusCode(400)
        .body("code", equalTo("INVALID_REQUEST"))
        .body("detail", containsString("send the redisKey {NAME}"));
    assertFalse(filter.keyExists());
  }

  @Test
  void theShapeIsNowhereToBeRead() {
    theirs.add("a");
    ours.put(Map.of("hashScheme", "rueidisprob"))
        .then()
        .statusCode(400)
        .body("detail", containsString("does not store the shape"));
    theirs.delete();
  }

  @Test
  void aFilterUnderOwnKeysHasTheSameBitsAndNoCounter() {
    var name = Api.newName();
    Api.put(name, SHAPE).then().statusCode(201);
    Api.add(name, "a", "b").statusCode(200);
    theirs.add("a");
    theirs.add("b");
    var last = Integer.toString(theirs.bits().length - 1);
    var key = "bloom:{" + name + "}:bits";
    assertArrayEquals(theirs.bits(), redis.run("GETRANGE", key, "0", last).toBytes());
    assertNull(redis.run("GET", "bloom:{" + name + "}:bits:c"));
    theirs.delete();
    Api.raw().delete(Api.FILTERS + name).then().statusCode(204);
  }

  private Response clear() {
    return Api.raw().post(Api.FILTERS + ours.name() + "/clear");
  }

  private void expiry() {
    Api.raw()
        .contentType("application/json")
        .body(Map.of("ttlSeconds", 3600))
        .put(Api.FILTERS + ours.name() + "/expiry")
        .then()
        .statusCode(200);
  }

  private void assertDated(boolean isDated) {
    for (var key : List.of(ours.key(), theirs.counterKey(), "bloom:{" + ours.name() + "}:state")) {
      assertEquals(isDated, redis.run("PTTL", key).toLong() > 3_000_000, key);
    }
  }

  private boolean exists(String key) {
    return redis.run("EXISTS", key).toInteger() == 1;
  }

  private static void refused(Response response, int status, String code) {
    response.then().statusCode(status).body("code", equalTo(code));
  }

  private static Map<String, Object> with(Map<String, Object> parameters) {
    var all = new HashMap<>(parameters);
    all.put("hashScheme", "rueidisprob");
    return all;
  }

  private static List<Boolean> booleans(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false).map(JsonNode::asBoolean).toList();
  }
}
