package io.github.bloomgate.fuzz;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.bloomgate.support.Bytes;
import io.github.bloomgate.support.RawResponse;
import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Filters of one worker that a refused request must not change, neither a bit nor the expiry. */
final class Kept {

  static final int FILTERS = 4;

  private static final int ATTEMPTS = 5;
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String ELEMENTS =
      "{\"elements\":[\"%s1\",\"%<s2\",\"%<s3\",\"%<s4\",\"%<s5\"]}".formatted(Values.MARK);

  private final HttpConnection http;
  private final Names names;
  private Map<String, String> before = Map.of();

  Kept(HttpConnection http, Names names) {
    this.http = http;
    this.names = names;
  }

  /** Creates the filters in their initial state. Tries again if Redis is too slow. */
  void make() throws IOException {
    for (var attempt = 1; ; attempt++) {
      try {
        makeOnce();
        return;
      } catch (IllegalStateException failed) {
        if (attempt == ATTEMPTS) {
          throw failed;
        }
      }
    }
  }

  private void makeOnce() throws IOException {
    for (var name : names.allKept()) {
      call("DELETE", name, "", "");
    }
    created(names.kept(0), "{\"expectedInsertions\":1000,\"ttlSeconds\":86400}");
    created(
        names.kept(1),
        "{\"bitSize\":4096,\"numHashFunctions\":3,\"hashScheme\":\"bits-and-blooms\"}");
    created(names.kept(2), "{\"expectedInsertions\":20,\"whenFull\":\"reject\"}");
    // No new slice begins during the test. It would show in the description.
    created(names.kept(3), "{\"expectedInsertions\":100,\"window\":{\"seconds\":315360000}}");
    for (var name : names.allKept()) {
      expect(200, call("POST", name, "/add", ELEMENTS));
    }
    expect(201, call("POST", names.kept(2), "/rebuild", "{\"timeoutSeconds\":604800}"));
    expect(200, call("POST", names.kept(2), "/rebuild/add", ELEMENTS));
    expect(
        200, call("PUT", names.kept(2), "/source", "{\"redisKey\":\"%s\"}".formatted(names.set())));
    before = state();
  }

  private void created(String name, String body) throws IOException {
    expect(201, call("PUT", name, "", body));
  }

  /** The changes since they were created; empty if none. */
  String changes() throws IOException {
    var now = state();
    if (now.equals(before)) {
      return "";
    }
    return "before: %s\nafter: %s".formatted(before, now);
  }

  private Map<String, String> state() throws IOException {
    var state = new LinkedHashMap<String, String>();
    for (var name : names.allKept()) {
      var answer = call("GET", name, "", "");
      state.put(
          name,
          answer.status() == 200
              ? content((ObjectNode) JSON.readTree(answer.body()))
              : "" + answer.status());
    }
    return state;
  }

  private String content(ObjectNode description) throws IOException {
    // Of this instance, and their age changes all the time.
    description.remove("copies");
    if (description.path("rebuild") instanceof ObjectNode rebuild) {
      rebuild.remove(List.of("elapsedSeconds"));
    }
    // Folding a journal changes the bytes in Redis, but not the exported file. Windows have no such
    // file.
    var file =
        call("GET", description.get("name").asText(), "/export?format=redis-bitmap", "").body();
    return description + " " + Arrays.hashCode(file);
  }

  /** A file to import for each format that the filters can be exported in. */
  Map<String, byte[]> files() throws IOException {
    var files = new LinkedHashMap<String, byte[]>();
    files.put("bloomgate", call("GET", names.kept(0), "/export", "").body());
    for (var format : List.of("bits-and-blooms", "redis-bitmap")) {
      files.put(format, call("GET", names.kept(1), "/export?format=" + format, "").body());
    }
    return files;
  }

  private static void expect(int status, RawResponse answer) {
    if (answer.status() != status) {
      throw new IllegalStateException(
          "%d and not %d: %s".formatted(answer.status(), status, new String(answer.body(), UTF_8)));
    }
  }

  RawResponse call(String method, String name, String rest, String body) throws IOException {
    var bytes = body.getBytes(UTF_8);
    var head =
        "%s /v1/filters/%s%s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
            .formatted(method, name, rest, bytes.length)
            .getBytes(ISO_8859_1);
    return http.send(Bytes.joined(head, bytes), false, false);
  }
}
