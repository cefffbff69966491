package io.github.bloomgate.files.portable;

import static io.github.bloomgate.support.Bytes.joined;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Truncated, altered or malicious headers are refused. */
class CorruptHeaderTest extends CorruptFiles {

  @ParameterizedTest
  @ValueSource(ints = {0, 2, -1, Integer.MIN_VALUE, 0x01000000})
  void anotherVersion(int version) {
    assertCorrupt(
        withInt(file, 8, version),
        "its format has version %s, and this service reads version 1"
            .formatted(Integer.toUnsignedString(version)));
  }

  @ParameterizedTest
  @ValueSource(ints = {8193, 65_536, 1 << 30, Integer.MAX_VALUE, -1, Integer.MIN_VALUE})
  void aHeaderThatClaimsToBeLong(int length) {
    assertCorrupt(withInt(file, 12, length), "header claims to be longer than 8192 bytes");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{                           | [{",
        "}                           | }}",
        "}                           | } {}",
        "{                           | {\"extra\": 1,",
        "{                           | {\"name\": \"again\",",
        "\"name\":                   | \"\\u006eame\":0,\"x\":",
        "\"sample\"                  | \"sam ple\"",
        "\"sample\"                  | \"\"",
        "\"sample\"                  | 17",
        "\"sample\"                  | null",
        "\"sample\"                  | [\"sample\"]",
        "\"sample\"                  | {\"name\": \"sample\"}",
        "\"bloomgate-1\"             | \"bloomgate-2\"",
        "\"bloomgate-1\"             | \"redisson\"",
        "\"bloomgate-1\"             | \"redisson\",\"elementCodec\":\"json\"",
        "\"bloomgate-1\"             | \"redisson\",\"elementCodec\":null",
        "\"bloomgate-1\"             | \"redisson\",\"elementCodec\":\"string\",\"elementCodec\":\"string\"",
        "\"bloomgate-1\"             | \"bloomgate-1\",\"elementCodec\":\"string\"",
        "\"bloomgate-1\"             | \"go-zero\"",
        "\"bloomgate-1\"             | \"scrapy-redis-bloomfilter\"",
        "\"accept\"                  | \"ACCEPT\"",
        "\"accept\"                  | true",
        "\"segments\":1              | \"segments\":0",
        "\"segments\":1              | \"segments\":-1",
        "\"segments\":1              | \"segments\":2",
        "\"segments\":1              | \"segments\":2147483647",
        "\"segments\":1              | \"segments\":2147483648",
        "\"segments\":1              | \"segments\":4294967297",
        "\"segments\":1              | \"segments\":9223372036854775808",
        "\"segments\":1              | \"segments\":1e0",
        "\"segments\":1              | \"segments\":1.0",
        "\"segments\":1              | \"segments\":\"1\"",
        "\"segments\":1              | \"segments\":true",
        "\"segmentBits\":1600000     | \"segmentBits\":1600001",
        "\"segmentBits\":1600000     | \"segmentBits\":0",
        "\"segmentBits\":1600000     | \"segmentBits\":-64",
        "\"segmentBits\":1600000     | \"segmentBits\":68719476736",
        "\"segmentBits\":1600000     | \"segmentBits\":9223372036854775744",
        "\"numHashFunctions\":7      | \"numHashFunctions\":0",
        "\"numHashFunctions\":7      | \"numHashFunctions\":256",
        "\"numHashFunctions\":7      | \"numHashFunctions\":4294967303",
        "\"generation\":3            | \"generation\":0",
        "\"generation\":3            | \"generation\":03",
        "\"2026-11-21T14:00:00.123Z\" | \"yesterday\"",
        "\"2026-11-21T14:00:00.123Z\" | 1763733600123",
        "\"falsePositiveProbability\": | \"falsePositiveProbability\":1",
        "\"falsePositiveProbability\": | \"falsePositiveProbability\":-",
        "\"falsePositiveProbability\":0 | \"falsePositiveProbability\":NaN,\"x\":0",
        "\"expectedInsertions\":     | \"expectedInsertions\":9999999",
        "\"expectedInsertions\":     | \"expectedInsertions\":-",
      })
  void aWrongHeader(String part, String replacement) {
    var json = new String(sample.header().json(), StandardCharsets.US_ASCII);
    assertTrue(json.contains(part), json);
    assertCorrupt(withHeader(json.replace(part, replacement)), "its header ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "GROWN|\"whenFull\":\"grow\"|\"whenFull\":\"accept\"",
        "GROWN|\"hashScheme\":\"bloomgate-1\"|\"hashScheme\":\"redisbloom\"",
        "GROWN|\"factor\":2|\"factor\":11",
        "GROWN|\"factor\":2|\"factor\":0",
        "GROWN|\"maxSizeBytes\":1048576|\"maxSizeBytes\":500",
        "GROWN|\"maxSizeBytes\":1048576|\"maxSizeBytes\":8589934593",
        "GROWN|\"layers\":[|\"layers\":[],\"more\":[",
        "GROWN|\"layers\":[|\"layers\":[{},",
        "GROWN|\"layers\":[|\"layers\":[7,",
        "GROWN|\"layers\":[|\"layers\":[null,",
        "GROWN|\"firstSegment\":1|\"firstSegment\":0",
        "GROWN|\"firstSegment\":2|\"firstSegment\":3",
        "GROWN|\"firstSegment\":0|\"openedAt\":\"2026-11-21T14:00:00.123Z\",\"firstSegment\":0",
        "GROWN|\"growth\":{|\"growth\":null,\"more\":{",
        "GROWN|\"counting\":false|\"counting\":true",
        "GROWN|0,\"expectedInsertions\":100,|0,\"expectedInsertions\":99,",
        "GROWN|0,\"expectedInsertions\":100,|0,\"expectedInsertions\":0,",
        "GROWN|\"falsePositiveProbability\":0.005|\"falsePositiveProbability\":0.0051",
        "GROWN|\"falsePositiveProbability\":0.0025|\"falsePositiveProbability\":0.1",
        "GROWN|\"segments\":1|\"segments\":2",
        "GROWN|\"numHashFunctions\":9|\"numHashFunctions\":0",
        "COUNTING|\"counting\":true|\"counting\":null",
        "COUNTING|\"hashScheme\":\"bloomgate-1\"|\"hashScheme\":\"go-zero\"",
        "COUNTING|\"whenFull\":\"reject\"|\"whenFull\":\"grow\"",
        "COUNTING|\"segmentBits\":57600|\"segmentBits\":57664",
        "WINDOW|\"counting\":false|\"counting\":true",
        "WINDOW|\"window\":{|\"windows\":{",
        "WINDOW|\"window\":{|\"window\":[],\"more\":{",
        "WINDOW|\"whenFull\":\"accept\"|\"whenFull\":\"reject\"",
        "WINDOW|\"hashScheme\":\"bloomgate-1\"|\"hashScheme\":\"go-zero\"",
        "WINDOW|\"seconds\":86400|\"seconds\":0",
        "WINDOW|\"seconds\":86400|\"seconds\":315360001",
        "WINDOW|\"insertions\":0|\"insertions\":1000",
        "WINDOW|\"slices\":4|\"slices\":5",
        "WINDOW|\"slices\":4|\"slices\":1",
        "WINDOW|\"slices\":4|\"slices\":65",
        "WINDOW|\"refresh\":true|\"refresh\":1",
        "WINDOW|\"refresh\":true|\"refresh\":null",
        "WINDOW|\"segments\":1|\"segments\":2",
      })
  void aWrongHeaderOfAnotherKind(GoldenFile golden, String part, String replacement)
      throws IOException {
    var json = golden.header();
    assertTrue(json.contains(part), json);
    assertInvalidHeader(json.replaceFirst(Pattern.quote(part), replacement));
  }

  @Test
  void aFilterThatDoesNotGrowHasOneLayer() throws IOException {
    var json = GoldenFile.PLAIN.header();
    var layer = json.substring(json.lastIndexOf("[{") + 1, json.lastIndexOf(']'));
    assertInvalidHeader(json.replace("]", "," + layer + "]"));
    assertInvalidHeader(
        json.replace("]", "," + layer.replace("\"firstSegment\":0", "\"firstSegment\":1") + "]"));
    assertInvalidHeader(json.replace("reject", "grow"));
  }

  @Test
  void moreLayersThanAFilterCanHave() throws IOException {
    var json = GoldenFile.GROWN.header();
    var last = json.substring(json.lastIndexOf("{\"firstSegment"), json.lastIndexOf(']'));
    assertInvalidHeader(json.replace("]", ("," + last).repeat(30) + "]"));
  }

  private void assertInvalidHeader(String json) {
    assertCorrupt(withHeader(json), "its header ");
  }

  @ParameterizedTest
  @EnumSource
  void aHeaderWithAFieldLess(GoldenFile golden) throws IOException {
    var whole = new ObjectMapper().readTree(golden.header());
    for (var path :
        List.of(
            "",
            "/plan",
            "/plan/growth",
            "/plan/window",
            "/plan/layers/0",
            "/plan/layers/0/shape")) {
      var names = new ArrayList<String>();
      whole.at(path).fieldNames().forEachRemaining(names::add);
      for (var name : names) {
        var rest = whole.deepCopy();
        ((ObjectNode) rest.at(path)).remove(name);
        var problem = golden == GoldenFile.PLAIN ? name + " (at byte 0)" : "its header ";
        // Without a window, the header is valid for another filter, and newer files have no date.
        if (!List.of("window", "exportedAt").contains(name)) {
          assertCorrupt(withHeader(rest.toString()), problem);
        }
      }
    }
  }

  @Test
  void aHeaderWithoutTheWindowOfItsSegments() throws IOException {
    var json = GoldenFile.WINDOW.header();
    var bytes = GoldenFile.WINDOW.bytes();
    var end = FileLayout.PREAMBLE_BYTES + json.length() + FileLayout.CHECKSUM_BYTES;
    var other = json.replaceFirst("\"window\":\\{.*?},", "");
    assertNotEquals(json, other);
    assertCorrupt(
        joined(header(other), Arrays.copyOfRange(bytes, end, bytes.length)),
        "expected the end of segment 0");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "bloomgate-1       | 0a0a0a0a0a0a0a0a | 0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b",
        "bloomgate-1-keyed | 0A0a0a0a0a0a0a0a | 0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b",
        "bloomgate-1-keyed | 0a0a0a0a0a0a0a0a | 0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0",
        "bloomgate-1-keyed |                  | 0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b",
        "bloomgate-1-keyed | 0a0a0a0a0a0a0a0a |",
        "bloomgate-1-keyed |                  |",
      })
  void aMissingMalformedOrUnexpectedKey(String scheme, String secretId, String salt) {
    var json = new String(sample.header().json(), StandardCharsets.US_ASCII);
    var fields = new StringBuilder("\"hashScheme\":\"" + scheme + "\"");
    if (secretId != null || salt != null) {
      var key = new ObjectMapper().createObjectNode();
      Optional.ofNullable(secretId).ifPresent(text -> key.put("secretId", text));
      Optional.ofNullable(salt).ifPresent(text -> key.put("salt", text));
      fields.append(",\"hashKey\":").append(key);
    }
    assertCorrupt(withHeader(json.replace("\"hashScheme\":\"bloomgate-1\"", fields)), "hashKey");
  }

  @Test
  void aHeaderThatIsNotJson() {
    for (var text :
        List.of(
            "",
            " ",
            "{",
            "}",
            "[]",
            "null",
            "1",
            "\"",
            "{}",
            "{\"name\"",
            "{\"name\":",
            "{\"name\"}",
            "[".repeat(4096),
            "{\"name\":".repeat(500),
            "{\"a\":" + "9".repeat(4000) + "}")) {
      assertCorrupt(withHeader(text), "its header ");
    }
    assertCorrupt(withHeader("{\"n\u0000\":1}"), "printable");
    assertCorrupt(withHeader("{\"n\u00e9\":1}"), "printable");
  }

  /** The sample with another header. */
  private byte[] withHeader(String json) {
    return joined(header(json), part(1, -1));
  }

  /** A header with the right checksum. */
  private static byte[] header(String json) {
    var text = json.getBytes(StandardCharsets.ISO_8859_1);
    var head = ByteBuffer.allocate(FileLayout.PREAMBLE_BYTES + text.length + 4);
    head.putLong(FileLayout.MAGIC).putInt(FileLayout.VERSION).putInt(text.length).put(text);
    head.putInt(checksum(head.array(), 0, head.position()));
    return head.array();
  }
}
