package io.github.bloomgate.faults;

import static io.github.bloomgate.support.Bytes.utf8;

import io.github.bloomgate.support.RawResponse;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A large request from a client that sends all of it before it reads.
 *
 * @param head the request line and the headers, without the length
 * @param beginning the start of the body
 * @param filler repeated after the start
 */
record Upload(List<String> head, byte[] beginning, byte[] filler) {

  static final Upload JSON =
      of("application/json", "{\"elements\":[\"a\"", ",\"bbbbbbbbbbbbbbbb\"".repeat(3000));
  static final Upload LINES = of("text/plain", "", ("c".repeat(63) + "\n").repeat(1000));
  static final Upload FILE = of("application/octet-stream", "", "garbage ".repeat(8000));

  private static final Pattern CODE = Pattern.compile("\"code\":\"([A-Z_]+)\"");

  private static Upload of(String type, String beginning, String filler) {
    return new Upload(List.of("Content-Type: " + type), utf8(beginning), utf8(filler));
  }

  Upload to(String method, String path) {
    var line = method + " " + path + " HTTP/1.1";
    return new Upload(
        Stream.concat(Stream.of(line, "Host: localhost"), head.stream()).toList(),
        beginning,
        filler);
  }

  Upload with(String header) {
    return new Upload(Stream.concat(head.stream(), Stream.of(header)).toList(), beginning, filler);
  }

  Upload beginningWith(String text) {
    return new Upload(head, utf8(text), filler);
  }

  /** Sends the upload and returns the status, with the code if it is an error. */
  String send(PackagedService service, int length, boolean isChunked) {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), service.port())) {
      socket.setSoTimeout((int) FaultRun.MAX_WAIT.toMillis());
      var out = socket.getOutputStream();
      out.write(
          utf8(
              String.join("\r\n", head)
                  + "\r\n"
                  + (isChunked ? "Transfer-Encoding: chunked" : "Content-Length: " + length)
                  + "\r\n\r\n"));
      for (var sent = 0; sent < length; ) {
        var source = sent == 0 && beginning.length > 0 ? beginning : filler;
        var part = Arrays.copyOf(source, Math.min(source.length, length - sent));
        write(out, part, isChunked);
        sent += part.length;
      }
      if (isChunked) {
        out.write(utf8("0\r\n\r\n"));
      }
      return outcome(new BufferedInputStream(socket.getInputStream()));
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  private static void write(OutputStream out, byte[] part, boolean isChunked) throws IOException {
    if (isChunked) {
      out.write(utf8("%x\r\n".formatted(part.length)));
    }
    out.write(part);
    if (isChunked) {
      out.write(utf8("\r\n"));
    }
  }

  /** Waits to read this, so that the service keeps the connection open until then. */
  private static String outcome(InputStream in) throws IOException {
    try {
      var response = RawResponse.read(in, false);
      var code = CODE.matcher(response.text());
      return response.status() + (code.find() ? " " + code.group(1) : "");
    } catch (EOFException closed) {
      return "no response: " + closed.getMessage();
    }
  }

  @Override
  public String toString() {
    return head.toString();
  }
}
