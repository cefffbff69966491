package io.github.bloomgate.libraries;

import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.bloomgate.hash.LibraryVectors;
import io.github.bloomgate.support.RawRedis;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What is tested of every library: that all of its golden file holds over HTTP and in Redis. */
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
  void aFilterUnderOwnKeysHasTheSameBits() {
    forEach(VectorFilters::checkOwn);
  }

  @Test
  void aHugeFilterHasTheBitsOfTheLibrary() {
    forEach(VectorFilters::checkHuge);
  }

  @Test
  void eachElementHasItsOwnBitsOnly() {
    forEach(VectorFilters::checkLocations);
  }

  @Test
  void aFilterHasTheShapeThatTheLibraryComputes() {
    forEach(VectorFilters::checkParameters);
  }

  @Test
  void whatTheLibraryCannotUseIsRefusedAndChangesNothing() {
    forEach(VectorFilters::checkRejectedParameters);
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
      seen(scheme, root -> lengthen(tiny(root).get("elements")), VectorFilters::checkFilled);
      seen(scheme, root -> lengthen(tiny(root).get("elements")), VectorFilters::checkOwn);
      for (var section : List.of("present", "absent")) {
        seen(scheme, root -> deny(tiny(root).get(section)), VectorFilters::checkFilled);
        seen(scheme, root -> deny(tiny(root).get(section)), VectorFilters::checkAdopted);
      }
      seen(scheme, root -> addOne(tiny(root), "k"), VectorFilters::checkFilled);
      seen(scheme, root -> addOne(tiny(root), "m"), VectorFilters::checkFilled);
      seen(scheme, LibraryFilters::moveAnOffset, VectorFilters::checkLocations);
      if (!vectors(scheme).hasNoSizing()) {
        seen(
            scheme,
            root -> addOne(root.get("parameters").get(20), "k"),
            VectorFilters::checkParameters);
        seen(
            scheme,
            root -> addOne(root.get("parameters").get(20), "m"),
            VectorFilters::checkParameters);
      }
    }
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
    for (var row : VectorFilters.rowsByBits(root)) {
      var offsets = (ArrayNode) row.get("offsets");
      var moved = LongNode.valueOf(offsets.get(0).asLong() + 1);
      var others = new ArrayList<JsonNode>();
      offsets.forEach(others::add);
      others.remove(0);
      if (!others.contains(offsets.get(0)) && moved.asLong() < row.get("m").asLong()) {
        offsets.set(0, moved);
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

  private static void lengthen(JsonNode elements) {
    var element = (ObjectNode) elements.get(3);
    element.put("elementHex", element.get("elementHex").asText() + "21");
  }

  private static void deny(JsonNode rows) {
    var row = (ObjectNode) rows.get(7);
    row.put("contains", !row.get("contains").asBoolean());
  }
}
