package io.github.bloomgate.model.lines;

import static io.github.bloomgate.model.lines.Lines.bytes;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Content other than text is detected before its first line is returned, however it arrives. */
class TextInputTest {

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
}
