package io.github.bloomgate.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** How the packaged service ends the embedded Redis, whatever ends the service. */
@EnabledOnOs({OS.LINUX, OS.MAC})
class PackagedServiceIT {

  @TempDir Path folder;

  @Test
  void aTerminatedServiceEndsItsRedisAndKeepsTheData() throws Exception {
    runUntilTerminated("SETBIT filter 4711 1", "0");
    runUntilTerminated("GETBIT filter 4711", "1");
  }

  private void runUntilTerminated(String command, String reply) throws Exception {
    var service = launch(0);
    try (var output = OtherService.output(service)) {
      assertTrue(output.lines().anyMatch(line -> line.contains("Listening on")));
      var record = ServerRecord.parse(Files.readString(recordFile())).orElseThrow();
      var redis = record.findRunning(folder).orElseThrow();
      assertEquals(reply, RedisSocket.callOnce(record.port(), command));

      service.destroy();
      service.waitFor();
      assertFalse(redis.isAlive());
      assertFalse(Files.exists(recordFile()));
    } finally {
      service.destroyForcibly();
    }
  }

  @Test
  void aServiceThatFailsToStartEndsItsRedis() throws Exception {
    try (var occupant = new ServerSocket(0)) {
      var output = runToItsEnd(launch(occupant.getLocalPort()));
      assertTrue(output.contains("Embedded redis-server stopped"), output);
      assertFalse(Files.exists(recordFile()));
    }
  }

  @Test
  void aRefusedFolderIsOneSentenceAndNoStackTrace() throws Exception {
    try (var holder = DataFolder.hold(folder)) {
      var output = runToItsEnd(launch(0));
      assertTrue(output.contains(holder.path() + " is in use by another Bloomgate"), output);
      assertFalse(output.contains("\tat "), output);
    }
  }

  private Process launch(int httpPort) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Dquarkus.http.host=0.0.0.0",
            "-Dquarkus.http.port=" + httpPort,
            "-Dbloomgate.embedded.data-dir=" + folder,
            "-jar",
            Path.of("target", "quarkus-app", "quarkus-run.jar").toString())
        .redirectErrorStream(true)
        .start();
  }

  private static String runToItsEnd(Process service) throws Exception {
    var output = OtherService.output(service).lines().collect(Collectors.joining("\n"));
    assertEquals(1, service.waitFor(), output);
    return output;
  }

  private Path recordFile() {
    return folder.resolve("redis.pid");
  }
}
