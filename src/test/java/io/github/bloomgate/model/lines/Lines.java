package io.github.bloomgate.model.lines;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;

/** Lines of elements, read from bytes that arrive in pieces. */
final class Lines {

  private Lines() {}

  static List<String> read(byte[] content, LineFormat format, ElementEncoding encoding)
      throws Exception {
    return read(new ByteArrayInputStream(content), format, encoding);
  }

  /** The elements, with a char for each byte. */
  static List<String> read(InputStream in, LineFormat format, ElementEncoding encoding)
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

  static ElementLines lines(byte[] content, LineFormat format, ElementEncoding encoding) {
    return lines(new ByteArrayInputStream(content), format, encoding);
  }

  /** Batches of the usual size. */
  static ElementLines lines(InputStream in, LineFormat format, ElementEncoding encoding) {
    return new ElementLines(in, format, encoding, last -> LineBatch.ORDINARY_BYTES, true);
  }

  static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }
}
