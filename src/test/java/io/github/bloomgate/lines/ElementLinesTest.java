package io.github.bloomgate.lines;

import static io.github.bloomgate.support.Bytes.utf8;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.support.Bytes;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Lines are split and decoded exactly, however they arrive. Lines that are too long, have the wrong
 * encoding or are not text are refused, and no later line is returned.
 */
class ElementLinesTest {

  private static final int MAX = ElementEncoding.MAX_ELEMENT_BYTES;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''        | ",
        "a         | a",
        "a\\n      | a",
        "a\\nb     | a,b",
        "a\\r\\nb\\r\\n | a,b",
        "\\n       | ''",
        "\\r\\n    | ''",
        "a\\n\\n   | a,''",
        "a\\n\\nb  | a,'',b",
        "a\\n\\r\\nb | a,'',b",
        "a\\nb\\r    | a,b",
        "'a '      | 'a '"
      })
  void onlyLineEndingsAreRemoved(String content, String expected) throws Exception {
    var elements = new ArrayList<String>();
    if (expected != null) {
      for (var element : expected.split(",", -1)) {
        elements.add(unescaped(element.replace("'", "")));
      }
    }
    var input = new ByteArrayInputStream(unescaped(content).getBytes(ISO_8859_1));
    assertEquals(elements, read(input, LineFormat.TEXT, ElementEncoding.UTF_8));
  }

  private static String unescaped(String text) {
    return text.replace("\\n", "\n").replace("\\r", "\r");
  }

  @Test
  void theLongestElementIsAcceptedInEveryEncoding() throws Exception {
    var element = new byte[MAX];
    new Random(1).nextBytes(element);
    var text = "a".repeat(MAX);
    var escaped = "\"" + "\\u0061".repeat(MAX) + "\"";
    var hex = HexFormat.of().formatHex(element);
    var base64 = Base64.getEncoder().encodeToString(element);
    var content = new String(element, ISO_8859_1);
    assertEquals(
        List.of(text, text),
        read(utf8(text + "\r\n" + text), LineFormat.TEXT, ElementEncoding.UTF_8));
    assertEquals(List.of(text), read(utf8(escaped), LineFormat.NDJSON, ElementEncoding.UTF_8));
    assertEquals(List.of(content), read(utf8(hex + "\r\n"), LineFormat.TEXT, ElementEncoding.HEX));
    assertEquals(
        List.of(content), read(utf8(base64 + "\r\n"), LineFormat.TEXT, ElementEncoding.BASE64));
    assertEquals(
        List.of(content), read(utf8("\"" + hex + "\""), LineFormat.NDJSON, ElementEncoding.HEX));
  }

  @Test
  void jsonStringsStandForTheirUtf8() throws Exception {
    var content = "\"a\"\r\n \"\" \n\"\\u00e9\"\n\"é\"\n\"\\ud83d\\ude00\"\n\"a\\\"\\n\\u0000\"";
    assertEquals(
        List.of("a", "", "é", "é", "😀", "a\"\n\0"),
        read(utf8(content), LineFormat.NDJSON, ElementEncoding.UTF_8).stream()
            .map(element -> new String(element.getBytes(ISO_8859_1), UTF_8))
            .toList());
  }

  @Test
  void aBatchContainsTheLinesThatHaveArrived() throws Exception {
    var live = Chunks.of(utf8("a\nb\nc"), utf8("c\n"), utf8("d\n"));
    var lines = lines(live, LineFormat.TEXT, ElementEncoding.UTF_8);
    assertEquals(2, lines.next().orElseThrow().elements().size());
    assertTrue(lines.mayWait());
    var second = lines.next().orElseThrow();
    assertEquals("cc", new String(second.elements().get(0), UTF_8));
    assertEquals(3, second.firstLine());
    assertEquals(4, lines.next().orElseThrow().firstLine());
    assertTrue(lines.next().isEmpty());
    assertFalse(lines.mayWait());
  }

  @Test
  void aBatchIsBoundedInElementsAndBytes() throws Exception {
    var many = lines(utf8("\n".repeat(10_000)), LineFormat.TEXT, ElementEncoding.UTF_8);
    assertEquals(LineBatch.MAX_ELEMENTS, many.next().orElseThrow().elements().size());
    var content = ("a".repeat(MAX) + "\n").repeat(100);
    var large = lines(utf8(content), LineFormat.TEXT, ElementEncoding.UTF_8);
    assertEquals(16, large.next().orElseThrow().elements().size());
    // Each line counts with at least one byte for its end, so that rates also limit empty lines.
    var few =
        new ElementLines(
            new ByteArrayInputStream(utf8("\n\na\n\n")),
            LineFormat.TEXT,
            ElementEncoding.UTF_8,
            Optional.empty(),
            last -> 3,
            Sender.CLIENT);
    assertEquals(3, few.next().orElseThrow().elements().size());
  }

  /** Otherwise, a slow source would look as if it had stopped. */
  @Test
  void linesThatArriveSlowlyAreReturnedBeforeABatchIsFull() throws Exception {
    var slow =
        new InputStream() {
          private boolean isElement;

          @Override
          public int read() {
            LockSupport.parkNanos(10_000_000);
            isElement = !isElement;
            return isElement ? 'a' : '\n';
          }

          @Override
          public int read(byte[] bytes, int from, int length) {
            bytes[from] = (byte) read();
            return 1;
          }
        };
    var lines =
        new ElementLines(
            slow,
            LineFormat.TEXT,
            ElementEncoding.UTF_8,
            Optional.empty(),
            last -> 4 << 20,
            Sender.SOURCE);
    assertTrue(lines.next().orElseThrow().elements().size() < LineBatch.MAX_ELEMENTS);
  }

  @ParameterizedTest
  @CsvSource({"TEXT, UTF_8, a, 65537", "TEXT, HEX, 61, 65537", "TEXT, BASE64, YWFh, 21846"})
  void anElementLongerThanTheLimitIsRefused(
      LineFormat format, ElementEncoding encoding, String part, int count) {
    var lines = lines(utf8("61616161\n" + part.repeat(count)), format, encoding);
    refusedAt(2, lines);
  }

  @Test
  void aLineWithoutEndIsRefusedBeforeMemoryIsFull() {
    var endless = new EndlessLine();
    var lines = lines(endless, LineFormat.NDJSON, ElementEncoding.HEX);
    refusedAt(1, lines);
    assertTrue(endless.read < 4_000_000, "read " + endless.read);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "null",
        "1",
        "true",
        "[\"a\"]",
        "{\"a\": 1}",
        "a",
        "\"a",
        "a\"",
        "\"",
        "\"a\" \"b\"",
        "\"a\",",
        "'a'",
        "\"a\tb\"",
        "\"\\q\"",
        "\"\\ud800\"",
        "\"\\udc00\\ud800\"",
        "\"a\"b\"",
        "\"\\\"",
        "\"\\u00e9\" x"
      })
  void onlyJsonStringsAreAccepted(String line) {
    refusedAt(
        3,
        lines(
            utf8("\"ok\"\n\"ok\"\n" + line + "\n\"ok\"\n"),
            LineFormat.NDJSON,
            ElementEncoding.UTF_8));
  }

  @ParameterizedTest
  @ValueSource(strings = {"ff", "c3", "c0af", "eda0bd", "f4908080"})
  void jsonThatIsNotUtf8IsRefused(String hex) {
    var line = "22" + hex + "220a";
    refusedAt(1, lines(HexFormat.of().parseHex(line), LineFormat.NDJSON, ElementEncoding.UTF_8));
  }

  @ParameterizedTest
  @CsvSource({
    "HEX, 6",
    "HEX, zz",
    "HEX, 0x61",
    "HEX, é1",
    "BASE64, a",
    "BASE64, YQ=",
    "BASE64, Y Q==",
    "BASE64, é"
  })
  void textInAnotherEncodingIsRefused(ElementEncoding encoding, String line) {
    refusedAt(2, lines(utf8("6161\n" + line + "\n"), LineFormat.TEXT, encoding));
    refusedAt(2, lines(utf8("\"6161\"\n\"" + line + "\"\n"), LineFormat.NDJSON, encoding));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"feff0061", "fffe6100", "efbbbf61", "6100", "00", "610d62", "610d0d", "0d0d"})
  void linesOfOtherTextAreRefusedAnywhere(String hex) throws Exception {
    for (var format : LineFormat.values()) {
      for (var filler : List.of("a long enough line", "a line of another length")) {
        var before = format == LineFormat.TEXT ? "%s\n" : "\"%s\"\n";
        var lines = utf8(before.formatted(filler).repeat(200));
        var line = Bytes.joined(lines, HexFormat.of().parseHex(hex + "0a"), lines);
        refusedAt(201, lines(line, format, ElementEncoding.UTF_8));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"61efbbbf", "fffd61", "feff", "ff", "c3", "01", "0d"})
  void otherBytesAreElements(String hex) throws Exception {
    var isMark = hex.equals("feff");
    var content = "%s0a%s0a".formatted("61", isMark ? "61feff" : hex);
    assertEquals(
        2, read(HexFormat.of().parseHex(content), LineFormat.TEXT, ElementEncoding.UTF_8).size());
  }

  /** Whether a first line is JSON must not depend on how the rest arrives. */
  @Test
  void jsonInPlaceOfTextIsRecognisedHoweverItArrives() throws Exception {
    var json = "[\n \"a\", \"b\"]\n";
    var pairs = "[\"a\",\"b\"]\n[\"c\",\"d\"]\n";
    for (var cut = 1; cut < json.length(); cut++) {
      var pieces = Chunks.of(utf8(json.substring(0, cut)), utf8(json.substring(cut)));
      var lines = lines(pieces, LineFormat.TEXT, ElementEncoding.UTF_8);
      assertThrows(ContentMismatchException.class, lines::next);
      assertThrows(ContentMismatchException.class, lines::next);
      assertEquals(1, lines.nextLine());
    }
    for (var cut = 1; cut < pairs.length(); cut++) {
      var pieces = Chunks.of(utf8(pairs.substring(0, cut)), utf8(pairs.substring(cut)));
      assertEquals(2, read(pieces, LineFormat.TEXT, ElementEncoding.UTF_8).size());
    }
  }

  /** Otherwise both would wait for each other. */
  @Test
  void aFirstLineIsReturnedToAClientThatWaits() throws Exception {
    for (var first : List.of("{\n", "[\n", "[\"a\n", "\n", "{\"id\": 7}\n")) {
      var lines =
          new ElementLines(
              Chunks.of(utf8(first), utf8("b\n")),
              LineFormat.TEXT,
              ElementEncoding.UTF_8,
              Optional.empty(),
              last -> LineBatch.ORDINARY_BYTES,
              Sender.WAITING_CLIENT);
      assertEquals(1, lines.next().orElseThrow().size(), first);
    }
  }

  @Test
  void linesOfPlainTextAreNotHeldBack() throws Exception {
    for (var first : List.of("a\n", "\n", "{\"id\": 7}\n", "[1]\n", "\"a\" b\n")) {
      var lines =
          lines(Chunks.of(utf8(first), utf8("b\n")), LineFormat.TEXT, ElementEncoding.UTF_8);
      assertEquals(1, lines.next().orElseThrow().size(), first);
    }
  }

  @Test
  void allLinesBeforeABadOneAreReturnedAndNoneAfterIt() throws Exception {
    var lines = lines(utf8("61\n62\nx\n63\n"), LineFormat.TEXT, ElementEncoding.HEX);
    assertEquals(2, lines.next().orElseThrow().elements().size());
    refusedAt(3, lines);
    refusedAt(3, lines);
  }

  @Test
  void linesBeforeABreakAreReturned() throws Exception {
    var gone =
        new FilterInputStream(new ByteArrayInputStream(utf8("a\nb\n"))) {
          @Override
          public int available() throws IOException {
            throw new IOException("the connection is gone");
          }
        };
    var lines = lines(gone, LineFormat.TEXT, ElementEncoding.UTF_8);
    assertEquals(2, lines.next().orElseThrow().elements().size());
    assertThrows(IOException.class, lines::next);
    assertEquals(3, lines.nextLine());
  }

  @Test
  void aTruncatedLineIsNotReturned() throws Exception {
    var broken = Chunks.of(utf8("a\nb\npart")).thenBreaks();
    var lines = lines(broken, LineFormat.TEXT, ElementEncoding.UTF_8);
    assertEquals(2, lines.next().orElseThrow().elements().size());
    assertThrows(IOException.class, lines::next);
    assertThrows(IOException.class, lines::next);
    assertEquals(3, lines.nextLine());
  }

  private static void refusedAt(long line, ElementLines lines) {
    assertThrows(
        InvalidLineException.class,
        () -> {
          while (lines.next().isPresent()) {}
        });
    assertEquals(line, lines.nextLine());
  }

  @ParameterizedTest
  @CsvSource({
    "windows-1252, größe übermäßig häßlich fröhlich zögern",
    "windows-1252, straße|füße|mäuse|häuser|bäume",
    "ISO-8859-1, naïve café crème brûlée où",
    "Shift_JIS, ひらがなとカタカナと漢字を含む文章",
    "Shift_JIS, これはとてもながいひらがなのぶんしょうです",
    "EUC-JP, ひらがなとカタカナと漢字を含む文章",
    "GBK, 布隆過濾器回答可能或肯定不在集合中",
    "GB18030, 布隆过滤器回答可能或肯定不在集合中",
    "Big5, 布隆過濾器回答可能或肯定不在集合中",
    "EUC-KR, 블룸필터는원소가집합에속하는지여부를",
    "UTF-8, 布隆過濾器回答可能或肯定不在集合中"
  })
  void textInOtherEncodingsIsBytes(String charset, String text) throws Exception {
    var bytes = text.replace('|', '\n').getBytes(Charset.forName(charset));
    assertEquals(
        text.split("\\|").length, read(bytes, LineFormat.TEXT, ElementEncoding.UTF_8).size());
  }

  /** Single elements of random bytes, such as digests, are common. */
  @Test
  void randomBytesAreNotTakenForText() throws Exception {
    var random = new Random(1);
    for (var i = 0; i < 200_000; i++) {
      var digest = new byte[32];
      random.nextBytes(digest);
      for (var at = 0; at < digest.length; at++) {
        // NUL and the marks of UTF-16 are refused on purpose.
        digest[at] = digest[at] == 0 || digest[at] == -1 ? 1 : digest[at];
      }
      assertTrue(FileSignature.ofText(digest, digest.length).isEmpty());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"BZh9", "BZh91AY&S", "PK", "PK\n\u0003\u0004", "7zXZ", "(\u00b5/", "GIF89a"})
  void textThatOnlyResemblesABinaryFormatIsAccepted(String text) throws Exception {
    assertTrue(!read(utf8(text), LineFormat.TEXT, ElementEncoding.UTF_8).isEmpty());
  }

  private static final class EndlessLine extends InputStream {

    private long read;

    @Override
    public int read() {
      read++;
      return 'a';
    }

    @Override
    public int read(byte[] into, int offset, int length) {
      read += length;
      Arrays.fill(into, offset, offset + length, (byte) 'a');
      return length;
    }
  }

  private static List<String> read(byte[] content, LineFormat format, ElementEncoding encoding)
      throws Exception {
    return read(new ByteArrayInputStream(content), format, encoding);
  }

  /** The elements, with a char for each byte. */
  private static List<String> read(InputStream in, LineFormat format, ElementEncoding encoding)
      throws Exception {
    var lines = lines(in, format, encoding);
    var elements = new ArrayList<String>();
    for (var batch = lines.next(); batch.isPresent(); batch = lines.next()) {
      assertEquals(elements.size() + 1, batch.get().firstLine());
      batch.get().elements().forEach(element -> elements.add(new String(element, ISO_8859_1)));
      lines.reuse(batch.get());
    }
    return elements;
  }

  private static ElementLines lines(byte[] content, LineFormat format, ElementEncoding encoding) {
    return lines(new ByteArrayInputStream(content), format, encoding);
  }

  /** Batches of the usual size. */
  private static ElementLines lines(InputStream in, LineFormat format, ElementEncoding encoding) {
    return new ElementLines(
        in, format, encoding, Optional.empty(), last -> LineBatch.ORDINARY_BYTES, Sender.CLIENT);
  }
}
