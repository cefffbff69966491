package io.github.bloomgate.model.lines;

import static io.github.bloomgate.model.lines.Lines.bytes;
import static io.github.bloomgate.model.lines.Lines.lines;
import static io.github.bloomgate.model.lines.Lines.read;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Lines that are too long or have the wrong encoding are refused, and no later line is returned.
 * Content other than text is detected before its first line is returned, however it arrives.
 */
class RefusedLinesTest {

  @ParameterizedTest
  @CsvSource({"TEXT, UTF_8, a, 65537", "TEXT, HEX, 61, 65537", "TEXT, BASE64, YWFh, 21846"})
  void anElementLongerThanTheLimitIsRefused(
      LineFormat format, ElementEncoding encoding, String part, int count) {
    var lines = lines(bytes("61616161\n" + part.repeat(count)), format, encoding);
    refusedAt(2, lines);
  }

  @Test
  void aLineWithoutEndIsRefusedBeforeMemoryIsFull() {
    var endless = new EndlessLine();
    var lines = Lines.lines(endless, LineFormat.NDJSON, ElementEncoding.HEX);
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
            bytes("\"ok\"\n\"ok\"\n" + line + "\n\"ok\"\n"),
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
    refusedAt(2, lines(bytes("6161\n" + line + "\n"), LineFormat.TEXT, encoding));
    refusedAt(2, lines(bytes("\"6161\"\n\"" + line + "\"\n"), LineFormat.NDJSON, encoding));
  }

  @Test
  void aByteOrderMarkIsRefusedAtTheStartOnly() throws Exception {
    for (var format : LineFormat.values()) {
      refusedAt(1, lines(bytes("\ufeffa\n"), format, ElementEncoding.UTF_8));
    }
    assertEquals(2, read(bytes("a\n\ufeffa\n"), LineFormat.TEXT, ElementEncoding.UTF_8).size());
  }

  @Test
  void allLinesBeforeABadOneAreReturnedAndNoneAfterIt() throws Exception {
    var lines = lines(bytes("61\n62\nx\n63\n"), LineFormat.TEXT, ElementEncoding.HEX);
    assertEquals(2, lines.next().orElseThrow().elements().size());
    refusedAt(3, lines);
    refusedAt(3, lines);
  }

  @Test
  void linesBeforeABreakAreReturned() throws Exception {
    var gone =
        new FilterInputStream(new ByteArrayInputStream(bytes("a\nb\n"))) {
          @Override
          public int available() throws IOException {
            throw new IOException("the connection is gone");
          }
        };
    var lines = Lines.lines(gone, LineFormat.TEXT, ElementEncoding.UTF_8);
    assertEquals(2, lines.next().orElseThrow().elements().size());
    assertThrows(IOException.class, lines::next);
    assertEquals(3, lines.nextLine());
  }

  @Test
  void aTruncatedLineIsNotReturned() throws Exception {
    var broken = Chunks.of(bytes("a\nb\npart")).thenBreaks();
    var lines = Lines.lines(broken, LineFormat.TEXT, ElementEncoding.UTF_8);
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
    var last = bytes("a".repeat(1023) + "\0");
    assertThrows(
        ContentMismatchException.class,
        () -> Lines.read(last, LineFormat.TEXT, ElementEncoding.UTF_8));
    var behind = bytes("a".repeat(1024) + "\0");
    assertEquals(1, Lines.read(behind, LineFormat.TEXT, ElementEncoding.UTF_8).size());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"BZh9", "BZh91AY&S", "PK", "PK\n\u0003\u0004", "7zXZ", "(\u00b5/", "GIF89a"})
  void textThatOnlyResemblesABinaryFormatIsAccepted(String text) throws Exception {
    assertTrue(!Lines.read(bytes(text), LineFormat.TEXT, ElementEncoding.UTF_8).isEmpty());
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
