package io.github.bloomgate.support;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPOutputStream;

/** Conversions of bytes for tests. */
public final class Bytes {

  private Bytes() {}

  public static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  public static byte[] zipped(byte[] content) {
    var zipped = new ByteArrayOutputStream();
    try (var gzip = new GZIPOutputStream(zipped)) {
      gzip.write(content);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return zipped.toByteArray();
  }

  public static byte[] joined(byte[]... parts) {
    var all = new ByteArrayOutputStream();
    for (var part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }
}
