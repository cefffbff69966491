package io.github.bloomgate.http;

import static io.github.bloomgate.http.RawHttp.refused;
import static io.github.bloomgate.support.Bytes.joined;
import static io.github.bloomgate.support.Bytes.utf8;
import static io.github.bloomgate.support.Bytes.zipped;
import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.util.stream.Collectors.joining;
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
import java.util.stream.IntStream;
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
        Arguments.of("7z", "7z e -so", hex("377abcaf271c00045b38")),
        Arguments.of("rar", "unrar p", hex("526172211a0701003392")),
        Arguments.of("lz4", "lz4 -d", hex("04224d186440a7010203")),
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

  static Stream<Arguments> jsonSentAsText() {
    var json = "application/json";
    var ndjson = "application/x-ndjson";
    var many = IntStream.range(0, 500).mapToObj("\"element-%d\""::formatted).collect(joining(", "));
    return Stream.of(
        Arguments.of(json, "{\"elements\":[\"a\",\"b\"]}"),
        Arguments.of(json, "{\n  \"elements\": [\n    \"a\"\n  ]\n}\n"),
        Arguments.of(json, " {\"encoding\" : \"hex\", \"elements\": [\"61\"]}"),
        Arguments.of(json, "{\"filters\":[\"a\"],\"elements\":[\"b\"]}\n"),
        Arguments.of(json, "{\"elements\":[" + many + "]}"),
        Arguments.of(json, "[\"a\",\"b\"]"),
        Arguments.of(json, "[]"),
        Arguments.of(json, "[\"a\\\"\", \"b\\u00e9\"]\r\n"),
        Arguments.of(json, "[\n  \"a\",\n  \"b\"\n]\n"),
        Arguments.of(json, "[" + many + "]"),
        Arguments.of(ndjson, "\"a\""),
        Arguments.of(ndjson, "\"a\"\n\"b\"\n"),
        Arguments.of(ndjson, "\"a\\\"b\"\r\n\"\"\r\n"),
        Arguments.of(ndjson, many.replace(", ", "\n")));
  }

  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("jsonSentAsText")
  void jsonSentAsTextIsRefusedBeforeAnythingIsWritten(String type, String body) {
    for (var header : List.of(TEXT, "Content-Type: text/plain;charset=UTF-8\r\n")) {
      assertRefused("JSON", type, put("elements", header, utf8(body)));
      for (var target : List.of("add", "remove", "add?return=flags", "add?encoding=hex")) {
        var problem = refused(400, "INVALID_REQUEST", send(name, target, header, utf8(body)));
        assertTrue(problem.path("detail").asText().contains(type), problem.toString());
        assertEquals(1, problem.path("line").asInt(), problem.toString());
        assertEquals(0, problem.path("appliedCount").asInt(), problem.toString());
      }
      assertRefused("JSON", type, send(name, "test", header, utf8(body)));
      var several = "/v1/test?filter=" + name;
      assertRefused("JSON", type, RawHttp.sendChunked("POST", several, header, utf8(body)));
    }
    Api.post(name, "rebuild", "{}").statusCode(201);
    assertRefused("JSON", type, send(name, "rebuild/add", TEXT, utf8(body)));
    Api.delete(name + "/rebuild").statusCode(204);
    assertUnchanged();
  }

  /** The way out: every element can be a JSON string. */
  @Test
  void jsonMayBeAnElementInNdjson() {
    ok(send(name, "add", NDJSON, utf8("\"{\\\"elements\\\":[\\\"a\\\"]}\"\n\"[\\\"a\\\"]\"\n")));
    Api.test(name, "{\"elements\":[\"a\"]}", "[\"a\"]").body("mightContainCount", equalTo(2));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"id\": 7}\n{\"id\": 8}\n",
        "{\"elements\": 3}\n",
        "{elements}\n",
        "{",
        "{\n",
        "[",
        "[a]\n[b]\n",
        "[1, 2]\n",
        "[\"a\", 1]\n",
        "[\"user\",\"shop\"]\n[\"user\",\"market\"]\n",
        "[\"a\"] and more\n",
        "[\"a\n",
        "\"Heroes\"\nlow\n",
        "\"Heroes\" by David Bowie\n",
        "\"a\n",
        "a\n\"b\"\n",
        "\n[\"a\"]\n"
      })
  void linesThatOnlyResembleJsonAreElements(String body) {
    var lines = body.lines().toList();
    ok(send(name, "add", TEXT, utf8(body)));
    Api.test(name, lines.toArray(String[]::new)).body("mightContainCount", equalTo(lines.size()));
    var longer = (String.join("\n", lines) + "\n").repeat(1 + 2000 / body.length());
    ok(put("elements", TEXT, utf8(longer)));
    Api.test(name, lines.toArray(String[]::new)).body("mightContainCount", equalTo(lines.size()));
  }

  static Stream<Arguments> mistakenLines() {
    var early = "an ordinary line\n".repeat(100);
    return Stream.of(
        Arguments.of(1, "carriage return", utf8("one\rtwo\rthree\r")),
        Arguments.of(1, "carriage return", utf8("one\rtwo\rthree")),
        Arguments.of(1, "carriage return", utf8("a line\r".repeat(20_000))),
        Arguments.of(101, "carriage return", utf8(early + "one\r\r\n")),
        Arguments.of(101, "byte order mark", utf8(early + "\ufefffirst\n")),
        Arguments.of(101, "UTF-16", joined(utf8(early), hex("fffe"), LINES.getBytes(UTF_16LE))),
        Arguments.of(101, "UTF-16", joined(utf8(early), hex("feff"), "漢字漢字".getBytes(UTF_16BE))),
        Arguments.of(101, "NUL", joined(utf8(early), LINES.getBytes(UTF_16LE))),
        Arguments.of(1, "curl -d", utf8("a file without its line ends, ".repeat(5000))));
  }

  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("mistakenLines")
  void mistakenLinesAreRefusedByNumber(int line, String mistake, byte[] body) {
    for (var target : List.of("test", "remove", "add")) {
      var answer = send(name, target, TEXT, body);
      assertTrue(List.of(400, 422).contains(answer.status()), answer.text());
      var problem = Api.tree(answer.text());
      assertEquals(line, problem.path("line").asInt(), problem.toString());
      assertTrue(problem.path("detail").asText().contains(mistake), problem.toString());
    }
    var answer = put("elements", TEXT, body);
    assertTrue(answer.text().contains("Line " + line + " "), answer.text());
    Api.test(name, "kept").body("mightContainCount", equalTo(1));
  }

  /** Nothing marks it, but no text in another encoding looks like this. */
  @Test
  void chineseInUtf16WithoutMarkOrLineEndIsRecognised() {
    var text = "布隆過濾器回答可能或肯定不在集合中，占用很少的內存。";
    assertRefused("UTF-16", "iconv -f UTF-16LE ", send(name, "add", TEXT, text.getBytes(UTF_16LE)));
    assertRefused("UTF-16", "iconv -f UTF-16BE ", put("elements", TEXT, text.getBytes(UTF_16BE)));
    assertUnchanged();
  }

  @ParameterizedTest
  @CsvSource({
    "utf-8, c3a9, true",
    "utf-8, ff, false",
    "UTF-8, 61e4, false",
    "us-ascii, 61, true",
    "us-ascii, c3a9, false",
    ", ff, true"
  })
  void linesAreInTheCharsetThatWasDeclared(String charset, String line, boolean isTaken) {
    var header =
        "Content-Type: text/plain" + (charset == null ? "" : "; charset=" + charset) + "\r\n";
    var body = joined(utf8("first\n"), hex(line), utf8("\nlast\n"));
    var answer = send(name, "add", header, body);
    if (isTaken) {
      ok(answer);
      Api.testEncoded(name, "hex", List.of(line)).body("mightContainCount", equalTo(1));
    } else {
      var problem = refused(400, "INVALID_REQUEST", answer);
      assertEquals(2, problem.path("line").asInt(), problem.toString());
      assertTrue(problem.path("detail").asText().contains(charset.toUpperCase(Locale.ROOT)));
      Api.test(name, "first", "last").body("mightContain", equalTo(List.of(true, false)));
    }
  }

  private void assertUnchanged() {
    Api.test(name, "kept").body("mightContainCount", equalTo(1));
    var fields = Api.fields(name);
    assertEquals(1, fields.getInt("insertions"));
    assertEquals(1, fields.getInt("generation"));
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
    var isPacked = List.of("zstd", "xz", "bzip2", "7z", "rar", "lz4", "zip").contains(what);
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
