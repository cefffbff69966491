package io.github.bloomgate.redis.embedded;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import redis.embedded.core.ExecutableProvider;

/**
 * Where the embedded Redis listens, which program it runs, and who may use it and own its folder.
 */
@EnabledOnOs({OS.LINUX, OS.MAC})
class EmbeddedRedisAccessTest extends EmbeddedRedisInFolder {

  @Test
  void listensOnLoopbackWithoutSocketsOrWithAPort() throws Exception {
    try (var redis = EmbeddedRedis.start(Settings.in(folder()), false)) {
      assertEquals("bind 127.0.0.1", call(redis, "CONFIG GET bind"));
      assertEquals("protected-mode yes", call(redis, "CONFIG GET protected-mode"));
    }
    try (var redis = start(Settings.in(folder()).withPort(0))) {
      assertFalse(redis.address().isSocket());
      assertEquals("PONG", call(redis, "PING"));
    }
  }

  @Test
  void usesAPortIfThePathIsTooLongForASocket() throws Exception {
    var deep = folder().resolve("d".repeat(100));
    try (var redis = start(Settings.in(deep))) {
      assertFalse(redis.address().isSocket());
      assertEquals("PONG", call(redis, "PING"));
    }
  }

  @Test
  void usesAPortIfNoSocketCanBeCreated() throws Exception {
    Files.createDirectories(folder());
    // A file system without sockets would refuse. Here a folder is in the way.
    Files.createDirectories(folder().resolve(ServerAddress.SOCKET).resolve("x"));
    try (var redis = start()) {
      assertFalse(redis.address().isSocket());
      assertEquals("PONG", call(redis, "PING"));
    }
  }

  @Test
  void runsTheConfiguredProgram() throws Exception {
    var own = ExecutableProvider.newJarResourceProvider(temp.toFile()).get().toPath();
    setMode(own, "rwxr-xr-x");
    try (var killed = start(Settings.in(folder()).withExecutable(own))) {
      assertEquals(
          own.toRealPath().toString(),
          ProcessHandle.of(killed.pid()).orElseThrow().info().command().orElseThrow());
      try (var files = Files.list(folder())) {
        assertFalse(files.anyMatch(file -> file.toString().contains("redis-server")));
      }
    }
  }

  @Test
  void refusesOldAndWritablePrograms() throws Exception {
    var old = Settings.in(folder()).withExecutable(script("echo 'Redis server v=6.0.16 sha=0'"));
    assertRefused(() -> start(old), "v=6.0.16", "6.2", "bloomgate.embedded.executable");
    var open = script("echo 'Redis server v=7.0.0 sha=0'");
    setMode(open, "rwxr-xrwx");
    assertRefused(() -> start(Settings.in(folder()).withExecutable(open)), "any account");
    assertFolderIsFree();
    assumeTrue(isRoot(), "only root can change owners");
    setMode(open, "rwxr-xr-x");
    Files.setAttribute(open, "unix:uid", OTHER_ACCOUNT);
    assertRefused(
        () -> start(Settings.in(folder()).withExecutable(open)), "belongs to another account");
  }

  @Test
  void replacesAnExistingProgram() throws Exception {
    start().close();
    Path program;
    try (var files = Files.list(folder())) {
      program = files.filter(file -> file.toString().contains("redis-server")).findAny().get();
    }
    assertMode("rwx------", program);
    // A part of the program, as a killed start leaves it.
    Files.writeString(program, "#!/bin/sh\nexit 1\n");
    start().close();
  }

  @Test
  void refusesAWorldWritableFolder() throws Exception {
    Files.createDirectories(folder());
    setMode(folder(), "rwxrwxrwx");
    assertRefused(this::start, "any account", "bloomgate.embedded.data-dir", "0700");
    setMode(folder(), "rwx------");
    assertFolderIsFree();
  }

  @Test
  void refusesFoldersAndLinksOfOtherAccounts() throws Exception {
    assumeTrue(isRoot(), "only root can change owners");
    Files.createDirectories(folder());
    Files.setAttribute(folder(), "unix:uid", OTHER_ACCOUNT);
    assertRefused(this::start, "belongs to another account");
    Files.setAttribute(folder(), "unix:uid", 0);

    var link = Files.createSymbolicLink(temp.resolve("link"), folder());
    Files.setAttribute(link, "unix:uid", OTHER_ACCOUNT, LinkOption.NOFOLLOW_LINKS);
    assertRefused(() -> start(Settings.in(link)), "link that belongs to another account");
    assertFolderIsFree();
  }

  @Test
  void theLockDoesNotFollowALink() throws Exception {
    Files.createDirectories(folder());
    var target = temp.resolve("target");
    Files.createSymbolicLink(folder().resolve("bloomgate.lock"), target);
    assertThrows(EmbeddedRedisException.class, this::start);
    assertFalse(Files.exists(target));
  }

  @Test
  void onlyTheOwnerReachesTheSocket() throws Exception {
    try (var redis = start()) {
      assertMode("rwx------", redis.address().socket().orElseThrow());
    }
  }

  @Test
  void keepsOtherUsersOutOfANewFolder() throws Exception {
    start().close();
    assertMode("rwx------", folder());
  }

  @Test
  void refusesClientsWithoutThePassword() throws Exception {
    try (var redis = start();
        var unauthenticated = new RedisSocket(redis.address())) {
      assertEquals("NOAUTH Authentication required.", unauthenticated.call("PING"));
      assertEquals("NOAUTH Authentication required.", unauthenticated.call("CONFIG GET dir"));
      var refused =
          assertThrows(IOException.class, () -> new RedisSocket(redis.address(), "guess"));
      assertTrue(refused.getMessage().startsWith("WRONGPASS"), refused.getMessage());
      assertEquals("PONG", RedisSocket.callOnce(redis.address(), password(), "PING"));
    }
  }

  @Test
  void everyStartHasANewPassword() throws Exception {
    var seen = new HashSet<String>();
    for (var i = 0; i < 2; i++) {
      try (var redis = start()) {
        assertEquals("PONG", call(redis, "PING"));
        assertEquals(32, Base64.getUrlDecoder().decode(password()).length);
        assertTrue(seen.add(password()));
      }
    }
  }

  @Test
  void onlyTheOwnerCanReadThePassword() throws Exception {
    // The folder is open to every account, and a file in it has too many permissions.
    Files.createDirectories(folder());
    setMode(folder(), "rwxr-xr-x");
    Files.writeString(passwordFile(), "");
    setMode(passwordFile(), "rw-rw-rw-");
    try (var redis = start()) {
      assertEquals("PONG", call(redis, "PING"));
      assertMode("rw-------", passwordFile());
      // Redis would write the password into a file that every account can read.
      assertTrue(call(redis, "CONFIG REWRITE").contains("without a config file"));
    }
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void thePasswordIsInNoArgumentAndNoEnvironment() throws Exception {
    try (var redis = start()) {
      var process = Path.of("/proc", Long.toString(redis.pid()));
      for (var file : List.of("cmdline", "environ")) {
        var shown = Files.readString(process.resolve(file), ISO_8859_1);
        assertFalse(shown.isEmpty());
        assertFalse(shown.contains(password()));
      }
    }
  }

  @Test
  void disablesUnneededCommands() throws Exception {
    try (var redis = start()) {
      for (var command : List.of("MODULE LIST", "DEBUG SLEEP 0", "SHUTDOWN NOSAVE")) {
        assertTrue(call(redis, command).startsWith("ERR unknown command"), command);
      }
    }
  }
}
