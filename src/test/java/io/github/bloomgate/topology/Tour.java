package io.github.bloomgate.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.bloomgate.redis.TestRedis;
import java.nio.charset.StandardCharsets;

/** Calls that need Redis commands beyond those of the contract test. */
final class Tour {

  private static final String NAME = "members-of-tour";
  private static final String PATH = "/v1/filters/" + NAME;

  private final PlainHttp http = new PlainHttp();
  private final TestRedis redis;

  Tour(TestRedis redis) {
    this.redis = redis;
  }

  void call() {
    expect(201, "PUT", PATH, "{\"expectedInsertions\": 1000}");
    redis.command("ZADD", NAME + "-sorted", "1", "a", "2", "b");
    redis.command("RPUSH", NAME + "-list", "a", "b");
    for (var kind : new String[] {"sorted", "list"}) {
      var source = "{\"redisKey\": \"" + NAME + "-" + kind + "\"}";
      expect(200, "PUT", PATH + "/source", source);
      expect(200, "POST", PATH + "/rebuild/run?wait=true", null);
    }
    expect(204, "DELETE", PATH + "/source", null);
    expect(200, "POST", PATH + "/add?durability=replicated", "{\"elements\": [\"c\"]}");
    expect(204, "DELETE", PATH, null);
    redis.command("DEL", NAME + "-sorted", NAME + "-list");
    callOnCounter();
    callOnCounters();
  }

  /** A filter that counts. */
  private void callOnCounters() {
    expect(201, "PUT", PATH, "{\"expectedInsertions\": 1000, \"counting\": true}");
    for (var operation : new String[] {"add", "test", "count", "remove"}) {
      expect(200, "POST", PATH + "/" + operation, "{\"elements\": [\"e\"]}");
    }
    expect(204, "DELETE", PATH, null);
  }

  /** A library that counts its adds in a key of its own. */
  private void callOnCounter() {
    expect(
        201,
        "PUT",
        PATH,
        "{\"redisKey\": \"{%s}\", \"hashScheme\": \"rueidisprob\", \"expectedInsertions\": 1000}"
            .formatted(NAME));
    expect(200, "POST", PATH + "/add", "{\"elements\": [\"d\"]}");
    expect(204, "DELETE", PATH + "?deleteKey=true", null);
  }

  private void expect(int status, String method, String path, String body) {
    var bytes = body == null ? null : body.getBytes(StandardCharsets.UTF_8);
    var answer = http.send(method, path, "application/json", bytes);
    assertEquals(
        status,
        answer.status(),
        () -> method + " " + path + ": " + new String(answer.body(), StandardCharsets.UTF_8));
  }
}
