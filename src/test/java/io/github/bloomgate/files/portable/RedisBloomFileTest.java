package io.github.bloomgate.files.portable;

import static io.github.bloomgate.support.Failures.assertFails;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.hash.LibraryVectors;
import io.github.bloomgate.model.error.ErrorCode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Headers that the module wrote are read correctly, and headers that it would refuse are refused.
 */
class RedisBloomFileTest {

  @ParameterizedTest
  @ValueSource(strings = {"tiny", "special-elements", "estimated", "huge"})
  void aHeaderOfTheModule(String name) throws IOException {
    var layer = LibraryVectors.of("redisbloom").filter(name).get("header").get("links").get(0);
    var in = new ByteArrayInputStream(Arrays.copyOf(header(name), 73 + 3));
    var parameters = read(in).plan().parameters();
    assertEquals(layer.get("bits").asLong(), parameters.shape().bitSize());
    assertEquals(layer.get("hashes").asInt(), parameters.shape().numHashFunctions());
    assertEquals(layer.get("entries").asLong(), parameters.expectedInsertions());
    assertEquals(layer.get("error").asDouble(), parameters.falsePositiveProbability());
    assertEquals(3, in.available());
  }

  @Test
  void severalLayers() {
    var scaling = new ByteArrayInputStream(header("scaling"));
    assertFails(ErrorCode.LIMIT_EXCEEDED, () -> read(scaling));
  }

  @Test
  void aHeaderThatIsCutOff() {
    for (var length = 0; length < 73; length++) {
      assertCorrupt(
          Arrays.copyOf(header("tiny"), length), "it is cut off after %d".formatted(length));
    }
  }

  /**
   * The module knows option 2, but no command sets it. It reads counts as unsigned, and no real
   * count is above 2^50.
   */
  @ParameterizedTest
  @CsvSource({
    "8, 4, 0, it has 0 layers",
    "8, 4, 1025, it has 1025 layers; the limits are 1 and 1024",
    "8, 4, -1, it has 4294967295 layers",
    "8, 4, -2147483648, it has 2147483648 layers",
    "12, 4, 0, it has the options 0",
    "12, 4, 1, it has the options 1",
    "12, 4, 4, it has the options 4",
    "12, 4, 7, it has the options 7",
    "12, 4, 8, it has the options 8",
    "12, 4, 15, it has the options 15",
    "12, 4, 37, it has the options 37",
    "12, 4, -1, it has the options 4294967295",
    "60, 4, 0, its 0 hash functions",
    "60, 4, 3, its 3 hash functions",
    "60, 4, 5, its 5 hash functions",
    "60, 4, -1, its 4294967295 hash functions",
    "0, 8, -1, it has a count of 18446744073709551615",
    "0, 8, 1125899906842625, it has a count of 1125899906842625",
    "0, 8, 58, its 58 items do not match the number in its layer",
    "20, 8, -1, it has a count of 18446744073709551615",
    "20, 8, 0, its 0 bytes are not whole words",
    "20, 8, 39, its 39 bytes are not whole words",
    "20, 8, 48, its number of bits does not match its 48 bytes",
    "28, 8, 319, its number of bits does not match its 40 bytes",
    "28, 8, 4294967616, its number of bits does not match its 40 bytes",
    "36, 8, 58, its 59 items do not match the number in its layer",
    "64, 8, 0, it has no capacity",
    "64, 8, -9223372036854775808, it has a count of 9223372036854775808",
  })
  void anotherNumber(int at, int bytes, long value, String problem) {
    var field = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(value).array();
    assertCorrupt(with(at, Arrays.copyOf(field, bytes)), problem);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, -0.0, -0.01, 1, 1.5, Double.NaN, Double.POSITIVE_INFINITY})
  void anInvalidRate(double error) {
    assertCorrupt(withDouble(44, error), "its error rate");
  }

  @ParameterizedTest
  @ValueSource(
      doubles = {0, -11, 1, 4.2, 5.8, Double.NaN, Double.POSITIVE_INFINITY, Double.MAX_VALUE})
  void bitsPerEntryMustMatchTheHashFunctions(double bitsPerEntry) {
    assertCorrupt(withDouble(52, bitsPerEntry), "its 4 hash functions");
  }

  /**
   * The module's constant is truncated: it computes 3 hash functions, where full precision gives
   * exactly 2.
   */
  @Test
  void aRateThatIsAPowerOfTwo() throws IOException {
    var header = withDouble(52, -Math.log(0.25) / 0.480453013918201);
    header[60] = 3;
    assertEquals(
        3, read(new ByteArrayInputStream(header)).plan().parameters().shape().numHashFunctions());
    header[60] = 2;
    assertCorrupt(header, "its 2 hash functions");
  }

  @ParameterizedTest
  @ValueSource(bytes = {1, 10, -1})
  void aSizeThatIsAPowerOfTwo(byte exponent) {
    assertCorrupt(with(72, exponent), "its size is given as a power of two");
  }

  private static byte[] header(String name) {
    return HexFormat.of()
        .parseHex(LibraryVectors.of("redisbloom").filter(name).get("headerHex").asText());
  }

  private static byte[] with(int at, byte... field) {
    var header = header("tiny");
    System.arraycopy(field, 0, header, at, field.length);
    return header;
  }

  private static byte[] withDouble(int at, double value) {
    return with(at, ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putDouble(value).array());
  }

  private static FilterReader read(InputStream in) throws IOException {
    return FileDescription.of(FileFormat.REDISBLOOM).read(in);
  }

  private static void assertCorrupt(byte[] bad, String problem) {
    var failure = assertFails(ErrorCode.CORRUPT_IMPORT, () -> read(new ByteArrayInputStream(bad)));
    assertTrue(failure.getMessage().contains(problem), failure.getMessage());
  }
}
