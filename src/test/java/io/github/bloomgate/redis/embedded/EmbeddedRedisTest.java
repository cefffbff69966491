package io.github.bloomgate.redis.embedded;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.redis.AppendOnlyFile;
import io.github.bloomgate.support.InParallel;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Data, settings, shutdown and crashes of the embedded Redis, with real processes. */
@EnabledOnOs({OS.LINUX, OS.MAC})
@Tag("slow")
class EmbeddedRedisTest extends EmbeddedRedisInFolder {

  @Test
  void keepsDataAcrossRestarts() throws Exception {
    try (var redis = start()) {
      call(redis, "SETBIT filter 4711 1");
    }
    try (var redis = start()) {
      assertEquals("1", call(redis, "GETBIT filter 4711"));
    }
  }

  @Test
  void runsWithTheSettingsThatKeepFilters() throws Exception {
    try (var redis = start()) {
      assertEquals("appendonly yes", call(redis, "CONFIG GET appendonly"));
      assertEquals("appendfsync everysec", call(redis, "CONFIG GET appendfsync"));
      assertEquals("save ", call(redis, "CONFIG GET save"));
      assertEquals("dir " + folder().toRealPath(), call(redis, "CONFIG GET dir"));
      assertEquals("maxmemory-policy noeviction", call(redis, "CONFIG GET maxmemory-policy"));
      assertEquals("port 0", call(redis, "CONFIG GET port"));
      assertEquals("unixsocketperm 700", call(redis, "CONFIG GET unixsocketperm"));
      assertEquals("maxclients 64", call(redis, "CONFIG GET maxclients"));
      assertTrue(
          call(redis, "CONFIG GET client-output-buffer-limit")
              .contains("normal 268435456 134217728 60"));
    }
  }

  @Test
  void worksInAFolderWithSpacesAndLetters() throws Exception {
    // A JVM in the POSIX locale cannot even name a file with an umlaut.
    var fileNames = Charset.forName(System.getProperty("sun.jnu.encoding")).newEncoder();
    var letters = fileNames.canEncode('Ö') ? "Öl" : "Oel";
    var odd = temp.resolve("a b").resolve(letters + " \"x\"");
    try (var redis = start(Settings.in(odd))) {
      assertEquals("PONG", call(redis, "PING"));
    }
  }

  @Test
  void closeEndsTheServerAndItsRecord() throws Exception {
    var redis = start();
    var process = ProcessHandle.of(redis.pid()).orElseThrow();
    assertTrue(Files.readString(recordFile()).contains("port=0"));
    redis.close();
    redis.close();
    assertFalse(process.isAlive());
    assertFalse(Files.exists(recordFile()));
    assertFalse(Files.exists(passwordFile()));
    try (var files = Files.list(folder())) {
      assertEquals(
          "appendonly.aof bloomgate.lock",
          files
              .map(file -> file.getFileName().toString())
              .filter(name -> !name.startsWith("redis-server"))
              .sorted()
              .collect(Collectors.joining(" ")));
    }
  }

  @Test
  void startsAgainAtTheSameAddressWhenTheServerIsKilled() throws Exception {
    try (var redis = start()) {
      var address = redis.address();
      var pid = redis.pid();
      var password = password();
      call(redis, "SETBIT filter 4711 1");
      ProcessHandle.of(pid).orElseThrow().destroyForcibly();
      await()
          .ignoreExceptions()
          .until(() -> "1".equals(RedisSocket.callOnce(address, password, "GETBIT filter 4711")));
      await().until(() -> redis.pid() != pid);
      // Clients would not learn a new password.
      assertEquals(password, password());
      assertEquals(address, redis.address());
    }
  }

  @Test
  void closeWinsOverAPendingRestart() throws Exception {
    var redis = start();
    var killed = ProcessHandle.of(redis.pid()).orElseThrow();
    killed.destroyForcibly();
    InParallel.resultOf(killed.onExit());
    var address = redis.address();
    redis.close();
    assertThrows(IOException.class, () -> new RedisSocket(address).close());
    start().close();
  }

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
    assertRefused(this::start, "append only file");
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
