package io.github.bloomgate.hash;

import static io.github.bloomgate.hash.LibraryRows.element;
import static io.github.bloomgate.hash.LibraryRows.locate;
import static io.github.bloomgate.hash.LibraryRows.longs;
import static io.github.bloomgate.hash.LibraryRows.probability;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.bloomgate.support.ProjectFiles;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;

/** The golden file of a library, which schemes are compared with. */
public final class LibraryVectors {

  private final String id;
  private final JsonNode root;

  LibraryVectors(String id, JsonNode root) {
    this.id = id;
    this.root = root;
  }

  public static LibraryVectors of(String id) {
    return new LibraryVectors(
        id, ProjectFiles.json("src/test/resources/hash/libraries/" + id + ".json"));
  }

  public JsonNode root() {
    return root;
  }

  public JsonNode filter(String name) {
    for (var filter : root.get("endToEnd")) {
      if (filter.get("name").asText().equals(name)) {
        return filter;
      }
    }
    throw new IllegalArgumentException(name);
  }

  void checkAll() {
    assertEquals(id, root.get("scheme").asText());
    checkLocations(150);
    checkOtherFunnels();
    checkVariants();
    checkParameters(0);
    checkRejectedParameters();
    checkCodecs();
    checkVersionSurvey();
  }

  void checkLocations(int atLeast) {
    for (JsonNode row : section("locations", atLeast)) {
      assertArrayEquals(longs(row.get("offsets")), locate(scheme(), element(row), row), text(row));
      if (row.has("hash0Hex")) {
        long[] words = new long[2];
        hashLikeRedisson(element(row), words);
        assertEquals(row.get("hash0Hex").asText(), "%016x".formatted(words[0]), text(row));
        assertEquals(row.get("hash1Hex").asText(), "%016x".formatted(words[1]), text(row));
      }
    }
  }

  private static void hashLikeRedisson(byte[] element, long[] words) {
    HighwayHash.hash(
        element,
        0,
        element.length,
        new long[] {
          0x9e3779b97f4a7c15L, 0xf39cc0605cedc834L, 0x1082276bf3a27251L, 0xf86c6a11d0c18e95L
        },
        words);
  }

  /** Guava's funnels for other types also write bytes. */
  void checkOtherFunnels() {
    for (JsonNode row : section("otherFunnels", 0)) {
      byte[] input = HexFormat.of().parseHex(row.get("inputHex").asText());
      assertArrayEquals(longs(row.get("offsets")), locate(scheme(), input, row), text(row));
    }
  }

  /** Copies of the class whose loop is one shorter are not supported, and differ only in this. */
  void checkVariants() {
    for (JsonNode variant : section("variants", 0)) {
      assertEquals("loop-stops-one-early", variant.get("name").asText());
      for (JsonNode row : variant.get("locations")) {
        long[] offsets = locate(scheme(), element(row), row);
        offsets[offsets.length - 1] = 0;
        assertArrayEquals(longs(row.get("offsets")), offsets, text(row));
      }
    }
  }

  void checkParameters(int atLeast) {
    for (JsonNode row : section("parameters", atLeast)) {
      long n = row.get("n").asLong();
      double p = probability(row);
      long m = row.get("m").asLong();
      int k = row.get("k").asInt();
      if (m > LibraryScheme.REDIS_LIMIT) {
        assertRefused(n, p, String.valueOf(m), String.valueOf(LibraryScheme.REDIS_LIMIT));
        continue;
      }
      FilterShape shape = scheme().shapeFor(n, p);
      assertEquals(new FilterShape(1, m, k), shape, text(row));
      assertEquals(shape, scheme().shapeOf(m, k), text(row));
      if (row.has("effectiveError")) {
        assertEquals(row.get("effectiveError").asDouble(), p, text(row));
      }
      if (row.path("nonScaling").asBoolean()) {
        assertEquals(shape, scheme().shapeFor(n, row.get("p").asDouble()), text(row));
      }
      if (row.has("kBefore33_4")) {
        FilterShape former = new FilterShape(1, m, row.get("kBefore33_4").asInt());
        assertEquals(former, scheme().formerShapeFor(n, p).orElse(shape), text(row));
        assertEquals(!former.equals(shape), scheme().formerShapeFor(n, p).isPresent(), text(row));
        assertEquals(row.get("optimalNumOfBits").asLong(), LibrarySizing.bits(n, p), text(row));
      } else {
        assertEquals(Optional.empty(), scheme().formerShapeFor(n, p), text(row));
      }
    }
    if (section("parameters", 0).isEmpty()) {
      assertRefused(1000, 0.01, "cannot compute", "bitSize");
    }
  }

  void checkRejectedParameters() {
    for (JsonNode row : section("rejectedParameters", 0)) {
      long n = row.get("n").asLong();
      double p = row.get("p").asDouble();
      String size =
          row.get("error")
              .asText()
              .replaceAll(".*(calculated size is |range \\[1, )(\\d+)\\]?", "$2");
      assertRefused(n, p, size.matches("\\d+") ? size : "0 bits");
    }
  }

  private void assertRefused(long n, double p, String... parts) {
    var refusal =
        assertThrows(IllegalArgumentException.class, () -> scheme().shapeFor(n, p), n + ", " + p);
    for (String part : parts) {
      assertTrue(refusal.getMessage().contains(part), refusal.getMessage());
    }
  }

  void checkCodecs() {
    for (JsonNode row : section("codecs", 0)) {
      String codec = row.get("codec").asText();
      if (row.get("javaType").asText().equals("java.lang.String")) {
        byte[] value = row.get("value").asText().getBytes(UTF_8);
        if (codec.endsWith(".Kryo5Codec")) {
          assertEquals(
              row.get("encodedHex").asText(),
              HexFormat.of().formatHex(Kryo5String.encode(value)),
              text(row));
        } else if (codec.endsWith(".StringCodec")) {
          assertEquals(row.get("encodedHex").asText(), HexFormat.of().formatHex(value), text(row));
        }
      }
    }
  }

  /** The bits of one word with each version's default codec. */
  void checkVersionSurvey() {
    if (!root.has("versionSurvey")) {
      return;
    }
    for (JsonNode row : root.get("versionSurvey").get("results")) {
      byte[] hello = {'h', 'e', 'l', 'l', 'o'};
      assertArrayEquals(
          longs(row.get("stringCodecBits")), sorted(scheme(), hello, 729, 5), text(row));
      if (row.get("defaultCodec").asText().endsWith(".Kryo5Codec")) {
        assertArrayEquals(
            longs(row.get("defaultCodecBits")), sorted(kryo(), hello, 729, 5), text(row));
      } else {
        byte[] encoded = HexFormat.of().parseHex(row.get("encodedHello").asText());
        assertArrayEquals(
            longs(row.get("defaultCodecBits")), sorted(scheme(), encoded, 729, 5), text(row));
      }
    }
  }

  private HashScheme scheme() {
    return HashSchemes.named(id).orElseThrow();
  }

  private HashScheme kryo() {
    return HashSchemes.named(id, Optional.of("kryo5")).orElseThrow();
  }

  private static long[] sorted(HashScheme scheme, byte[] element, long m, int k) {
    long[] positions = new long[k];
    scheme.locate(element, new FilterShape(1, m, k), positions);
    return Arrays.stream(positions).sorted().distinct().toArray();
  }

  JsonNode section(String name, int atLeast) {
    JsonNode rows = root.path(name);
    assertTrue(rows.size() >= atLeast, id + ": " + name + " has only " + rows.size() + " rows");
    return rows;
  }

  private String text(JsonNode row) {
    return id + ": " + row;
  }
}
