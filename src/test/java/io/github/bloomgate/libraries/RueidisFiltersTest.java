package io.github.bloomgate.libraries;

import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.not;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.http.Api;
import io.github.bloomgate.support.InParallel;
import io.github.bloomgate.support.RawRedis;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Filters of rueidisprob, compared with its golden file and used with its commands. Both sides
 * maintain the bitmap and a counter of the elements that changed it.
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

  private boolean exists(String key) {
    return redis.run("EXISTS", key).toInteger() == 1;
  }

  /** The whole golden file, once with adds through the service and once through the library. */
  @Test
  void filtersHaveTheBitsTheAnswersAndTheCounterOfTheLibrary() {
    for (var golden : GoldenFilter.all("rueidisprob")) {
      for (var byLibrary : List.of(false, true)) {
        name();
        theirs =
            new RueidisOnRedis(redis, ours.key(), golden.number("m"), (int) golden.number("k"));
        var elements = golden.elements("elements").elements();
        var added = Elements.flags(golden.node().get("addedNew"));
        var counters = golden.node().get("counterAfterEachAdd");
        if (byLibrary) {
          var bytes = elements.stream().map(HexFormat.of()::parseHex);
          assertEquals(added, bytes.map(theirs::add).toList());
          ours.created(golden.shape());
        } else {
          ours.created(golden.sizing());
          for (var i = 0; i < 15; i++) {
            var one = Elements.ofHex(elements.subList(i, i + 1));
            assertEquals(added.subList(i, i + 1), one.addTo(ours.name()));
            assertEquals(counters.get(i).asLong(), theirs.count());
          }
          if (elements.size() > 15) {
            var others = Elements.ofHex(elements.subList(15, elements.size()));
            assertEquals(added.subList(15, added.size()), others.addTo(ours.name()));
          }
        }
        var description = ours.describe();
        var counted = counters.get(counters.size() - 1).asLong();
        assertEquals(counted, theirs.count());
        assertEquals(counted, description.path("insertions").asLong());
        golden.assertShape(description);
        golden.assertCounts(description);
        golden.assertBits(ours.bits());
        golden.assertAnswers(ours.name());
        ours.delete(true);
        assertFalse(ours.keyExists() || exists(theirs.counterKey()));
      }
    }
  }

  @Test
  void bothSidesContinueWhereTheOtherStopped() {
    ours.created(SHAPE);
    var alone = new RueidisOnRedis(redis, "{alone " + ours.name() + "}", BITS, HASHES);
    for (var i = 0; i < 60; i++) {
      // Some elements are repeated later, and some immediately.
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
  void elementsAddedByBothAreCountedOnce() throws Exception {
    ours.created(SHAPE);
    var newToThem = new AtomicLong();
    var newToUs = new AtomicLong();
    var some = IntStream.range(0, 300).mapToObj(i -> "element " + i).toList();
    var tasks =
        List.of(
            InParallel.run(() -> some.forEach(e -> newToThem.addAndGet(theirs.add(e) ? 1 : 0))),
            InParallel.run(
                () -> {
                  for (var from = 0; from < some.size(); from += 10) {
                    var batch = Elements.ofTexts(some.subList(from, from + 10));
                    var added = batch.addTo(ours.name());
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
  void aNewFilterHasACounterOfZero() {
    ours.created(SHAPE);
    assertEquals("0", redis.run("GET", theirs.counterKey()).toString());
    assertEquals(0, ours.describe().path("insertions").asLong());
    ours.delete(false);
    assertTrue(ours.keyExists() && exists(theirs.counterKey()));
    theirs.delete();
  }

  @Test
  void filesAndCopiesContainTheCounter() {
    ours.created(SHAPE);
    theirs.add("a");
    theirs.add("c");
    // Enough elements for the estimate from the bits to differ.
    ours.add(IntStream.range(0, 900).mapToObj(i -> "element " + i).toArray(String[]::new));
    var counted = (int) theirs.count();
    var copy = Api.newName();
    Api.post(ours.name(), "copy", Map.of("to", copy))
        .statusCode(201)
        .body("insertions", equalTo(counted))
        .body("approximateElementCount", not(counted));
    var file = FilterFiles.exported(ours.name(), "bloomgate");
    var imported = Api.newName();
    FilterFiles.load(imported, "bloomgate", file)
        .statusCode(201)
        .body("adopted", equalTo(false))
        .body("insertions", equalTo(counted));
    var bitmap = FilterFiles.exported(ours.name(), "redis-bitmap");
    Api.post(ours.name(), "clear", "").statusCode(200);
    FilterFiles.load(ours.name(), "bloomgate", file).statusCode(200);
    assertEquals(counted, theirs.count());
    assertTrue(theirs.exists("a") && theirs.exists("c"));
    assertArrayEquals(bitmap, FilterFiles.exported(ours.name(), "redis-bitmap"));
    Api.post(ours.name(), "merge", Map.of("from", List.of(copy))).statusCode(200);
    assertEquals(theirs.count(), ours.describe().path("insertions").asLong());
    ours.delete(true);
  }

  @ParameterizedTest
  @CsvSource({"orders", "{}", "{orders}:seen", "x{orders}"})
  void aKeyThatTheLibraryCannotHaveIsRefused(String key) {
    var filter = AdoptedFilter.of(redis, key);
    Api.refused(400, "INVALID_REQUEST", filter.put(SHAPE))
        .body("detail", containsString("send the redisKey {NAME}"));
    assertFalse(filter.keyExists());
  }

  /** The library replaces this bitmap by another one that contains only elements added to both. */
  @Test
  void aSlidingFilterIsRefusedByItsAdditionalKey() {
    theirs.add("a");
    var other = ours.key() + ":n";
    redis.run("SET", other, "");
    Api.refused(409, "KEY_MISMATCH", ours.put(SHAPE))
        .body("detail", containsString("sliding"))
        .body("detail", containsString("{rueidis"));
    Api.describe(ours.name()).statusCode(404);
    redis.run("DEL", other);
    ours.created(SHAPE);
    ours.delete(true);
  }

  @Test
  void theShapeMustBeGiven() {
    theirs.add("a");
    ours.put(Map.of("hashScheme", "rueidisprob"))
        .statusCode(400)
        .body("detail", containsString("does not store the shape"));
    theirs.delete();
  }

  @Test
  void aFilterUnderOwnKeysHasTheSameBitsAndNoCounter() {
    var name = Api.newFilter(SHAPE);
    Api.add(name, "a", "b").statusCode(200);
    theirs.add("a");
    theirs.add("b");
    var bits = FilterFiles.exported(name, "redis-bitmap");
    assertArrayEquals(theirs.bits(), Arrays.copyOf(bits, theirs.bits().length));
    theirs.delete();
    Api.delete(name).statusCode(204);
  }

  /** The library sets the bitmap to an empty string, which is valid if the counter is 0. */
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
  void anExpiryAppliesToBothKeys() {
    ours.created(SHAPE);
    Api.expiry(ours.name(), Map.of("ttlSeconds", 3600)).statusCode(200);
    assertDated(true);
    Api.delete(ours.name() + "/expiry").statusCode(200);
    assertDated(false);
    ours.delete(false);
    // An expiry set by the library on one key applies to both.
    redis.run("EXPIRE", theirs.counterKey(), 3600);
    ours.created(SHAPE);
    assertDated(true);
    ours.delete(true);
  }

  @Test
  void aRenamedFilterKeepsCounting() {
    ours.created(SHAPE);
    ours.add("a");
    var to = Api.newName();
    Api.post(ours.name(), "rename", Map.of("to", to)).statusCode(200);
    Api.add(to, "b").statusCode(200);
    assertEquals(2, theirs.count());
    assertTrue(theirs.exists("b"));
    Api.delete(to + "?deleteKey=true").statusCode(204);
    assertFalse(ours.keyExists() || exists(theirs.counterKey()));
  }

  /** The counter has the value that the library would have computed. */
  @Test
  void aRebuildCountsItsOwnElements() {
    ours.created(SHAPE);
    theirs.add("old");
    theirs.add("older");
    Api.expiry(ours.name(), Map.of("ttlSeconds", 3600)).statusCode(200);
    Api.post(ours.name(), "rebuild", "{}").statusCode(201);
    var load = Elements.ofTexts("x", "y", "z", "x");
    Api.post(ours.name(), "rebuild/add", load).statusCode(200);
    assertEquals(2, theirs.count());
    ours.add("concurrent");
    assertEquals(3, theirs.count());
    Api.post(ours.name(), "rebuild/commit", "{}").statusCode(200);
    assertEquals(4, theirs.count());
    assertEquals(4, ours.describe().path("insertions").asLong());
    assertTrue(theirs.exists("x") && theirs.exists("concurrent") && !theirs.exists("old"));
    assertDated(true);
    ours.add("later");
    assertEquals(5, theirs.count());
    ours.delete(true);
  }

  @Test
  void aRebuildRestoresKeysDeletedByTheLibrary() {
    ours.created(SHAPE);
    ours.add("old");
    theirs.delete();
    Api.refused(410, "FILTER_DAMAGED", Api.describe(ours.name()));
    Api.post(ours.name(), "rebuild", "{}").statusCode(201);
    Api.post(ours.name(), "rebuild/add", Elements.ofTexts("new")).statusCode(200);
    Api.post(ours.name(), "rebuild/commit", "{}").statusCode(200);
    assertEquals(List.of(false, true), ours.test("old", "new"));
    assertEquals(1, theirs.count());
    ours.delete(true);
  }

  /** Unknown is never "no": the state of the pair is reported, and nothing is changed. */
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
  void changesOfAKeyAreReported(String command, int status, String code) {
    ours.created(SHAPE);
    ours.add("a");
    harm(command);
    var bits = redis.run("TYPE", ours.key()).toString();
    var elements = Elements.ofTexts("a", "b");
    Api.refused(status, code, Api.post(ours.name(), "test", elements));
    Api.refused(status, code, Api.post(ours.name(), "add", elements));
    Api.refused(status, code, Api.describe(ours.name()));
    Api.refused(status, code, Api.post(ours.name(), "clear", ""));
    assertEquals(bits, redis.run("TYPE", ours.key()).toString());
    ours.delete(false);
    if (code.equals("FILTER_DAMAGED")) {
      // The bits or the count of some elements are lost.
      Api.refused(409, "KEY_MISMATCH", ours.put(SHAPE));
    } else {
      Api.refused(status, code, ours.put(SHAPE));
    }
    Api.describe(ours.name()).statusCode(404);
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

  private void assertDated(boolean isDated) {
    for (var key : List.of(ours.key(), theirs.counterKey(), "bloom:{" + ours.name() + "}")) {
      assertEquals(isDated, redis.run("PTTL", key).toLong() > 3_000_000, key);
    }
  }
}
