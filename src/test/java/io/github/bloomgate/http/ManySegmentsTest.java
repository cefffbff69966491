package io.github.bloomgate.http;

import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.junit.QuarkusTest;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A filter with the maximum of 4,096 segments, all of them written. */
@QuarkusTest
class ManySegmentsTest extends FilterAndKeys {

  private static final int SEGMENTS = 4_096;

  private static final String WRITE_ALL =
      """
      local header = 'BLOOMSG\\1' .. string.rep('\\0', 48)
      for i = 0, 4095 do
        redis.call('SET', ARGV[1] .. i, header)
      end
      redis.call('HSET', KEYS[1], 'written', string.rep('\\255', 512))
      """;

  @Test
  void itIsDescribedExpiredRenamedClearedAndDeleted() {
    var name = Api.newName();
    Api.put(name, Map.of("bitSize", 1L << 36, "numHashFunctions", 3)).statusCode(201);
    var key = Api.fields(name).getString("redisKey");
    var content = key.substring(0, key.length() - 1);
    redis.run("EVAL", WRITE_ALL, "1", stateKey(name), content);
    Api.describe(name)
        .statusCode(200)
        .body("segments", equalTo(SEGMENTS))
        .body("insertions", equalTo(0));

    Api.expiry(name, "{\"ttlSeconds\": 5000}").statusCode(200);
    var expiresAt = Instant.parse(Api.fields(name).getString("expiresAt"));
    assertEquals(SEGMENTS + 1, keysOf(name).size());
    assertDeadline(expiresAt, keysOf(name));
    Api.delete(name + "/expiry").statusCode(200);

    var renamed = Api.newName();
    Api.post(name, "rename", Map.of("to", renamed)).statusCode(200);
    Api.post(renamed, "clear", "").statusCode(200);
    assertEquals(1, keysOf(renamed).size());
    for (var segment = 0; segment < SEGMENTS; segment++) {
      var left = redis.run("PTTL", content + segment).toLong();
      assertTrue((left > 0 && left <= 60_000) || left == -2, "segment " + segment + ": " + left);
    }
    Api.delete(renamed).statusCode(204);
  }
}
