package io.github.bloomgate.model.lines;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Lines are cut and decoded exactly, however they arrive. */
class ElementLinesTest {

  private static final int MAX = ElementEncoding.MAX_ELEMENT_BYTES;

  @RepeatedTest(40)
  void linesAreThoseOfASimpleSplitHoweverTheyArrive() throws Exception {
    var seed = new Random().nextLong();
    var random = new Random(seed);
    var content = randomLines(random);

    var read = read(Chunks.random(content, random), LineFormat.TEXT, ElementEncoding.UTF_8);

    assertEquals(split(content), read, "seed " + seed);
  }

  /** Lines of all lengths, of all bytes, with both endings, the last one open or not. */
  private static byte[] randomLines(Random random) {
    var content = new ByteArrayOutputStream();
    var count = random.nextInt(2000);
    for (var i = 0; i < count; i++) {
      var line = new byte[random.nextInt(1 << random.nextInt(random.nextInt(100) == 0 ? 17 : 8))];
      random.nextBytes(line);
      for (var j = 0; j < line.length; j++) {
        if (line[j] == '\n' || line[j] == '\r' || line[j] == (byte) 0xEF) {
          line[j] = 0;
        }
      }
      content.writeBytes(line.length > MAX ? new byte[MAX] : line);
      if (i < count - 1 || random.nextBoolean()) {
        content.writeBytes(random.nextBoolean() ? new byte[] {'\r', '\n'} : new byte[] {'\n'});
      }
    }
    return content.toByteArray();
  }

  /** The oracle: the whole as one text, a char per byte. */
  private static List<String> split(byte[] content) {
    var lines = new ArrayList<>(List.of(new String(content, ISO_8859_1).split("\n", -1)));
    if (lines.get(lines.size() - 1).isEmpty()) {
      lines.remove(lines.size() - 1);
    }
    return lines.stream()
        .map(line -> line.endsWith("\r") ? line.substring(0, line.length() - 1) : line)
        .toList();
  }

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
        "'a '      | 'a '",
        "a\\0b     | a\\0b"
      })
  void endingsAreTakenOffAndNothingElse(String content, String expected) throws Exception {
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
    return text.replace("\\n", "\n").replace("\\r", "\r").replace("\\0", "\0");
  }

  @Test
  void theLineIsKeptAsItCame() throws Exception {
    var lines = lines(bytes("a\r\nb\n \"c\" \n"), LineFormat.TEXT, ElementEncoding.UTF_8);
    var batch = lines.next().orElseThrow();
    assertEquals("a\r", new String(batch.line(0), UTF_8));
    assertEquals("b", new String(batch.line(1), UTF_8));
    assertEquals(" \"c\" ", new String(batch.line(2), UTF_8));
  }

  @Test
  void theLongestElementIsTakenInEveryWriting() throws Exception {
    var element = new byte[MAX];
    new Random(1).nextBytes(element);
    var text = "a".repeat(MAX);
    var escaped = "\"" + "\\u0061".repeat(MAX) + "\"";
    var hex = HexFormat.of().formatHex(element);
    var base64 = Base64.getEncoder().encodeToString(element);
    var content = new String(element, ISO_8859_1);
    assertEquals(List.of(text, text), read(bytes(text + "\r\n" + text), LineFormat.TEXT, "utf-8"));
    assertEquals(List.of(text), read(bytes(escaped), LineFormat.NDJSON, "utf-8"));
    assertEquals(List.of(content), read(bytes(hex + "\r\n"), LineFormat.TEXT, "hex"));
    assertEquals(List.of(content), read(bytes(base64 + "\r\n"), LineFormat.TEXT, "base64"));
    assertEquals(List.of(content), read(bytes("\"" + hex + "\""), LineFormat.NDJSON, "hex"));
  }

  @ParameterizedTest
  @CsvSource({"TEXT, utf-8, a, 65537", "TEXT, hex, 61, 65537", "TEXT, base64, YWFh, 21846"})
  void anElementLongerThanTheLimitIsRefused(
      LineFormat format, String encoding, String part, int count) {
    var lines = lines(bytes("61616161\n" + part.repeat(count)), format, encoding);
    refusedAt(2, lines);
  }

  @Test
  void aLineWithoutEndIsRefusedBeforeMemoryIsFull() {
    var endless = new EndlessLine();
    var lines = new ElementLines(endless, LineFormat.NDJSON, ElementEncoding.HEX);
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
  void whatIsNotAJsonStringIsRefused(String line) {
    refusedAt(
        3, lines(bytes("\"ok\"\n\"ok\"\n" + line + "\n\"ok\"\n"), LineFormat.NDJSON, "utf-8"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"ff", "c3", "c0af", "eda0bd", "f4908080"})
  void jsonThatIsNotUtf8IsRefused(String hex) {
    var line = "22" + hex + "220a";
    refusedAt(1, lines(HexFormat.of().parseHex(line), LineFormat.NDJSON, "utf-8"));
  }

  @Test
  void jsonStringsStandForTheirUtf8() throws Exception {
    var content = "\"a\"\r\n \"\" \n\"\\u00e9\"\n\"é\"\n\"\\ud83d\\ude00\"\n\"a\\\"\\n\\u0000\"";
    assertEquals(
        List.of("a", "", "é", "é", "😀", "a\"\n\0"),
        read(bytes(content), LineFormat.NDJSON, "utf-8").stream()
            .map(element -> new String(element.getBytes(ISO_8859_1), UTF_8))
            .toList());
  }

  @ParameterizedTest
  @CsvSource({
    "hex, 6",
    "hex, zz",
    "hex, 0x61",
    "hex, é1",
    "base64, a",
    "base64, YQ=",
    "base64, Y Q==",
    "base64, é"
  })
  void textThatIsNotOfItsEncodingIsRefused(String encoding, String line) {
    refusedAt(2, lines(bytes("6161\n" + line + "\n"), LineFormat.TEXT, encoding));
    refusedAt(2, lines(bytes("\"6161\"\n\"" + line + "\"\n"), LineFormat.NDJSON, encoding));
  }

  @Test
  void aByteOrderMarkIsRefusedAtTheStartOnly() throws Exception {
    for (var format : LineFormat.values()) {
      refusedAt(1, lines(bytes("\ufeffa\n"), format, "utf-8"));
    }
    assertEquals(2, read(bytes("a\n\ufeffa\n"), LineFormat.TEXT, "utf-8").size());
  }

  @Test
  void allLinesBeforeABadOneAreReturnedAndNoneBehind() throws Exception {
    var lines = lines(bytes("61\n62\nx\n63\n"), LineFormat.TEXT, "hex");
    assertEquals(2, lines.next().orElseThrow().elements().size());
    refusedAt(3, lines);
    refusedAt(3, lines);
  }

  @Test
  void linesAreReturnedBeforeABreakThatShowsWithoutARead() throws Exception {
    var gone =
        new FilterInputStream(new ByteArrayInputStream(bytes("a\nb\n"))) {
          @Override
          public int available() throws IOException {
            throw new IOException("the connection is gone");
          }
        };
    var lines = new ElementLines(gone, LineFormat.TEXT, ElementEncoding.UTF_8);
    assertEquals(2, lines.next().orElseThrow().elements().size());
    assertThrows(IOException.class, lines::next);
    assertEquals(3, lines.nextLine());
  }

  @Test
  void aLineThatIsCutByABreakIsNotReturned() throws Exception {
    var broken = Chunks.of(bytes("a\nb\npart")).thenBreaks();
    var lines = new ElementLines(broken, LineFormat.TEXT, ElementEncoding.UTF_8);
    assertEquals(2, lines.next().orElseThrow().elements().size());
    assertThrows(IOException.class, lines::next);
    assertThrows(IOException.class, lines::next);
    assertEquals(3, lines.nextLine());
  }

  @Test
  void aBatchIsWhatHasArrived() throws Exception {
    var live = Chunks.of(bytes("a\nb\nc"), bytes("c\n"), bytes("d\n"));
    var lines = new ElementLines(live, LineFormat.TEXT, ElementEncoding.UTF_8);
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
    var many = lines(bytes("\n".repeat(10_000)), LineFormat.TEXT, "utf-8");
    assertEquals(LineBatch.MAX_ELEMENTS, many.next().orElseThrow().elements().size());
    var content = ("a".repeat(MAX) + "\n").repeat(100);
    var large = lines(bytes(content), LineFormat.TEXT, "utf-8");
    assertEquals(16, large.next().orElseThrow().elements().size());
  }

  private static void refusedAt(long line, ElementLines lines) {
    var refused =
        assertThrows(
            InvalidLineException.class,
            () -> {
              while (lines.next().isPresent()) {}
            });
    assertEquals(line, refused.line());
  }

  private static List<String> read(byte[] content, LineFormat format, String encoding)
      throws Exception {
    return read(new ByteArrayInputStream(content), format, ElementEncoding.named(encoding));
  }

  /** The elements, a char per byte. */
  private static List<String> read(InputStream in, LineFormat format, ElementEncoding encoding)
      throws Exception {
    var lines = new ElementLines(in, format, encoding);
    var elements = new ArrayList<String>();
    for (var batch = lines.next(); batch.isPresent(); batch = lines.next()) {
      assertEquals(elements.size() + 1, batch.get().firstLine());
      batch.get().elements().forEach(element -> elements.add(new String(element, ISO_8859_1)));
      lines.reuse(batch.get());
    }
    return elements;
  }

  private static ElementLines lines(byte[] content, LineFormat format, String encoding) {
    return lines(content, format, ElementEncoding.named(encoding));
  }

  private static ElementLines lines(byte[] content, LineFormat format, ElementEncoding encoding) {
    return new ElementLines(new ByteArrayInputStream(content), format, encoding);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
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
}
