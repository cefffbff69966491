package io.github.bloomgate.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;

/** Calls of the service that prepare a measurement. */
final class FilterApi {

  private final HttpClient client = HttpClient.newHttpClient();
  private final int port;

  FilterApi(int port) {
    this.port = port;
  }

  /** Creates or replaces a filter with a false-positive rate of 0.01, without elements. */
  void recreate(String name, long expectedInsertions) {
    recreate(name, expectedInsertions, "\"whenFull\": \"accept\"");
  }

  /** Creates or replaces a filter, with further fields of the request as JSON. */
  void recreate(String name, long expectedInsertions, String fields) {
    delete(name);
    create(name, "{\"expectedInsertions\": %d, %s}".formatted(expectedInsertions, fields));
  }

  /** Creates a filter that does not exist. */
  void create(String name, String request) {
    send("PUT", path(name, ""), request);
  }

  void copy(String name, String to) {
    send("POST", path(name, "/copy"), "{\"to\": \"%s\"}".formatted(to));
  }

  void openRebuild(String name) {
    send("POST", path(name, "/rebuild"), "{}");
  }

  void commitEmptyRebuild(String name) {
    send("POST", path(name, "/rebuild/commit"), "{\"allowEmpty\": true}");
  }

  /** The number of layers of a growing filter. */
  int layers(String name) {
    return send("GET", path(name, ""), "").split("\"openedAt\":", -1).length - 1;
  }

  /** Deletes a filter if it exists. */
  void delete(String name) {
    send("DELETE", path(name, ""), "");
  }

  void load(String name, byte[] lines) {
    var unused = LineUpload.send(port, path(name, "/add"), lines);
  }

  /** Counts the lines that a filter may contain. */
  long test(String name, byte[] lines) {
    return LineUpload.send(port, path(name, "/test"), lines);
  }

  static String path(String name, String call) {
    return "/v1/filters/" + name + call;
  }

  /** The text of the service's metrics. */
  String metrics() {
    return send("GET", "/q/metrics", "");
  }

  private String send(String method, String path, String body) {
    var request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .header("content-type", "application/json")
            .method(
                method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
            .build();
    try {
      var response = client.send(request, BodyHandlers.ofString());
      var gone = method.equals("DELETE") && response.statusCode() == 404;
      if (response.statusCode() >= 400 && !gone) {
        throw new IllegalStateException(path + " was answered with " + response.body());
      }
      return response.body();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
