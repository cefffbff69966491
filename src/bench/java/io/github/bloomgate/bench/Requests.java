package io.github.bloomgate.bench;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Prepared HTTP requests, sent in order. A generator replaces every {@link Elements#SERIAL} in them
 * with the number of the request.
 */
record Requests(List<Request> pool) {

  /**
   * A request.
   *
   * @param isMarked whether it contains a serial to be replaced
   */
  record Request(byte[] bytes, boolean isMarked) {

    static Request of(String text) {
      return new Request(text.getBytes(UTF_8), text.contains(Elements.SERIAL));
    }
  }

  static Requests get(List<String> paths) {
    return new Requests(
        paths.stream()
            .map(path -> "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n")
            .map(Request::of)
            .toList());
  }

  /** The same requests with another header. */
  Requests with(String header) {
    return new Requests(
        pool.stream()
            .map(request -> new String(request.bytes(), UTF_8))
            .map(text -> text.replaceFirst("\r\n", "\r\n" + header + "\r\n"))
            .map(Request::of)
            .toList());
  }

  static Requests post(String path, String type, List<String> bodies) {
    return new Requests(bodies.stream().map(body -> post(path, type, body)).toList());
  }

  private static Request post(String path, String type, String body) {
    var head =
        "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n";
    return Request.of(head.formatted(path, type, body.getBytes(UTF_8).length) + body);
  }

  /** All of these requests once, with one of the others after every few. */
  Requests withOneOf(Requests others, int every) {
    var mixed = new ArrayList<Request>();
    for (var i = 0; i < pool.size(); i++) {
      mixed.add(pool.get(i));
      if ((i + 1) % every == 0) {
        mixed.add(others.pool.get(i / every % others.pool.size()));
      }
    }
    return new Requests(mixed);
  }

  /** One request for each batch of elements, in the JSON of the service. */
  static Requests json(String path, List<List<String>> batches) {
    return post(path, "application/json", batches.stream().map(Requests::json).toList());
  }

  private static String json(List<String> elements) {
    return elements.stream()
        .map(element -> "\"" + element + "\"")
        .collect(Collectors.joining(",", "{\"elements\":[", "]}"));
  }

  int longest() {
    return pool.stream().mapToInt(request -> request.bytes().length).max().orElseThrow();
  }

  /**
   * Writes the requests for another process: a line with the length of each, followed by its bytes.
   */
  void write(Path file) {
    try (var out = Files.newOutputStream(file)) {
      for (var request : pool) {
        out.write((request.bytes().length + "\n").getBytes(ISO_8859_1));
        out.write(request.bytes());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
