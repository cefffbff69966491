package io.github.bloomgate.redis.embedded;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.faults.PackagedService;
import io.github.bloomgate.support.PackagedJar;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The packaged service stops the embedded Redis in every kind of shutdown. */
@EnabledOnOs({OS.LINUX, OS.MAC})
@Tag("slow")
class PackagedServiceIT {

  /**
   * A failed start in the framework's words, or with an unknown cause. Interrupted tasks may log
   * their own stack traces.
   */
  private static final Pattern WITH_STACK =
      Pattern.compile("Failed to start application|no setting explains");

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
      var password = Files.readString(folder.resolve("redis.password"));
      var socket = ServerAddress.socketIn(folder.toRealPath());
      assertEquals(reply, RedisSocket.callOnce(socket, password, command));

      service.destroy();
      service.waitFor();
      assertFalse(redis.isAlive());
      assertFalse(Files.exists(recordFile()));
    } finally {
      service.destroyForcibly();
    }
  }

  @Test
  void aServiceNeverRevealsThePassword() throws Exception {
    try (var service =
        PackagedService.start(
            "", "quarkus.log.level=DEBUG", "bloomgate.embedded.data-dir=" + folder)) {
      var password = Files.readString(folder.resolve("redis.password"));
      var answers = new StringBuilder(get(service, "/q/health/ready"));
      var record = ServerRecord.parse(Files.readString(recordFile())).orElseThrow();
      record.findRunning(folder).orElseThrow().destroyForcibly();
      // Both while Redis is unavailable and when it is back.
      await()
          .until(
              () -> {
                var ready = get(service, "/q/health/ready");
                answers.append(ready).append(get(service, "/v1/filters"));
                return !Files.readString(recordFile()).equals(record.format())
                    && ready.startsWith("200 ");
              });
      answers.append(get(service, "/q/metrics"));
      service.terminate();
      service.awaitEnd();

      assertFalse(answers.toString().contains(password));
      var lines = String.join("\n", service.log());
      assertTrue(lines.contains("exited unexpectedly"), lines);
      assertFalse(lines.contains(password));
    }
  }

  private static String get(PackagedService service, String path) throws IOException {
    var answer = service.send("GET", path, "");
    return answer.statusCode() + " " + answer.headers() + PackagedService.text(answer);
  }

  @Test
  void aServiceThatFailsToStartEndsItsRedis() throws Exception {
    try (var occupant = new ServerSocket(0)) {
      var output = runToItsEnd(launch(occupant.getLocalPort()));
      assertTrue(output.contains("Embedded redis-server stopped"), output);
      assertFalse(Files.exists(recordFile()));

      var reason =
          "It cannot listen on port %d of 0.0.0.0 (Address already in use): end the process that uses this port, or set quarkus.http.port "
              .formatted(occupant.getLocalPort());
      assertTrue(output.contains(reason), output);
      assertFalse(output.contains("\tat "), output);
    }
  }

  /** A file, a type and a port: three places in the framework where a start can fail. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "quarkus.tls.key-store.pem.0.cert=/no/such/cert.pem"
            + " quarkus.tls.key-store.pem.0.key=/no/such/key.pem",
        "quarkus.http.read-timeout=soon",
        "bloomgate.management.port=4711 quarkus.http.port=4711",
      })
  void aFailureIsOneLineThatNamesTheSetting(String settings) throws Exception {
    var given = settings.split(" ");
    var options = Stream.of(given).map("-D"::concat).toArray(String[]::new);
    var output = runToItsEnd(service(0, options).start());
    var line = output.lines().filter(it -> it.contains("The service did not start. ")).findFirst();
    assertTrue(line.isPresent(), output);
    assertTrue(line.get().contains(given[0].substring(0, given[0].indexOf('='))), line.get());
    assertFalse(WITH_STACK.matcher(output).find(), output);
  }

  @Test
  void aRefusedFolderIsOneSentenceAndNoStackTrace() throws Exception {
    try (var holder = DataFolder.hold(folder)) {
      var output = runToItsEnd(launch(0));
      assertTrue(output.contains(holder.path() + " is in use by another Bloomgate"), output);
      assertFalse(WITH_STACK.matcher(output).find(), output);
    }
  }

  private Process launch(int httpPort) throws IOException {
    return service(httpPort).start();
  }

  private ProcessBuilder service(int httpPort, String... settings) {
    var options = new ArrayList<String>();
    options.add("-Dquarkus.http.host=0.0.0.0");
    options.add("-Dquarkus.http.port=" + httpPort);
    options.add("-Dbloomgate.embedded.data-dir=" + folder);
    options.addAll(List.of(settings));
    return PackagedJar.process(options);
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
