package io.github.bloomgate.redis.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import redis.embedded.core.ExecutableProvider;

/** Starts of the embedded Redis that fail, and how the errors explain it, with real processes. */
@EnabledOnOs({OS.LINUX, OS.MAC})
@Tag("slow")
class EmbeddedRedisFailureTest extends EmbeddedRedisInFolder {

  @Test
  void aBusyPortIsNamedWithItsSetting() throws Exception {
    try (var occupant = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      var settings = Settings.in(folder()).withPort(occupant.getLocalPort());
      assertRefused(
          () -> start(settings),
          "127.0.0.1:" + occupant.getLocalPort(),
          "bloomgate.embedded.port",
          "Address already in use");
    }
    assertFolderIsFree();
  }

  @Test
  void triesAnotherFreePortIfTheFirstIsTaken() throws Exception {
    var real = ExecutableProvider.newJarResourceProvider(temp.toFile()).get();
    var unlucky =
        script(
            """
            if [ -e tried ]; then exec "%s" "$@"; fi
            touch tried
            echo "Could not create server TCP listening socket: bind: Address already in use"
            exit 1
            """
                .formatted(real));
    try (var redis =
        EmbeddedRedis.start(Settings.in(folder()).withPort(0), true, unpackTo -> unlucky::toFile)) {
      assertEquals("PONG", call(redis, "PING"));
    }
  }

  @Test
  void aBinaryThatCannotRunIsExplainedWithItsLastOutput() throws Exception {
    var broken = script("echo 'libssl.so.3: cannot open shared object file' >&2; exit 127");
    assertRefused(
        () -> start(broken),
        "libssl.so.3: cannot open",
        "exit code 127",
        "OpenSSL 3",
        "quarkus.redis.hosts");
    assertFolderIsFree();
  }

  @Test
  void aBinaryTheSystemRefusesIsExplained() throws Exception {
    var wrong = Files.writeString(temp.resolve("wrong"), "#!/no/such/interpreter\n");
    assertTrue(wrong.toFile().setExecutable(true));
    assertRefused(
        () -> start(wrong), wrong.toString(), "No such file", "glibc", "quarkus.redis.hosts");
    assertFolderIsFree();
  }

  @Test
  void aPlatformWithoutBinaryIsExplained() throws Exception {
    assertRefused(
        () ->
            EmbeddedRedis.start(
                Settings.in(folder()),
                true,
                unpackTo -> {
                  throw new IllegalArgumentException("Unknown OS");
                }),
        System.getProperty("os.name"),
        "Unknown OS",
        "quarkus.redis.hosts");
    assertFolderIsFree();
  }

  @Test
  void aServerIsRecordedBeforeItGetsItsSettings() throws Exception {
    var curious = script("read first; echo \"$first $(cat redis.pid)\"; exit 1");
    assertRefused(() -> start(curious), "requirepass ", "pid=", "port=");
    assertFolderIsFree();
  }

  @Test
  void aServerThatIsNeverReadyIsStoppedAfterTheTimeout() throws Exception {
    var stuck = script("echo $$ > stuck.pid; exec sleep 600");
    // By then the script has reported its pid, even on a busy machine.
    var impatient = Settings.in(folder()).withStartTimeout(Duration.ofSeconds(5));
    assertRefused(
        () -> EmbeddedRedis.start(impatient, true, unpackTo -> stuck::toFile),
        "bloomgate.embedded.start-timeout");
    var pid = Long.parseLong(Files.readString(folder().resolve("stuck.pid")).strip());
    assertEquals(Optional.empty(), ProcessHandle.of(pid).filter(ProcessHandle::isAlive));
    assertFolderIsFree();
  }

  @Test
  void damagedDataStopsTheStartWithTheReason() throws Exception {
    Files.createDirectories(folder());
    Files.writeString(folder().resolve("appendonly.aof"), "not an append-only file\r\n");
    assertRefused(this::start, "Bad file format", "exit code 1");
  }

  @Test
  void aFolderThatCannotBeCreatedIsNamed() throws Exception {
    var file = Files.writeString(temp.resolve("file"), "");
    var settings = Settings.in(file.resolve("data"));
    assertRefused(
        () -> start(settings), settings.dataDir().toString(), "bloomgate.embedded.data-dir");
  }
}
