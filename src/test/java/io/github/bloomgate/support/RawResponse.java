package io.github.bloomgate.support;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * An HTTP/1.1 response as it arrives on a connection.
 *
 * @param headers by lower-case name
 * @param isWhole whether the body is complete
 */
public record RawResponse(int status, Map<String, String> headers, byte[] body, boolean isWhole) {

  /**
   * Reads the next response, skipping interim ones.
   *
   * @param isWithoutBody whether it has no body whatever its headers say, as for HEAD
   * @throws EOFException if the connection ends before the body begins
   */
  public static RawResponse read(InputStream in, boolean isWithoutBody) throws IOException {
    var status = Integer.parseInt(line(in).split(" ", 3)[1]);
    var headers = new HashMap<String, String>();
    for (var line = line(in); !line.isEmpty(); line = line(in)) {
      var colon = line.indexOf(':');
      headers.put(
          line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).strip());
    }
    if (status == 100) {
      return read(in, isWithoutBody);
    }
    var body = new ByteArrayOutputStream();
    var isWhole = true;
    if (!isWithoutBody && status != 204) {
      try {
        if (headers.getOrDefault("transfer-encoding", "").equals("chunked")) {
          for (var chunk = chunk(in); chunk.length > 0; chunk = chunk(in)) {
            body.writeBytes(chunk);
          }
        } else {
          var length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
          body.writeBytes(bytes(in, length));
        }
      } catch (EOFException | SocketException e) {
        isWhole = false;
      }
    }
    return new RawResponse(status, headers, body.toByteArray(), isWhole);
  }

  /** The next chunk of a body, empty at its end. */
  public static byte[] chunk(InputStream in) throws IOException {
    var chunk = bytes(in, Integer.parseInt(line(in), 16));
    line(in);
    return chunk;
  }

  /** The next line, without its end. */
  public static String line(InputStream in) throws IOException {
    var line = new ByteArrayOutputStream();
    for (var c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new EOFException("The connection was closed after: " + line.toString(ISO_8859_1));
      }
      if (c != '\r') {
        line.write(c);
      }
    }
    return line.toString(ISO_8859_1);
  }

  private static byte[] bytes(InputStream in, int length) throws IOException {
    var bytes = in.readNBytes(length);
    if (bytes.length < length) {
      throw new EOFException("The connection was closed");
    }
    return bytes;
  }

  public String header(String name) {
    return headers.getOrDefault(name, "");
  }

  public String text() {
    return new String(body, UTF_8);
  }
}
