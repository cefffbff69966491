package io.github.bloomgate.libraries;

import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.bloomgate.hash.LibraryVectors;
import io.github.bloomgate.http.Api;
import io.github.bloomgate.support.RawRedis;
import io.github.bloomgate.support.TestExtent;
import io.restassured.response.Response;
import jakarta.inject.Inject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/** The tests of every library: its golden file holds over HTTP and in Redis. */
abstract class LibraryFilters {

  @Inject RawRedis redis;

  private final List<String> schemes;

  LibraryFilters(String... schemes) {
    this.schemes = List.of(schemes);
  }

  @Test
  void elementsAddedOverHttpSetTheBitsOfTheLibrary() {
    forEach(VectorFilters::checkFilled);
  }

  @Test
  void aBitmapOfTheLibraryIsAdoptedAndAnsweredAsTheLibraryAnswers() {
    forEach(VectorFilters::checkAdopted);
  }

  @Test
  void changesByTheLibraryAreSeenAfterAnyNumberOfTests() {
    forEach(VectorFilters::checkSeenAtOnce);
  }

  @Test
  void aFilterUnderOwnKeysHasTheSameBits() {
    forEach(VectorFilters::checkOwn);
  }

  @Test
  void eachElementHasItsOwnBitsOnly() {
    forEach(vectors -> vectors.checkLocations(TestExtent::some));
  }

  @Test
  void aFilterHasTheShapeThatTheLibraryComputes() {
    forEach(vectors -> vectors.checkParameters(TestExtent::some));
  }

  @Test
  void incompatibleChangesAreRefusedAndChangeNothing() {
    forEach(VectorFilters::checkRejectedParameters);
  }

  @Test
  void aKeyOfAnotherTypeIsRefusedAndKept() {
    forEach(
        vectors -> {
          var adopted = AdoptedFilter.of(redis);
          redis.run("RPUSH", adopted.key(), "x");
          assertProblem(adopted.put(vectors.smallShape()), 409, "WRONG_KEY_TYPE");
          Api.describe(adopted.name()).then().statusCode(404);
          assertFalse(adopted.configExists());
          redis.run("DEL", adopted.key());

          adopted.created(vectors.smallShape());
          redis.run("DEL", adopted.key());
          redis.run("RPUSH", adopted.key(), "x");
          assertNoAnswer(adopted, 409, "WRONG_KEY_TYPE");
          assertEquals(1, redis.run("LLEN", adopted.key()).toInteger());
          adopted.delete(false);
          assertEquals(1, redis.run("LLEN", adopted.key()).toInteger());
          redis.run("DEL", adopted.key(), adopted.configKey());
        });
  }

  @Test
  void aBitmapLongerThanTheFilterIsRefusedAndKept() {
    forEach(
        vectors -> {
          var adopted = vectors.small();
          long m = ((Number) vectors.smallShape().get("bitSize")).longValue();
          long beyond = (m + 7) / 8 * 8;
          redis.run("SETBIT", adopted.key(), beyond, "1");
          var bits = adopted.bits();
          assertProblem(adopted.put(vectors.smallShape()), 409, "KEY_MISMATCH");
          Api.describe(adopted.name()).then().statusCode(404);
          assertArrayEquals(bits, adopted.bits());

          redis.run("DEL", adopted.key());
          adopted.created(vectors.smallShape());
          redis.run("SETBIT", adopted.key(), beyond, "0");
          assertNoAnswer(adopted, 409, "KEY_MISMATCH");
          // The key no longer holds the adopted bitmap.
          JsonHttp.call(409, "DELETE", Api.FILTERS + adopted.name() + "?deleteKey=true", null);
          adopted.delete(false);
          redis.run("DEL", adopted.key(), adopted.configKey());
        });
  }

  /** A shorter one is normal: it grows as bits are set. */
  @Test
  void aBitmapShorterThanTheFilterIsRead() {
    forEach(
        vectors -> {
          var adopted = vectors.small();
          adopted.setBits(new byte[0]);
          adopted.created(vectors.smallShape());
          assertEquals(List.of(false), adopted.test("a"));
          adopted.add("a");
          assertEquals(List.of(true), adopted.test("a"));
          redis.run("SET", adopted.key(), "");
        });
  }

  @Test
  void aMissingKeyIsAnErrorAndNotNo() {
    forEach(
        vectors -> {
          var adopted = vectors.small();
          adopted.created(vectors.smallShape());
          redis.run("DEL", adopted.key());
          assertNoAnswer(adopted, 410, "FILTER_DAMAGED");
          assertFalse(adopted.keyExists());
          adopted.delete(true);
          assertFalse(adopted.configExists());
        });
  }

  @Test
  void ownKeysAndCountedInsertionsCannotBeShared() {
    forEach(
        vectors -> {
          var other = Api.newFilter();
          for (var key : List.of("bloom:{" + other + "}:bits", "bloom:catalogue", "bloom:x")) {
            var adopted = AdoptedFilter.of(redis, key);
            assertProblem(adopted.put(vectors.smallShape()), 400, "INVALID_REQUEST");
            Api.describe(adopted.name()).then().statusCode(404);
          }
          var parameters = vectors.smallShape();
          parameters.put("whenFull", "reject");
          vectors.assertRefused(parameters);
        });
  }

  /** Asserts that operations on the bits fail, so that there is no answer about elements. */
  private static void assertNoAnswer(AdoptedFilter adopted, int status, String code) {
    var elements = Elements.ofTexts(List.of("a", "b"));
    assertProblem(Api.post(adopted.name(), "test", elements), status, code);
    assertProblem(Api.post(adopted.name(), "add", elements), status, code);
    assertProblem(Api.describe(adopted.name()), status, code);
  }

  private static void assertProblem(Response response, int status, String code) {
    response.then().statusCode(status).body("code", equalTo(code));
  }

  final void assertRefused(String scheme, Map<String, Object> parameters) {
    var all = new HashMap<>(parameters);
    all.put("hashScheme", scheme);
    vectors(scheme).assertRefused(all);
  }

  private void forEach(Consumer<VectorFilters> check) {
    schemes.forEach(scheme -> check.accept(vectors(scheme)));
  }

  final VectorFilters vectors(String scheme) {
    return new VectorFilters(LibraryVectors.of(scheme), redis);
  }

  /** The comparisons see one wrong bit, element, answer, k or offset. */
  @Test
  void oneWrongValueIsSeen() {
    for (var scheme : schemes) {
      seen(scheme, root -> flip(tiny(root), "bitmapHex"), VectorFilters::checkFilled);
      seen(scheme, root -> flip(tiny(root), "bitmapSha256"), VectorFilters::checkFilled);
      seen(scheme, root -> flip(tiny(root), "paddedSha256"), VectorFilters::checkFilled);
      seen(scheme, root -> flip(tiny(root), "paddedSha256"), VectorFilters::checkOwn);
      seen(scheme, root -> addOne(tiny(root), "bitCount"), VectorFilters::checkFilled);
      seen(scheme, root -> addOne(tiny(root), "bitCount"), VectorFilters::checkAdopted);
      seen(scheme, root -> flip(tiny(root), "bitmapHex"), VectorFilters::checkAdopted);
      seen(scheme, LibraryFilters::lengthenAnElement, VectorFilters::checkFilled);
      seen(scheme, LibraryFilters::lengthenAnElement, VectorFilters::checkOwn);
      for (var section : List.of("present", "absent")) {
        seen(scheme, root -> deny(tiny(root).get(section)), VectorFilters::checkFilled);
        seen(scheme, root -> deny(tiny(root).get(section)), VectorFilters::checkAdopted);
      }
      seen(scheme, root -> addOne(tiny(root), "k"), VectorFilters::checkFilled);
      seen(scheme, root -> addOne(tiny(root), "m"), VectorFilters::checkFilled);
      seen(scheme, LibraryFilters::moveAnOffset, vectors -> vectors.checkLocations(all -> all));
      for (var field : List.of("m", "k")) {
        // Two libraries compute none.
        sizedRow(LibraryVectors.of(scheme).root())
            .ifPresent(
                row ->
                    seen(
                        scheme,
                        root -> addOne(sizedRow(root).orElseThrow(), field),
                        vectors -> vectors.checkParameters(all -> all)));
      }
    }
  }

  private static Optional<JsonNode> sizedRow(JsonNode root) {
    return StreamSupport.stream(root.get("parameters").spliterator(), false)
        .filter(VectorRows::isOffered)
        .findFirst();
  }

  private void seen(String scheme, Consumer<JsonNode> mutation, Consumer<VectorFilters> check) {
    var mutated = LibraryVectors.of(scheme).copy();
    mutation.accept(mutated.root());
    assertThrows(AssertionError.class, () -> check.accept(new VectorFilters(mutated, redis)));
  }

  private static JsonNode tiny(JsonNode root) {
    return root.get("endToEnd").get(0);
  }

  /** To where the element has no other bit. */
  private static void moveAnOffset(JsonNode root) {
    for (var row : VectorRows.rowsByBits(root)) {
      var offsets = VectorRows.longs(row.get("offsets"));
      long moved = offsets[0] + 1;
      if (moved < row.get("m").asLong()
          && LongStream.of(offsets)
              .skip(1)
              .noneMatch(other -> other == offsets[0] || other == moved)) {
        ((ArrayNode) row.get("offsets")).set(0, moved);
        return;
      }
    }
    throw new IllegalArgumentException("no row to change");
  }

  private static void addOne(JsonNode row, String field) {
    ((ObjectNode) row).put(field, row.get(field).asLong() + 1);
  }

  private static void flip(JsonNode row, String field) {
    var hex = row.get(field).asText();
    ((ObjectNode) row).put(field, (hex.charAt(0) == '0' ? "1" : "0") + hex.substring(1));
  }

  /** In a filter less crowded than the smallest one, where other elements may have its bits. */
  private static void lengthenAnElement(JsonNode root) {
    var element = (ObjectNode) root.get("endToEnd").get(1).get("elements").get(3);
    element.put("elementHex", element.get("elementHex").asText() + "21");
  }

  private static void deny(JsonNode rows) {
    var row = (ObjectNode) rows.get(7);
    row.put("contains", !row.get("contains").asBoolean());
  }
}
