package io.github.bloomgate.http;

import static io.github.bloomgate.http.RawHttp.refused;
import static io.github.bloomgate.support.Bytes.joined;
import static io.github.bloomgate.support.Bytes.utf8;
import static io.github.bloomgate.support.Bytes.zipped;
import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.support.RawResponse;
import io.quarkus.test.junit.QuarkusTest;
import java.nio.charset.Charset;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bodies that do not match their headers are refused and change nothing. */
@QuarkusTest
class ForeignContentTest extends LineStreams {

  private static final String FILE = "Content-Type: application/octet-stream\r\n";
  private static final String LINES = "first\nsecond\nthird\n";

  private String name;

  @BeforeEach
  void makeFilter() {
    name = Api.newFilter("{\"expectedInsertions\": 1000, \"counting\": true}");
    Api.add(name, "kept");
  }

  static Stream<Arguments> foreignFiles() {
    return Stream.of(
        Arguments.of("UTF-16", "iconv -f UTF-16 ", joined(hex("fffe"), LINES.getBytes(UTF_16LE))),
        Arguments.of("UTF-16", "iconv -f UTF-16 ", joined(hex("feff"), LINES.getBytes(UTF_16BE))),
        Arguments.of("UTF-16", "iconv -f UTF-16LE ", LINES.getBytes(UTF_16LE)),
        Arguments.of("UTF-16", "iconv -f UTF-16BE ", LINES.getBytes(UTF_16BE)),
        Arguments.of(
            "UTF-32",
            "iconv -f UTF-32 ",
            joined(hex("fffe0000"), LINES.getBytes(utf32("UTF-32LE")))),
        Arguments.of("UTF-32", "iconv -f UTF-32LE ", LINES.getBytes(utf32("UTF-32LE"))),
        Arguments.of("UTF-32", "iconv -f UTF-32BE ", LINES.getBytes(utf32("UTF-32BE"))),
        Arguments.of("gzip", "-H 'Content-Encoding: gzip'", zipped(utf8(LINES))),
        Arguments.of("zstd", "zstd -d", hex("28b52ffd2415a90000")),
        Arguments.of("xz", "xz -d", hex("fd377a585a000004e6d6b446")),
        Arguments.of("bzip2", "bzip2 -d", hex("425a68393141592653590a0b0c")),
        Arguments.of("bzip2", "bzip2 -d", hex("425a683917724538509000000000")),
        Arguments.of("zip", "unzip -p", hex("504b03041400080808005a")),
        Arguments.of("NUL", "base64 or hex", utf8("first\nsecond\nth\0rd\n")));
  }

  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("foreignFiles")
  void everyStreamRefusesContentThatIsNotText(String what, String remedy, byte[] body) {
    Api.post(name, "rebuild", "{}").statusCode(201);
    for (var target : List.of("add", "test", "remove", "rebuild/add", "test?return=flags")) {
      assertRefused(what, remedy, send(name, target, TEXT, body));
    }
    assertRefused(what, remedy, send(name, "add", NDJSON, body));
    Api.delete(name + "/rebuild").statusCode(204);
    assertRefused(what, remedy, put("elements", TEXT, body));
    assertRefused(what, remedy, put("elements?encoding=hex", TEXT + GZIP, zipped(body)));
    Api.test(name, "kept").body("mightContainCount", equalTo(1));
    assertEquals(1, Api.fields(name).getInt("insertions"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "identity", "Identity", "identity,", " , "})
  void anEmptyContentCodingIsIgnored(String coding) {
    var header = "Content-Encoding: " + coding + "\r\n";
    assertTaken(header, utf8("{\"elements\": [\"a\"]}"), utf8("a\n"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "GZip", "x-gzip", "X-GZIP", "identity, gzip", "gzip,"})
  void gzipIsUnderstoodHoweverItIsWritten(String coding) {
    var header = "Content-Encoding: " + coding + "\r\n";
    assertTaken(header, zipped(utf8("{\"elements\": [\"a\"]}")), zipped(utf8("a\n")));
  }

  /** Asserts that JSON, lines and an import are accepted with this header. */
  private void assertTaken(String header, byte[] json, byte[] lines) {
    ok(send(name, "add", "Content-Type: application/json\r\n" + header, json));
    Api.test(name, "a").body("mightContainCount", equalTo(1));
    ok(send(name, "add", TEXT + header, lines));
    ok(put("elements", TEXT + header, lines));
    var file = Api.exported(name, "");
    ok(
        put(
            "import",
            FILE + header,
            header.toLowerCase(Locale.ROOT).contains("gzip") ? zipped(file) : file));
  }

  @ParameterizedTest
  @CsvSource({
    "gzip, 400",
    "br, 415",
    "'gzip, gzip', 415",
    "'gzip, br', 415",
    "deflate, 415",
    "unknown, 415"
  })
  void aCodingThatDoesNotMatchTheBytesIsRefused(String coding, int status) {
    var header = "Content-Encoding: " + coding + "\r\n";
    for (var answer :
        List.of(
            send(name, "add", "Content-Type: application/json\r\n" + header, utf8("{}")),
            send(name, "add", TEXT + header, utf8("a\n")),
            put("elements", TEXT + header, utf8("a\n")),
            put("import", FILE + header, utf8("a\n")))) {
      var code = status == 415 ? "UNSUPPORTED_FORMAT" : "INVALID_REQUEST";
      var detail = refused(status, code, answer).path("detail").asText();
      var remedy = status == 415 ? "-H 'Content-Encoding: gzip'" : "Content-Encoding";
      assertTrue(detail.contains(remedy), detail);
    }
    Api.test(name, "kept").body("mightContainCount", equalTo(1));
  }

  @Test
  void aFileThatIsGzipIsImportedWithoutAHeader() {
    var file = Api.exported(name, "");
    ok(put("import", FILE, zipped(file)));
    Api.test(name, "kept").body("mightContainCount", equalTo(1));
  }

  /** Any bytes are valid bits, so a compressed file would otherwise be a valid bitmap. */
  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("foreignFiles")
  void aCompressedFileIsNotAcceptedAsABitmap(String what, String remedy, byte[] body) {
    var isPacked = List.of("zstd", "xz", "bzip2", "zip").contains(what);
    var other = Api.newName();
    var target =
        Api.FILTERS
            + other
            + "/import?format=redis-bitmap&hashScheme=go-zero&bitSize=2000&numHashFunctions=14";
    var answer = RawHttp.send("PUT", target, FILE, body);
    if (isPacked) {
      assertRefused(what, remedy, answer);
      Api.describe(other).statusCode(404);
    } else {
      assertEquals(201, answer.status(), answer.text());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"1f", "1f8b08", "1f8b0800000000000000", "28b52ffd00", "504b030400"})
  void identityMeansThatABitmapIsNotCompressed(String bits) {
    var other = Api.newName();
    var target =
        Api.FILTERS
            + other
            + "/import?format=redis-bitmap&hashScheme=go-zero&bitSize=80&numHashFunctions=14";
    var taken = RawHttp.send("PUT", target, FILE, hex(bits));
    refused(400, "INVALID_REQUEST", taken);
    if (bits.startsWith("1f")) {
      assertRefused("gzip", "Content-Encoding: identity", taken);
    }
    var plain = FILE + "Content-Encoding: Identity\r\n";
    assertEquals(201, RawHttp.send("PUT", target, plain, hex(bits)).status());
    assertArrayEquals(Arrays.copyOf(hex(bits), 10), Api.exported(other, "?format=redis-bitmap"));
  }

  @Test
  void gzippedJsonWithoutHeaderIsReported() {
    var answer =
        send(
            name,
            "add",
            "Content-Type: application/json\r\n",
            zipped(utf8("{\"elements\": [\"a\"]}")));
    assertRefused("gzip", "-H 'Content-Encoding: gzip'", answer);
  }

  private RawResponse put(String target, String headers, byte[] body) {
    return send("PUT", name, target, headers, body);
  }

  private static void assertRefused(String what, String remedy, RawResponse answer) {
    var detail = refused(400, "INVALID_REQUEST", answer).path("detail").asText();
    assertTrue(detail.contains(what) && detail.contains(remedy), detail);
  }

  private static Charset utf32(String charset) {
    return Charset.forName(charset);
  }

  private static byte[] hex(String digits) {
    return HexFormat.of().parseHex(digits);
  }
}
