package io.github.bloomgate.model.lines;

import static io.github.bloomgate.model.lines.Lines.bytes;
import static io.github.bloomgate.model.lines.Lines.lines;
import static io.github.bloomgate.model.lines.Lines.read;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Lines are split and decoded exactly, however they arrive. */
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
        read(bytes(text + "\r\n" + text), LineFormat.TEXT, ElementEncoding.UTF_8));
    assertEquals(List.of(text), read(bytes(escaped), LineFormat.NDJSON, ElementEncoding.UTF_8));
    assertEquals(List.of(content), read(bytes(hex + "\r\n"), LineFormat.TEXT, ElementEncoding.HEX));
    assertEquals(
        List.of(content), read(bytes(base64 + "\r\n"), LineFormat.TEXT, ElementEncoding.BASE64));
    assertEquals(
        List.of(content), read(bytes("\"" + hex + "\""), LineFormat.NDJSON, ElementEncoding.HEX));
  }

  @Test
  void jsonStringsStandForTheirUtf8() throws Exception {
    var content = "\"a\"\r\n \"\" \n\"\\u00e9\"\n\"é\"\n\"\\ud83d\\ude00\"\n\"a\\\"\\n\\u0000\"";
    assertEquals(
        List.of("a", "", "é", "é", "😀", "a\"\n\0"),
        read(bytes(content), LineFormat.NDJSON, ElementEncoding.UTF_8).stream()
            .map(element -> new String(element.getBytes(ISO_8859_1), UTF_8))
            .toList());
  }

  @Test
  void aBatchContainsTheLinesThatHaveArrived() throws Exception {
    var live = Chunks.of(bytes("a\nb\nc"), bytes("c\n"), bytes("d\n"));
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
    var many = lines(bytes("\n".repeat(10_000)), LineFormat.TEXT, ElementEncoding.UTF_8);
    assertEquals(LineBatch.MAX_ELEMENTS, many.next().orElseThrow().elements().size());
    var content = ("a".repeat(MAX) + "\n").repeat(100);
    var large = lines(bytes(content), LineFormat.TEXT, ElementEncoding.UTF_8);
    assertEquals(16, large.next().orElseThrow().elements().size());
    // Each line counts with at least one byte for its end, so that rates also limit empty lines.
    var few =
        new ElementLines(
            new ByteArrayInputStream(bytes("\n\na\n\n")),
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
}
