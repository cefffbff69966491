package io.github.bloomgate.redis.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** An embedded Redis in a folder of its own, with real processes. */
abstract class EmbeddedRedisInFolder {

  /** An unused account. */
  static final int OTHER_ACCOUNT = 54_321;

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
    return start(Settings.in(folder()));
  }

  static EmbeddedRedis start(Settings settings) {
    return EmbeddedRedis.start(settings, true);
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

  /** Asserts that a start fails with an error that contains these texts. */
  static void assertRefused(Executable start, String... parts) {
    var refused = assertThrows(EmbeddedRedisException.class, start);
    for (var part : parts) {
      assertTrue(refused.getMessage().contains(part), refused.getMessage());
    }
  }

  /** Asserts that a failed start left nothing that prevents another. */
  void assertFolderIsFree() {
    assertFalse(Files.exists(recordFile()));
    start().close();
  }

  static boolean isRoot() throws IOException {
    return (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid") == 0;
  }

  /** Asserts who may use a file, such as {@code rwx------}. */
  static void assertMode(String expected, Path file) throws IOException {
    assertEquals(expected, PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
  }

  static void setMode(Path file, String mode) throws IOException {
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
  }
}
