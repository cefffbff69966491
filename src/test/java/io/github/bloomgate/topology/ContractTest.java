package io.github.bloomgate.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.bloomgate.http.Api;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.OneNodeCluster;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Every operation of the contract, on filters of one and of several segments, with exactly the
 * responses of a single Redis. Subclasses define the Redis topology.
 */
abstract class ContractTest {

  /** The answers on a single Redis. Written again with {@code -Dtest.write-transcript=true}. */
  private static final Path TRANSCRIPT = Path.of("src/test/resources/topology/contract.txt");

  private static final String ONE = "orders";
  private static final String SEVERAL = "visitors";

  private static final String SHAPE_OF_ONE = "{\"bitSize\": 262144, \"numHashFunctions\": 5}";

  /** Three segments. */
  private static final String SHAPE_OF_SEVERAL = "{\"bitSize\": 50331648, \"numHashFunctions\": 7}";

  private final List<String> transcript = new ArrayList<>();

  /** A node that has the key, so that a source can be written by hand. */
  abstract TestRedis nodeOf(String key);

  @Test
  void everyOperationAnswersAsOnASingleRedis() throws IOException {
    var http = new PlainHttp();
    for (var name : List.of(ONE, SEVERAL)) {
      var shape = name.equals(ONE) ? SHAPE_OF_ONE : SHAPE_OF_SEVERAL;
      life(http, name, shape);
    }
    adoption(http);
    call(http, "GET", "/v1/filters", null);
    call(http, "GET", "/v1/filters?prefix=nothing", null);

    if (Boolean.getBoolean("test.write-transcript")) {
      Files.createDirectories(TRANSCRIPT.getParent());
      Files.write(TRANSCRIPT, transcript);
    }
    var expected = Files.readAllLines(TRANSCRIPT);
    for (var i = 0; i < Math.min(expected.size(), transcript.size()); i++) {
      assertEquals(expected.get(i), transcript.get(i), "call " + i);
    }
    assertEquals(expected.size(), transcript.size());
  }

  private void life(PlainHttp http, String name, String shape) {
    var path = "/v1/filters/" + name;
    var other = name + "-other";
    call(http, "PUT", path, shape);
    call(http, "PUT", path, shape);
    call(http, "HEAD", path, null);
    call(http, "GET", path, null);
    call(http, "POST", path + "/add", Api.elements("a", 0, 20));
    call(http, "POST", path + "/add", Api.elements("a", 10, 30));
    call(http, "POST", path + "/test", Api.elements("a", 25, 35));
    call(http, "GET", path + "/test?element=a3&element=missing", null);
    call(http, "GET", "/v1/gate/" + name + "?element=a3", null);
    call(http, "GET", "/v1/gate/" + name + "?element=missing", null);
    // While hardly a bit is set, so that the counts do not depend on the order.
    many(http, path);
    // Enough for a bitmap to be cheaper, and enough again.
    call(http, "POST", path + "/add", Api.elements("b", 0, 10_000));
    call(http, "POST", path + "/add", Api.elements("b", 9_000, 12_000));
    stream(http, path + "/add?return=added", "c", 0, 20);
    stream(http, path + "/add", "c", 0, 3_000);
    stream(http, path + "/test?return=absent", "c", 2_990, 3_005);
    call(http, "PUT", path + "/expiry", "{\"ttlSeconds\": 1000000}");
    call(http, "DELETE", path + "/expiry", null);
    call(http, "PUT", path + "/expiry", "{\"ttlSeconds\": 1000000}");

    call(http, "POST", path + "/copy", "{\"to\": \"" + other + "\"}");
    call(http, "POST", "/v1/filters/" + other + "/test", Api.elements("a", 25, 35));
    call(http, "POST", "/v1/filters/" + other + "/add", Api.elements("d", 0, 50));
    call(http, "POST", path + "/merge", "{\"from\": [\"" + other + "\"]}");
    call(http, "POST", path + "/test", Api.elements("d", 45, 55));

    call(http, "POST", path + "/rebuild", null);
    call(http, "GET", path + "/rebuild", null);
    call(http, "POST", path + "/rebuild/add", Api.elements("e", 0, 9_000));
    call(http, "POST", path + "/add", Api.elements("meanwhile ", 0, 10));
    call(http, "POST", path + "/rebuild/commit", null);
    call(http, "POST", path + "/test", Api.elements("meanwhile ", 5, 15));
    call(http, "POST", path + "/test", Api.elements("e", 8_995, 9_005));
    call(http, "POST", path + "/test", Api.elements("a", 0, 5));
    call(http, "POST", path + "/rebuild", null);
    call(http, "DELETE", path + "/rebuild", null);
    replace(http, path + "/elements", "f", 0, 5_000);
    call(http, "POST", path + "/test", Api.elements("f", 4_995, 5_005));

    var file = http.send("GET", path + "/export", "application/json", null);
    note("GET", path + "/export", file.status(), "(file)");
    var taken = http.send("PUT", "/v1/filters/" + other + "/import", FILE, file.body());
    note("PUT", other + "/import", taken.status(), text(taken));
    call(http, "POST", "/v1/filters/" + other + "/test", Api.elements("f", 4_995, 5_005));

    var set = "members-of-" + name;
    nodeOf(set).command("SADD", set, "s1", "s2", "s3");
    call(http, "PUT", path + "/source", "{\"redisKey\": \"" + set + "\"}");
    call(http, "PUT", path + "/source", "{\"redisKey\": \"" + set + "\", \"allowEmpty\": true}");
    call(http, "GET", path + "/source", null);
    call(http, "POST", path + "/rebuild/run?wait=true", null);
    call(http, "POST", path + "/test", Api.elements("s", 2, 6));
    call(http, "DELETE", path + "/source", null);

    call(http, "POST", path + "/clear", null);
    call(http, "POST", path + "/test", Api.elements("s", 2, 6));
    call(http, "POST", path + "/add", Api.elements("g", 0, 5));
    // On a cluster no other name is possible.
    var renamed = OneNodeCluster.inSlotOf(name);
    call(http, "POST", path + "/rename", "{\"to\": \"" + renamed + "\"}");
    call(http, "GET", path, null);
    call(http, "POST", "/v1/filters/" + renamed + "/test", Api.elements("g", 3, 8));
    call(http, "GET", "/v1/filters?limit=1", null);
    call(http, "DELETE", "/v1/filters/" + renamed, null);
    call(http, "DELETE", "/v1/filters/" + renamed, null);
    call(http, "DELETE", "/v1/filters/" + other, null);
  }

  private void adoption(PlainHttp http) {
    for (var key : List.of("coupons", "a{tagged}b")) {
      var name = key.equals("coupons") ? key : "tagged";
      var path = "/v1/filters/" + name;
      call(
          http,
          "PUT",
          path,
          "{\"redisKey\": \""
              + key
              + "\", \"hashScheme\": \"redisson\", \"expectedInsertions\": 1000}");
      call(http, "POST", path + "/add", Api.elements("h", 0, 300));
      call(http, "POST", path + "/test", Api.elements("h", 298, 303));
      call(http, "GET", path, null);
      call(http, "POST", path + "/rebuild", null);
      call(http, "POST", path + "/rebuild/add", Api.elements("i", 0, 10));
      call(http, "POST", path + "/rebuild/commit", null);
      call(http, "POST", path + "/test", Api.elements("i", 8, 13));
      call(http, "POST", path + "/clear", null);
      call(http, "DELETE", path + "?deleteKey=true", null);
    }
  }

  /** Requests at the same time, which share calls. */
  private void many(PlainHttp http, String path) {
    var answers =
        IntStream.range(0, 200)
            .mapToObj(
                i ->
                    http.sendAsync(
                        "POST",
                        path + "/add",
                        "application/json",
                        bytes(Api.elements("m", i, i + 2))))
            .toList();
    var added =
        answers.stream()
            .map(answer -> text(answer.join()))
            .collect(Collectors.summingInt(text -> text.contains("\"addedCount\":0") ? 0 : 1));
    note("POST", path + "/add", 200, "at once, so many added something: " + (added >= 100));
    call(http, "POST", path + "/test", Api.elements("m", 0, 203));
  }

  private static final String FILE = "application/octet-stream";

  private void call(PlainHttp http, String method, String path, String body) {
    var answer = http.send(method, path, "application/json", body == null ? null : bytes(body));
    note(method, path, answer.status(), text(answer));
  }

  private void stream(PlainHttp http, String path, String prefix, int from, int to) {
    var answer = http.send("POST", path, "text/plain", bytes(lines(prefix, from, to)));
    note("POST", path, answer.status(), text(answer));
  }

  private void replace(PlainHttp http, String path, String prefix, int from, int to) {
    var answer = http.send("PUT", path, "text/plain", bytes(lines(prefix, from, to)));
    note("PUT", path, answer.status(), text(answer));
  }

  private void note(String method, String path, int status, String body) {
    var known =
        body.replaceAll("\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z", "(time)")
            .replaceAll("[0-9a-f]{16}(?=[.:\"])", "(random)")
            .replaceAll("(\"[a-zA-Z]*(Seconds|Millis)\"):[0-9.]+", "$1:(time)");
    transcript.add(
        "%s %s %d %s"
            .formatted(method, path, status, known.length() < 1_500 ? known : digest(known))
            .strip()
            .replace("\n", " "));
  }

  private static String digest(String text) {
    return text.length() + " characters, " + Arrays.hashCode(bytes(text));
  }

  private static String text(PlainHttp.Answer answer) {
    return new String(answer.body(), StandardCharsets.UTF_8);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String lines(String prefix, int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> prefix + i + "\n").collect(Collectors.joining());
  }
}
