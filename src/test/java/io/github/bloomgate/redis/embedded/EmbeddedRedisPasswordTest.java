package io.github.bloomgate.redis.embedded;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Access to the embedded Redis and its folder, with real processes. */
@EnabledOnOs({OS.LINUX, OS.MAC})
@Tag("slow")
class EmbeddedRedisPasswordTest extends EmbeddedRedisInFolder {

  @Test
  void keepsOtherUsersOutOfANewFolder() throws Exception {
    start().close();
    assertEquals(
        "rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(folder())));
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
    Files.setPosixFilePermissions(folder(), PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.writeString(passwordFile(), "");
    Files.setPosixFilePermissions(passwordFile(), PosixFilePermissions.fromString("rw-rw-rw-"));
    try (var redis = start()) {
      assertEquals("PONG", call(redis, "PING"));
      assertEquals(
          "rw-------",
          PosixFilePermissions.toString(Files.getPosixFilePermissions(passwordFile())));
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
