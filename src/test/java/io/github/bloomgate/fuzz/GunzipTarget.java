package io.github.bloomgate.fuzz;

import io.github.bloomgate.lines.Gunzip;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;

/** Decompresses bytes. If the service accepts input, the JDK does too, with the same content. */
public final class GunzipTarget {

  private static final int MOST_BYTES = 1 << 20;

  private GunzipTarget() {}

  /** Called by the fuzzer. */
  public static void fuzzerTestOneInput(byte[] input) {
    byte[] content;
    try {
      content = read(new Gunzip(new ByteArrayInputStream(input)));
    } catch (IOException refused) {
      return;
    }
    try {
      if (content.length < MOST_BYTES
          && !Arrays.equals(content, read(new GZIPInputStream(new ByteArrayInputStream(input))))) {
        throw new AssertionError("other content than from the JDK");
      }
    } catch (IOException refused) {
      throw new AssertionError("the JDK refuses it", refused);
    }
  }

  private static byte[] read(InputStream in) throws IOException {
    var content = new ByteArrayOutputStream();
    var buffer = new byte[5000];
    for (var count = in.read(buffer); count >= 0 && content.size() < MOST_BYTES; ) {
      if (count == 0) {
        throw new AssertionError("nothing was read");
      }
      content.write(buffer, 0, count);
      count = in.read(buffer);
    }
    return content.toByteArray();
  }
}
