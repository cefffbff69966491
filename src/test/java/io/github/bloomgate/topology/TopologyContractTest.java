package io.github.bloomgate.topology;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.bloomgate.http.Api;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.InParallel;
import io.github.bloomgate.support.OneNodeCluster;
import io.github.bloomgate.support.PlainHttp;
import java.io.IOException;
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
abstract class TopologyContractTest {

  /** The responses of a single Redis. {@code -Dtest.write-transcript=true} writes them again. */
  private static final Path TRANSCRIPT = Path.of("src/test/resources/topology/contract.txt");

  private static final String ONE = "orders";
  private static final String SEVERAL = "visitors";

  private static final String SHAPE_OF_ONE = "{\"bitSize\": 262144, \"numHashFunctions\": 5}";

  /** Three segments. */
  private static final String SHAPE_OF_SEVERAL = "{\"bitSize\": 50331648, \"numHashFunctions\": 7}";

  private final List<String> transcript = new ArrayList<>();

  /** The node with this key, so that the test can write a source. */
  abstract TestRedis nodeOf(String key);

  @Test
  void everyOperationAnswersAsOnASingleRedis() throws IOException {
    for (var name : List.of(ONE, SEVERAL)) {
      var shape = name.equals(ONE) ? SHAPE_OF_ONE : SHAPE_OF_SEVERAL;
      life(name, shape);
    }
    adoption();
    call("GET", "/v1/filters", null);
    call("GET", "/v1/filters?prefix=nothing", null);

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

  private void life(String name, String shape) {
    var path = "/v1/filters/" + name;
    var other = name + "-other";
    call("PUT", path, shape);
    call("PUT", path, shape);
    call("HEAD", path, null);
    call("GET", path, null);
    call("POST", path + "/add", Api.elements("a", 0, 20));
    call("POST", path + "/add", Api.elements("a", 10, 30));
    call("POST", path + "/test", Api.elements("a", 25, 35));
    call("GET", path + "/test?element=a3&element=missing", null);
    call("GET", "/v1/gate/" + name + "?element=a3", null);
    call("GET", "/v1/gate/" + name + "?element=missing", null);
    // Few bits are set, so the counts do not depend on the order of adds.
    many(path);
    // Enough elements to be sent as a bitmap, and then as another.
    call("POST", path + "/add", Api.elements("b", 0, 10_000));
    call("POST", path + "/add", Api.elements("b", 9_000, 12_000));
    stream(path + "/add?return=added", "c", 0, 20);
    stream(path + "/add", "c", 0, 3_000);
    stream(path + "/test?return=absent", "c", 2_990, 3_005);
    call("PUT", path + "/expiry", "{\"ttlSeconds\": 1000000}");
    call("DELETE", path + "/expiry", null);
    call("PUT", path + "/expiry", "{\"idleSeconds\": 1000000}");

    call("POST", path + "/copy", "{\"to\": \"" + other + "\"}");
    call("POST", "/v1/filters/" + other + "/test", Api.elements("a", 25, 35));
    call("POST", "/v1/filters/" + other + "/add", Api.elements("d", 0, 50));
    call("POST", path + "/merge", "{\"from\": [\"" + other + "\"]}");
    call("POST", path + "/test", Api.elements("d", 45, 55));

    call("POST", path + "/rebuild", null);
    call("GET", path + "/rebuild", null);
    call("POST", path + "/rebuild/add", Api.elements("e", 0, 9_000));
    call("POST", path + "/add", Api.elements("meanwhile ", 0, 10));
    call("POST", path + "/rebuild/commit", null);
    call("POST", path + "/test", Api.elements("meanwhile ", 5, 15));
    call("POST", path + "/test", Api.elements("e", 8_995, 9_005));
    call("POST", path + "/test", Api.elements("a", 0, 5));
    call("POST", path + "/rebuild", null);
    call("DELETE", path + "/rebuild", null);
    replace(path + "/elements", "f", 0, 5_000);
    call("POST", path + "/test", Api.elements("f", 4_995, 5_005));

    var file = PlainHttp.send("GET", path + "/export", null);
    note("GET", path + "/export", file.status(), "(file)");
    var taken = PlainHttp.send("PUT", "/v1/filters/" + other + "/import", FILE, file.body());
    note("PUT", other + "/import", taken.status(), taken.text());
    call("POST", "/v1/filters/" + other + "/test", Api.elements("f", 4_995, 5_005));

    var set = "members-of-" + name;
    nodeOf(set).command("SADD", set, "s1", "s2", "s3");
    call("PUT", path + "/source", "{\"redisKey\": \"" + set + "\"}");
    call("PUT", path + "/source", "{\"redisKey\": \"" + set + "\", \"allowEmpty\": true}");
    call("GET", path + "/source", null);
    call("POST", path + "/rebuild/run?wait=true", null);
    call("POST", path + "/test", Api.elements("s", 2, 6));
    call("DELETE", path + "/source", null);

    call("POST", path + "/clear", null);
    call("POST", path + "/test", Api.elements("s", 2, 6));
    call("POST", path + "/add", Api.elements("g", 0, 5));
    // On a cluster, only a name in the same slot is possible.
    var renamed = OneNodeCluster.inSlotOf(name);
    call("POST", path + "/rename", "{\"to\": \"" + renamed + "\"}");
    call("GET", path, null);
    call("POST", "/v1/filters/" + renamed + "/test", Api.elements("g", 3, 8));
    call("GET", "/v1/filters?limit=1", null);
    call("DELETE", "/v1/filters/" + renamed, null);
    call("DELETE", "/v1/filters/" + renamed, null);
    call("DELETE", "/v1/filters/" + other, null);
  }

  private void adoption() {
    for (var key : List.of("coupons", "a{tagged}b")) {
      var name = key.equals("coupons") ? key : "tagged";
      var path = "/v1/filters/" + name;
      call(
          "PUT",
          path,
          "{\"redisKey\": \""
              + key
              + "\", \"hashScheme\": \"redisson\", \"expectedInsertions\": 1000}");
      call("POST", path + "/add", Api.elements("h", 0, 300));
      call("POST", path + "/test", Api.elements("h", 298, 303));
      call("GET", path, null);
      call("POST", path + "/rebuild", null);
      call("POST", path + "/rebuild/add", Api.elements("i", 0, 10));
      call("POST", path + "/rebuild/commit", null);
      call("POST", path + "/test", Api.elements("i", 8, 13));
      call("POST", path + "/clear", null);
      call("DELETE", path + "?deleteKey=true", null);
    }
  }

  /** Sends requests in parallel, which share calls. */
  private void many(String path) {
    var answers =
        IntStream.range(0, 200)
            .mapToObj(
                i ->
                    PlainHttp.sendAsync(
                        "POST",
                        path + "/add",
                        "application/json",
                        Api.elements("m", i, i + 2).getBytes(UTF_8)))
            .toList();
    var added =
        answers.stream()
            .map(answer -> InParallel.resultOf(answer).text())
            .collect(Collectors.summingInt(text -> text.contains("\"addedCount\":0") ? 0 : 1));
    note(
        "POST",
        path + "/add",
        200,
        "in parallel, and at least 100 added something: " + (added >= 100));
    call("POST", path + "/test", Api.elements("m", 0, 203));
  }

  private static final String FILE = "application/octet-stream";

  private void call(String method, String path, String body) {
    var answer = PlainHttp.send(method, path, body);
    note(method, path, answer.status(), answer.text());
  }

  private void stream(String path, String prefix, int from, int to) {
    var answer = PlainHttp.sendLines("POST", path, lines(prefix, from, to));
    note("POST", path, answer.status(), answer.text());
  }

  private void replace(String path, String prefix, int from, int to) {
    var answer = PlainHttp.sendLines("PUT", path, lines(prefix, from, to));
    note("PUT", path, answer.status(), answer.text());
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
    return text.length() + " characters, " + Arrays.hashCode(text.getBytes(UTF_8));
  }

  private static String lines(String prefix, int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> prefix + i + "\n").collect(Collectors.joining());
  }
}
