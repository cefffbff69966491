package io.github.bloomgate.hash;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Every scheme of another library computes what the library itself computed. */
class LibraryVectorsTest {

  /** All but those of ours, and one whose file is of another kind: {@code RueidisVectorsTest}. */
  private static final List<String> IDS =
      HashSchemes.ids().stream()
          .filter(id -> !id.startsWith("bloomgate-") && !id.equals("rueidisprob"))
          .toList();

  @TestFactory
  Stream<DynamicTest> everyVectorHolds() {
    return IDS.stream().map(id -> dynamicTest(id, () -> LibraryVectors.of(id).checkAll()));
  }

  /** The comparison detects a single wrong value in any part of the file. */
  @TestFactory
  Stream<DynamicTest> oneWrongValueIsSeen() {
    return IDS.stream()
        .flatMap(
            id -> {
              LibraryVectors vectors = LibraryVectors.of(id);
              return mutations(vectors.root()).entrySet().stream()
                  .map(
                      mutation ->
                          dynamicTest(
                              id + ": " + mutation.getKey(),
                              () -> {
                                LibraryVectors mutated = vectors.copy();
                                mutation.getValue().accept(mutated.root());
                                assertThrows(AssertionError.class, mutated::checkAll);
                              }));
            });
  }

  private static Map<String, Consumer<JsonNode>> mutations(JsonNode file) {
    var mutations = new LinkedHashMap<String, Consumer<JsonNode>>();
    mutations.put("an offset", root -> addOne(last(root, "locations").get("offsets"), 0));
    mutations.put("a filter's bitmap", root -> flip(filter(root, "tiny"), "bitmapHex"));
    mutations.put("a filter's hash", root -> flip(filter(root, "estimated"), "bitmapSha256"));
    mutations.put("a bit set", root -> addOne(filter(root, "huge").get("setBits"), 39));
    for (String section : List.of("present", "absent")) {
      mutations.put(
          section + " answer", root -> deny(filter(root, "special-elements").get(section).get(7)));
    }
    if (!file.get("parameters").isEmpty()) {
      mutations.put("m", root -> addOne(root.get("parameters").get(20), "m"));
      mutations.put("k", root -> addOne(root.get("parameters").get(20), "k"));
    }
    if (file.has("rejectedParameters")) {
      mutations.put("a refusal", root -> accept(root.get("rejectedParameters").get(0)));
    }
    if (file.has("codecs")) {
      mutations.put("an encoding", root -> flip(root.get("codecs").get(1), "encodedHex"));
      mutations.put(
          "an encoded element",
          root -> flip(filter(root, "default-codec").get("elements").get(3), "encodedHex"));
    }
    if (filter(file, "tiny").has("addReturned")) {
      mutations.put(
          "what an add answered",
          root -> {
            ArrayNode answers = (ArrayNode) filter(root, "tiny").get("addReturned");
            answers.set(5, BooleanNode.valueOf(!answers.get(5).asBoolean()));
          });
    }
    if (file.get("scheme").asText().equals("redisbloom")) {
      for (String field : List.of("effectiveError", "nonScaling", "m", "k")) {
        mutations.put(field + " of a scaling filter", root -> spoil(scaling(root), field));
      }
      for (String field : List.of("hashes", "bits", "bitCount")) {
        mutations.put(
            field + " of a layer",
            root -> addOne(filter(root, "scaling").get("links").get(2), field));
      }
      mutations.put(
          "a layer's bitmap",
          root -> flip(filter(root, "scaling").get("links").get(1), "bitmapHex"));
      mutations.put(
          "an answer of several layers",
          root -> deny(filter(root, "scaling").get("absent").get(3)));
    }
    return mutations;
  }

  private static JsonNode scaling(JsonNode root) {
    for (JsonNode row : root.get("parameters")) {
      if (!row.get("nonScaling").asBoolean() && row.get("n").asLong() == 1000) {
        return row;
      }
    }
    throw new IllegalArgumentException("no scaling filter");
  }

  private static void spoil(JsonNode row, String field) {
    JsonNode value = row.get(field);
    ((ObjectNode) row)
        .set(
            field,
            value.isBoolean()
                ? BooleanNode.valueOf(!value.asBoolean())
                : DoubleNode.valueOf(value.asDouble() * 2));
  }

  private static JsonNode last(JsonNode root, String section) {
    return root.get(section).get(root.get(section).size() - 1);
  }

  private static JsonNode filter(JsonNode root, String name) {
    for (JsonNode filter : root.get("endToEnd")) {
      if (filter.get("name").asText().equals(name)) {
        return filter;
      }
    }
    throw new IllegalArgumentException(name);
  }

  static void addOne(JsonNode array, int index) {
    ((ArrayNode) array).set(index, LongNode.valueOf(array.get(index).asLong() + 1));
  }

  static void addOne(JsonNode row, String field) {
    ((ObjectNode) row).set(field, LongNode.valueOf(row.get(field).asLong() + 1));
  }

  private static void flip(JsonNode row, String field) {
    String hex = row.get(field).asText();
    String other = hex.charAt(1) == '0' ? "1" : "0";
    ((ObjectNode) row).set(field, TextNode.valueOf(hex.charAt(0) + other + hex.substring(2)));
  }

  private static void deny(JsonNode row) {
    ((ObjectNode) row).set("contains", BooleanNode.valueOf(!row.get("contains").asBoolean()));
  }

  private static void accept(JsonNode row) {
    ((ObjectNode) row).put("n", 100).put("p", 0.01);
  }
}
