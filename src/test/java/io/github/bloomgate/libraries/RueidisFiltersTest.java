package io.github.bloomgate.libraries;

import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.not;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.bloomgate.hash.LibraryVectors;
import io.github.bloomgate.http.Api;
import io.github.bloomgate.support.InParallel;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Filters of rueidisprob, compared with its golden file and used with its commands. Both sides
 * maintain the bitmap and a counter of the elements that changed it.
 */
@QuarkusTest
class RueidisFiltersTest extends RueidisFilter {

  /** The whole golden file, once with adds through the service and once through the library. */
  @Test
  void filtersHaveTheBitsTheAnswersAndTheCounterOfTheLibrary() {
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
          assertEquals(VectorFilters.booleans(filter.get("addedNew")), added);
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
              VectorFilters.booleans(added).subList(15, added.size()),
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

  private void checkContent(JsonNode filter) {
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
    assertEquals(filter.get("bitmapSha256").asText(), GoldenFilter.sha256(bits));
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
    ours.add(Elements.ofTexts(IntStream.range(0, 900).mapToObj(i -> "element " + i).toList()));
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
    clear().statusCode(200);
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
    filter
        .put(SHAPE)
        .statusCode(400)
        .body("code", equalTo("INVALID_REQUEST"))
        .body("detail", containsString("send the redisKey {NAME}"));
    assertFalse(filter.keyExists());
  }

  /** The library replaces this bitmap by another one that contains only elements added to both. */
  @Test
  void aSlidingFilterIsRefusedByItsAdditionalKey() {
    theirs.add("a");
    var other = ours.key() + ":n";
    redis.run("SET", other, "");
    ours.put(SHAPE)
        .statusCode(409)
        .body("code", equalTo("KEY_MISMATCH"))
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
    var name = Api.newName();
    Api.put(name, SHAPE).statusCode(201);
    Api.add(name, "a", "b").statusCode(200);
    theirs.add("a");
    theirs.add("b");
    var bits = RestAssured.get(Api.FILTERS + name + "/export?format=redis-bitmap").asByteArray();
    assertArrayEquals(theirs.bits(), Arrays.copyOf(bits, theirs.bits().length));
    theirs.delete();
    Api.raw().delete(Api.FILTERS + name).then().statusCode(204);
  }

  private static Map<String, Object> with(Map<String, Object> parameters) {
    var all = new HashMap<>(parameters);
    all.put("hashScheme", "rueidisprob");
    return all;
  }
}
