package io.github.bloomgate.redis.embedded;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** An embedded Redis in a folder of its own, with real processes. */
abstract class EmbeddedRedisInFolder {

  @TempDir Path temp;

  Path folder() {
    return temp.resolve("data");
  }

  Path recordFile() {
    return folder().resolve("redis.pid");
  }

  Path passwordFile() {
    return folder().resolve("redis.password");
  }

  String password() throws IOException {
    return Files.readString(passwordFile());
  }

  EmbeddedRedis start() {
    return EmbeddedRedis.start(Settings.in(folder()), true);
  }

  EmbeddedRedis start(Path executable) {
    return EmbeddedRedis.start(Settings.in(folder()), true, unpackTo -> executable::toFile);
  }

  /** Writes a program to run instead of the server. */
  Path script(String body) throws IOException {
    var script = Files.writeString(temp.resolve("script"), "#!/bin/sh\n" + body);
    assertTrue(script.toFile().setExecutable(true));
    return script;
  }

  static String call(EmbeddedRedis redis, String command) throws IOException {
    return RedisSocket.callOnce(redis.address(), redis.password().text(), command);
  }

  /** Ended processes whose parent is gone may stay listed, but without a command. */
  static boolean isRunning(ProcessHandle process) {
    return process.isAlive() && process.info().command().isPresent();
  }

  static void assertMentions(EmbeddedRedisException refused, String... parts) {
    for (var part : parts) {
      assertTrue(refused.getMessage().contains(part), refused.getMessage());
    }
  }
}
