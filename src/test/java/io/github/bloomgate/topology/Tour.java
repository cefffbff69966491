package io.github.bloomgate.topology;

import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.PlainHttp;

/** Calls that need more Redis commands than the contract test. */
final class Tour {

  private static final String NAME = "members-of-tour";
  private static final String PATH = "/v1/filters/" + NAME;

  private final TestRedis redis;

  Tour(TestRedis redis) {
    this.redis = redis;
  }

  void call() {
    PlainHttp.call(201, "PUT", PATH, "{\"expectedInsertions\": 1000}");
    redis.command("ZADD", NAME + "-sorted", "1", "a", "2", "b");
    redis.command("RPUSH", NAME + "-list", "a", "b");
    for (var kind : new String[] {"sorted", "list"}) {
      var source = "{\"redisKey\": \"" + NAME + "-" + kind + "\"}";
      PlainHttp.call(200, "PUT", PATH + "/source", source);
      PlainHttp.call(200, "POST", PATH + "/rebuild/run?wait=true", null);
    }
    PlainHttp.call(204, "DELETE", PATH + "/source", null);
    PlainHttp.call(200, "POST", PATH + "/add?durability=replicated", "{\"elements\": [\"c\"]}");
    PlainHttp.call(204, "DELETE", PATH, null);
    redis.command("DEL", NAME + "-sorted", NAME + "-list");
    callOnCounter();
    callOnCounters();
  }

  /** Uses a counting filter. */
  private void callOnCounters() {
    PlainHttp.call(201, "PUT", PATH, "{\"expectedInsertions\": 1000, \"counting\": true}");
    for (var operation : new String[] {"add", "test", "count", "remove"}) {
      PlainHttp.call(200, "POST", PATH + "/" + operation, "{\"elements\": [\"e\"]}");
    }
    PlainHttp.call(204, "DELETE", PATH, null);
  }

  /** Uses a filter of a library that counts its adds in a separate key. */
  private void callOnCounter() {
    PlainHttp.call(
        201,
        "PUT",
        PATH,
        "{\"redisKey\": \"{%s}\", \"hashScheme\": \"rueidisprob\", \"expectedInsertions\": 1000}"
            .formatted(NAME));
    PlainHttp.call(200, "POST", PATH + "/add", "{\"elements\": [\"d\"]}");
    PlainHttp.call(204, "DELETE", PATH + "?deleteKey=true", null);
  }
}
