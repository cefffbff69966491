package io.github.bloomgate.redis.embedded;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.redis.AppendOnlyFile;
import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Append-only files after a crash, with real processes. */
@EnabledOnOs({OS.LINUX, OS.MAC})
@Tag("slow")
class EmbeddedRedisTornFileTest extends EmbeddedRedisInFolder {

  /** The same file is truncated after each command and within it. */
  @Test
  void dropsATruncatedTransactionForGood() throws Exception {
    var cuts = 1;
    for (var cut = 0; cut < cuts; cut++) {
      try (var redis = start()) {
        transaction(redis, "whole" + cut);
        transaction(redis, "torn" + cut);
      }
      var file = new AppendOnlyFile(folder());
      var ends = file.endsOfLastJournaled();
      cuts = 2 * (ends.size() - 1);
      file.cut(ends.get(cut / 2) + 6L * (cut % 2));

      try (var redis = start()) {
        assertKept(redis, "whole" + cut);
        assertEquals("0", call(redis, "EXISTS torn%1$d torn%1$d-too".formatted(cut)));
        assertEquals("OK", call(redis, "SET single%d 1".formatted(cut)));
        // Its end must not be mistaken for the end of the truncated transaction.
        transaction(redis, "next" + cut);
      }
      try (var redis = start()) {
        assertKept(redis, "whole" + cut);
        assertEquals("0", call(redis, "EXISTS torn%1$d torn%1$d-too".formatted(cut)));
        assertEquals("1", call(redis, "GET single%d".formatted(cut)));
        assertKept(redis, "next" + cut);
      }
    }
    assertTrue(cuts > 2);
  }

  @Test
  void refusesADamagedFileAndKeepsIt() throws Exception {
    try (var redis = start()) {
      transaction(redis, "first");
      transaction(redis, "second");
    }
    var file = folder().resolve("appendonly.aof");
    var bytes = Files.readAllBytes(file);
    bytes[bytes.length / 2] ^= 0x40;
    bytes[bytes.length / 2 + 1] ^= 0x40;
    Files.write(file, bytes);
    assertMentions(assertThrows(EmbeddedRedisException.class, this::start), "append only file");
    assertArrayEquals(bytes, Files.readAllBytes(file));
  }

  private static void transaction(EmbeddedRedis redis, String name) throws IOException {
    try (var client = new RedisSocket(redis.address(), redis.password().text())) {
      assertEquals("OK", client.call("MULTI"));
      assertEquals("QUEUED", client.call("APPEND %s x".formatted(name)));
      assertEquals("QUEUED", client.call("SET %s-too y".formatted(name)));
      assertEquals("1 OK", client.call("EXEC"));
    }
  }

  private static void assertKept(EmbeddedRedis redis, String name) throws IOException {
    assertEquals("x y", call(redis, "MGET %1$s %1$s-too".formatted(name)));
  }
}
