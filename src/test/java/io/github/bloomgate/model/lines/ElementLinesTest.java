package io.github.bloomgate.model.lines;

import static io.github.bloomgate.support.Bytes.utf8;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
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
        "a\\rb\\n  | a\\rb",
        "a\\r\\r\\n | a\\r",
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
            last -> 3,
            true);
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
        new ElementLines(slow, LineFormat.TEXT, ElementEncoding.UTF_8, last -> 4 << 20, false);
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

  @Test
  void aByteOrderMarkIsRefusedAtTheStartOnly() throws Exception {
    for (var format : LineFormat.values()) {
      refusedAt(1, lines(utf8("\ufeffa\n"), format, ElementEncoding.UTF_8));
    }
    assertEquals(2, read(utf8("a\n\ufeffa\n"), LineFormat.TEXT, ElementEncoding.UTF_8).size());
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

  @Test
  void aZeroByteIsRefusedWithinTheFirstKilobyteOnly() throws Exception {
    var last = utf8("a".repeat(1023) + "\0");
    assertThrows(
        ContentMismatchException.class, () -> read(last, LineFormat.TEXT, ElementEncoding.UTF_8));
    var behind = utf8("a".repeat(1024) + "\0");
    assertEquals(1, read(behind, LineFormat.TEXT, ElementEncoding.UTF_8).size());
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
    return new ElementLines(in, format, encoding, last -> LineBatch.ORDINARY_BYTES, true);
  }
}
