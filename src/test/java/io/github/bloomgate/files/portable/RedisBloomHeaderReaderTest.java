package io.github.bloomgate.files.portable;

import static io.github.bloomgate.files.portable.RedisBloomVectors.filter;
import static io.github.bloomgate.files.portable.RedisBloomVectors.header;
import static io.github.bloomgate.files.portable.RedisBloomVectors.vectors;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.files.portable.RedisBloomHeader.Layer;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Headers that the module itself wrote are read as it means them; what it would not load is not.
 */
class RedisBloomHeaderReaderTest {

  private static final int SECOND_LAYER = 20 + 53;

  static List<String> filters() {
    return List.of("tiny", "special-elements", "estimated", "huge", "scaling");
  }

  @Test
  void everyFilterOfTheVectorsIsHere() throws IOException {
    var names = new ArrayList<String>();
    vectors().forEach(filter -> names.add(filter.get("name").asText()));
    assertEquals(filters(), names);
  }

  @ParameterizedTest
  @MethodSource("filters")
  void aHeaderOfTheModule(String name) throws IOException {
    var filter = filter(name);
    var expected = filter.get("header");

    var header = read(header(name));

    assertEquals(expected.get("size").asLong(), header.items());
    assertEquals(!filter.get("nonScaling").asBoolean(), header.scaling());
    assertEquals(expected.get("growth").asLong(), header.expansion());
    var layers = new ArrayList<Layer>();
    for (var link : expected.get("links")) {
      var layer =
          new Layer(
              link.get("bytes").asLong(),
              link.get("size").asLong(),
              link.get("error").asDouble(),
              link.get("bpe").asDouble(),
              link.get("hashes").asInt(),
              link.get("entries").asLong());
      assertEquals(link.get("bits").asLong(), layer.bits());
      layers.add(layer);
    }
    assertEquals(expected.get("nfilters").asInt(), layers.size());
    assertEquals(layers, header.layers());
  }

  @Test
  void severalLayersAreRead() throws IOException {
    assertEquals(4, read(header("scaling")).layers().size());
  }

  @ParameterizedTest
  @MethodSource("filters")
  void theStreamIsLeftAtTheEndOfTheHeader(String name) throws IOException {
    var bytes = header(name);
    var in = new ByteArrayInputStream(join(bytes, new byte[] {1, 2, 3}));
    assertEquals(bytes.length, RedisBloomHeaderReader.read(in).length());
    assertArrayEquals(new byte[] {1, 2, 3}, in.readAllBytes());
  }

  @Test
  void aHeaderThatIsCutOff() throws IOException {
    var whole = header("scaling");
    for (var length = 0; length < whole.length; length++) {
      var begin = length < 20 ? 0 : 20 + (length - 20) / 53 * 53;
      assertCorrupt(
          Arrays.copyOf(whole, length), "it is cut off after %d bytes".formatted(length), begin);
    }
  }

  @Test
  void moreLayersThanThereAre() throws IOException {
    assertCorrupt(withInt(header("scaling"), 8, 5), "it is cut off after 232 bytes", 232);
  }

  @Test
  void fewerLayersThanThereAre() throws IOException {
    assertCorrupt(withInt(header("scaling"), 8, 3), "its 396 items are not the sum", 0);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1025, -1, Integer.MIN_VALUE, Integer.MAX_VALUE})
  void anInvalidNumberOfLayersIsRefused(int layers) throws IOException {
    assertCorrupt(
        withInt(header("scaling"), 8, layers),
        "it has %s layers; the limits are 1 and 1024".formatted(Integer.toUnsignedString(layers)),
        0);
  }

  @Test
  void asManyLayersAsThereMayBe() throws IOException {
    var one = header("tiny");
    var layer = Arrays.copyOfRange(one, 20, 73);
    var many = new ByteArrayOutputStream();
    many.writeBytes(withLong(withInt(Arrays.copyOf(one, 20), 8, 1024), 0, 1024 * 59));
    for (var i = 0; i < 1024; i++) {
      many.writeBytes(layer);
    }
    assertEquals(1024, read(many.toByteArray()).layers().size());
  }

  /** 2 is known to the module, but no command sets it. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 4, 7, 8, 9, 12, 15, 21, 5 + 32, 5 + (1 << 31), -1})
  void anotherOption(int options) throws IOException {
    assertCorrupt(
        withInt(header("scaling"), 12, options),
        "it has the options " + Integer.toUnsignedString(options),
        0);
  }

  @ParameterizedTest
  @ValueSource(ints = {5, 13})
  void theOptionsThatCommandsSet(int options) throws IOException {
    assertEquals(options == 5, read(withInt(header("tiny"), 12, options)).scaling());
  }

  @Test
  void anyExpansion() throws IOException {
    assertEquals(0, read(withInt(header("tiny"), 16, 0)).expansion());
    assertEquals(0xffffffffL, read(withInt(header("tiny"), 16, -1)).expansion());
  }

  @Test
  void itemsThatDoNotAddUp() throws IOException {
    assertCorrupt(withLong(header("scaling"), 0, 395), "its 395 items are not the sum", 0);
    assertCorrupt(
        withLong(header("scaling"), SECOND_LAYER + 16, 81), "its 396 items are not the sum", 0);
  }

  /** Unsigned in the module; beyond 2^50 nothing is real. */
  @ParameterizedTest
  @CsvSource({"0, items, 0", "73, bytes, 73", "89, items, 73", "117, capacity, 73"})
  void aCountBeyondMeasure(int at, String name, int part) throws IOException {
    for (var count : new long[] {-1, Long.MIN_VALUE, Long.MAX_VALUE, (1L << 50) + 1}) {
      assertCorrupt(
          withLong(header("scaling"), at, count),
          "%s is %s, more than".formatted(name, Long.toUnsignedString(count)),
          part);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 111, 113})
  void bytesThatAreNoWords(long bytes) throws IOException {
    var bad = withLong(header("scaling"), SECOND_LAYER, bytes);
    assertCorrupt(
        withLong(bad, SECOND_LAYER + 8, bytes * 8),
        "layer 1 has %d bytes, which are not whole words".formatted(bytes),
        SECOND_LAYER);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 895, 897, 960, -1, 896 + (1L << 32)})
  void bitsMustMatchTheBytes(long bits) throws IOException {
    assertCorrupt(
        withLong(header("scaling"), SECOND_LAYER + 8, bits),
        "the number of bits of layer 1 does not match its 112 bytes",
        SECOND_LAYER);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, -0.0, -0.01, 1, 1.5, Double.NaN, Double.POSITIVE_INFINITY})
  void anInvalidRateIsRefused(double error) throws IOException {
    assertCorrupt(
        withLong(header("scaling"), SECOND_LAYER + 24, Double.doubleToLongBits(error)),
        "the error rate of layer 1",
        SECOND_LAYER);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 7, 9, -1, Integer.MIN_VALUE})
  void hashFunctionsMustMatchTheBitsPerEntry(int numHashFunctions) throws IOException {
    assertCorrupt(
        withInt(header("scaling"), SECOND_LAYER + 40, numHashFunctions),
        "the %s hash functions of layer 1".formatted(Integer.toUnsignedString(numHashFunctions)),
        SECOND_LAYER);
  }

  @ParameterizedTest
  @ValueSource(
      doubles = {0, -11, 1, 10, 12, Double.NaN, Double.POSITIVE_INFINITY, Double.MAX_VALUE})
  void bitsPerEntryMustMatchTheHashFunctions(double bitsPerEntry) throws IOException {
    assertCorrupt(
        withLong(header("scaling"), SECOND_LAYER + 32, Double.doubleToLongBits(bitsPerEntry)),
        "the 8 hash functions of layer 1",
        SECOND_LAYER);
  }

  /** With 0 bits per entry the formula would give 0 hash functions, which test nothing. */
  @Test
  void noHashFunctionsAtAll() throws IOException {
    var bad = withLong(header("scaling"), SECOND_LAYER + 32, 0);
    assertCorrupt(
        withInt(bad, SECOND_LAYER + 40, 0), "the 0 hash functions of layer 1", SECOND_LAYER);
  }

  /** The constant is cut off: exactly 2 hash functions by full precision are 3 by the module's. */
  @Test
  void aRateThatIsAPowerOfTwo() throws IOException {
    var bitsPerEntry = -Math.log(0.25) / 0.480453013918201;
    var header = withLong(header("tiny"), 20 + 32, Double.doubleToLongBits(bitsPerEntry));
    assertEquals(3, read(withInt(header, 20 + 40, 3)).layers().get(0).numHashFunctions());
    assertCorrupt(withInt(header, 20 + 40, 2), "the 2 hash functions of layer 0", 20);
  }

  @Test
  void noCapacity() throws IOException {
    assertCorrupt(
        withLong(header("scaling"), SECOND_LAYER + 44, 0), "layer 1 has no capacity", SECOND_LAYER);
  }

  @ParameterizedTest
  @ValueSource(bytes = {1, 10, -1})
  void aSizeThatIsAPowerOfTwo(byte exponent) throws IOException {
    var bad = header("scaling");
    bad[SECOND_LAYER + 52] = exponent;
    assertCorrupt(bad, "the size of layer 1 is given as a power of two", SECOND_LAYER);
  }

  private static void assertCorrupt(byte[] bad, String problem, int position) {
    var failure = assertThrows(BloomException.class, () -> read(bad));
    assertEquals(ErrorCode.CORRUPT_IMPORT, failure.code(), failure.getMessage());
    assertTrue(failure.getMessage().contains(problem), failure.getMessage());
    assertTrue(
        failure.getMessage().contains("(at byte %d)".formatted(position)), failure.getMessage());
  }

  private static RedisBloomHeader read(byte[] header) {
    try {
      return RedisBloomHeaderReader.read(new ByteArrayInputStream(header));
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  private static byte[] withInt(byte[] header, int at, int value) {
    var changed = header.clone();
    ByteBuffer.wrap(changed).order(ByteOrder.LITTLE_ENDIAN).putInt(at, value);
    return changed;
  }

  private static byte[] withLong(byte[] header, int at, long value) {
    var changed = header.clone();
    ByteBuffer.wrap(changed).order(ByteOrder.LITTLE_ENDIAN).putLong(at, value);
    return changed;
  }

  private static byte[] join(byte[] first, byte[] second) {
    var joined = new ByteArrayOutputStream();
    joined.writeBytes(first);
    joined.writeBytes(second);
    return joined.toByteArray();
  }
}
