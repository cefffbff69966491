package io.github.bloomgate.hash;

import static io.github.bloomgate.hash.LibraryRows.element;
import static io.github.bloomgate.hash.LibraryRows.locate;
import static io.github.bloomgate.hash.LibraryRows.longs;
import static io.github.bloomgate.hash.LibraryRows.probability;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigInteger;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Predicate;

/** The filters of a golden file, compared bit by bit with those that the scheme makes. */
final class LibraryBitmaps {

  /** Filters up to this size are built; of larger ones the set bits are compared. */
  private static final long MOST_BITS_BUILT = 1L << 26;

  private final String id;

  LibraryBitmaps(String id) {
    this.id = id;
  }

  void check(JsonNode filters) {
    for (JsonNode filter : filters) {
      if (filter.has("links")) {
        checkLayers(filter);
      } else if (filter.get("m").asLong() > MOST_BITS_BUILT) {
        checkSetBits(filter);
      } else {
        checkBitmap(filter);
      }
    }
  }

  private void checkBitmap(JsonNode filter) {
    String name = id + ", " + filter.get("name").asText();
    HashScheme scheme = scheme(filter);
    RedisBitmaps bitmap = new RedisBitmaps(scheme, shape(scheme, filter));
    for (int i = 0; i < filter.get("elements").size(); i++) {
      JsonNode row = filter.get("elements").get(i);
      checkEncoding(row);
      long before = bitmap.bitsSet();
      bitmap.add(element(row));
      if (filter.has("addReturned")) {
        boolean changed = bitmap.bitsSet() > before;
        assertEquals(filter.get("addReturned").get(i).asBoolean(), changed, name + i);
      }
    }
    checkStored(filter, bitmap, name);
    checkAnswers(filter, bitmap::mightContain, name);
  }

  private void checkLayers(JsonNode filter) {
    String name = id + ", " + filter.get("name").asText();
    var grown =
        new GrowingFilter(
            scheme(),
            filter.get("n").asLong(),
            probability(filter),
            filter.get("expansion").asInt());
    for (int i = 0; i < filter.get("elements").size(); i++) {
      assertEquals(
          filter.get("addReturned").get(i).asBoolean(),
          grown.add(element(filter.get("elements").get(i))),
          name + i);
    }
    JsonNode layers = filter.get("links");
    assertEquals(layers.size(), grown.layers().size(), name);
    for (int i = 0; i < layers.size(); i++) {
      assertEquals(
          scheme().shapeOf(layers.get(i).get("bits").asLong(), layers.get(i).get("hashes").asInt()),
          scheme()
              .shapeFor(
                  layers.get(i).get("entries").asLong(), layers.get(i).get("error").asDouble()),
          name + i);
      checkStored(layers.get(i), grown.layers().get(i), name + i);
    }
    checkAnswers(filter, grown::mightContain, name);
  }

  private static void checkStored(JsonNode expected, RedisBitmaps bitmap, String name) {
    byte[] padded = HexFormat.of().parseHex(bitmap.toHex().get(0));
    byte[] stored = Arrays.copyOf(padded, expected.get("redisStringLength").asInt());
    assertEquals(expected.get("bitCount").asLong(), bitmap.bitsSet(), name);
    assertEquals(expected.get("paddedLength").asInt(), padded.length, name);
    assertEquals(expected.get("bitmapHex").asText(), HexFormat.of().formatHex(stored), name);
    assertEquals(expected.get("bitmapSha256").asText(), sha256(stored), name);
    assertEquals(expected.get("paddedSha256").asText(), sha256(padded), name);
  }

  private void checkAnswers(JsonNode filter, Predicate<byte[]> mightContain, String name) {
    for (String section : new String[] {"present", "absent"}) {
      for (JsonNode row : filter.get(section)) {
        assertEquals(
            row.get("contains").asBoolean(), mightContain.test(element(row)), name + text(row));
      }
    }
  }

  private void checkSetBits(JsonNode filter) {
    String name = id + ", " + filter.get("name").asText();
    HashScheme scheme = scheme(filter);
    assertEquals(1, shape(scheme, filter).segments());
    var bits = new TreeSet<Long>();
    for (JsonNode row : filter.get("elements")) {
      for (long offset : locate(scheme, element(row), filter)) {
        bits.add(offset);
      }
    }
    assertEquals(filter.get("bitCount").asInt(), bits.size(), name);
    assertEquals(filter.get("redisStringLength").asLong(), bits.last() / 8 + 1, name);
    assertArrayEquals(
        longs(filter.get("setBits")), bits.stream().mapToLong(Long::longValue).toArray(), name);
    checkAnswers(
        filter,
        element -> Arrays.stream(locate(scheme, element, filter)).allMatch(bits::contains),
        name);
  }

  private void checkEncoding(JsonNode row) {
    if (row.has("encodedHex")) {
      assertEquals(
          row.get("encodedHex").asText(),
          HexFormat.of().formatHex(Kryo5String.encode(element(row))),
          text(row));
    }
  }

  /** A filter's shape, compared with the one for n and p if these are given. */
  private static FilterShape shape(HashScheme scheme, JsonNode filter) {
    FilterShape shape = scheme.shapeOf(filter.get("m").asLong(), filter.get("k").asInt());
    assertEquals(filter.get("m").asLong(), shape.segmentBits());
    if (filter.has("n")) {
      assertEquals(shape, scheme.shapeFor(filter.get("n").asLong(), probability(filter)));
    }
    return shape;
  }

  private HashScheme scheme() {
    return HashSchemes.named(id).orElseThrow();
  }

  private HashScheme scheme(JsonNode filter) {
    return filter.path("codec").asText().equals("default")
        ? HashSchemes.named(id, Optional.of("kryo5")).orElseThrow()
        : scheme();
  }

  private String text(JsonNode row) {
    return id + ": " + row;
  }

  private static String sha256(byte[] bytes) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
      return "%064x".formatted(new BigInteger(1, digest));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
