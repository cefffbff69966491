package io.github.bloomgate.redis.embedded;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.redis.ReservedPort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import redis.embedded.core.ExecutableProvider;

/** What the embedded Redis promises, on real processes. */
@EnabledOnOs({OS.LINUX, OS.MAC})
@Tag("slow")
class EmbeddedRedisTest {

  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @TempDir Path temp;

  @Test
  void keepsDataOverStopAndStart() throws Exception {
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
  void keepsOtherUsersOutOfANewFolder() throws Exception {
    start().close();
    assertEquals(
        "rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(folder())));
  }

  @Test
  void answersNobodyWithoutThePassword() throws Exception {
    try (var redis = start();
        var stranger = new RedisSocket(redis.address())) {
      assertEquals("NOAUTH Authentication required.", stranger.call("PING"));
      assertEquals("NOAUTH Authentication required.", stranger.call("CONFIG GET dir"));
      var refused =
          assertThrows(IOException.class, () -> new RedisSocket(redis.address(), "guess"));
      assertTrue(refused.getMessage().startsWith("WRONGPASS"), refused.getMessage());
      assertEquals("PONG", RedisSocket.callOnce(redis.address(), password(), "PING"));
    }
  }

  @Test
  void givesEachStartAPasswordOfItsOwn() throws Exception {
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
    // In a folder that lets everybody in, with a file of a looser earlier time.
    Files.createDirectories(folder());
    Files.setPosixFilePermissions(folder(), PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.writeString(passwordFile(), "");
    Files.setPosixFilePermissions(passwordFile(), PosixFilePermissions.fromString("rw-rw-rw-"));
    try (var redis = start()) {
      assertEquals("PONG", call(redis, "PING"));
      assertEquals(
          "rw-------",
          PosixFilePermissions.toString(Files.getPosixFilePermissions(passwordFile())));
      // Redis would write it into a file that is readable by all.
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
  void noLogLineHasThePassword() throws Exception {
    var lines = new ConcurrentLinkedQueue<String>();
    var handler =
        new Handler() {
          @Override
          public void publish(LogRecord line) {
            lines.add(line.getMessage() + Arrays.toString(line.getParameters()));
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    var logger = Logger.getLogger("io.github.bloomgate.redis.embedded");
    var before = logger.getLevel();
    logger.setLevel(Level.ALL);
    logger.addHandler(handler);
    String password;
    try (var redis = start()) {
      assertEquals("PONG", call(redis, "PING"));
      password = password();
    } finally {
      logger.removeHandler(handler);
      logger.setLevel(before);
    }
    assertTrue(lines.stream().anyMatch(line -> line.contains("listens on")), lines.toString());
    assertTrue(lines.stream().anyMatch(line -> line.contains("redis-server: ")), lines.toString());
    assertTrue(lines.stream().noneMatch(line -> line.contains(password)));
  }

  @Test
  void takesAwayTheCommandsThatNobodyNeeds() throws Exception {
    try (var redis = start()) {
      for (var command : List.of("MODULE LIST", "DEBUG SLEEP 0", "SHUTDOWN NOSAVE")) {
        assertTrue(call(redis, command).startsWith("ERR unknown command"), command);
      }
    }
  }

  @Test
  void takesOverFromAnEarlierVersionWithoutAPassword() throws Exception {
    Files.createDirectories(folder());
    var binary = ExecutableProvider.newJarResourceProvider(folder().toFile()).get();
    var reserved = ReservedPort.any();
    var port = reserved.number();
    var orphan =
        new ProcessBuilder(
                binary.toString(), "--port", Integer.toString(port), "--appendonly", "yes")
            .directory(folder().toFile())
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      Files.writeString(recordFile(), ServerRecord.of(orphan.toHandle(), port).format());
      await().atMost(PATIENCE).ignoreExceptions().until(() -> set(port));
      try (var redis = start()) {
        assertFalse(isRunning(orphan.toHandle()));
        assertEquals("1", call(redis, "GETBIT filter 4711"));
      }
    } finally {
      orphan.destroyForcibly();
      reserved.close();
    }
  }

  private static boolean set(int port) throws IOException {
    try (var redis = new RedisSocket(port)) {
      redis.call("SETBIT filter 4711 1");
      return "1".equals(redis.call("GETBIT filter 4711"));
    }
  }

  @Test
  void worksInAFolderWithSpacesAndLetters() throws Exception {
    // A JVM in the POSIX locale cannot even name a file with an umlaut.
    var fileNames = Charset.forName(System.getProperty("sun.jnu.encoding")).newEncoder();
    var letters = fileNames.canEncode('Ö') ? "Öl" : "Oel";
    var odd = temp.resolve("a b").resolve(letters + " \"x\"");
    try (var redis = EmbeddedRedis.start(Settings.in(odd), true)) {
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
  void aSecondStartInThisJvmIsRefusedAndHarmless() throws Exception {
    try (var first = start()) {
      var refused = assertThrows(EmbeddedRedisException.class, this::start);
      assertInUseBy(ProcessHandle.current().pid(), refused.getMessage());
      assertEquals("PONG", call(first, "PING"));
      // The refusal must not have opened the folder for other processes either.
      assertOtherJvmIsRefused();
    }
  }

  @Test
  void aSecondServiceIsRefusedAndHarmless() throws Exception {
    try (var first = OtherService.start(folder())) {
      for (var attempt = 0; attempt < 2; attempt++) {
        var refused = assertThrows(EmbeddedRedisException.class, this::start);
        assertInUseBy(first.pid(), refused.getMessage());
      }
      assertEquals("PONG", RedisSocket.callOnce(first.address(), password(), "PING"));
      assertTrue(first.redis().isAlive());
    }
  }

  @Test
  void takesOverFromAKilledJvmWithoutLosingAnAcknowledgedWrite() throws Exception {
    try (var killed = OtherService.start(folder())) {
      killed.killJvm();
      assertTrue(killed.redis().isAlive(), "a SIGKILL leaves an orphan");

      var acknowledged = new AtomicLong();
      var firstAnswer = new CompletableFuture<Void>();
      var password = password();
      var writer =
          CompletableFuture.runAsync(
              () -> count(killed.address(), password, acknowledged, firstAnswer));
      firstAnswer.join();

      try (var redis = start()) {
        writer.join();
        assertNotEquals(killed.redis().pid(), redis.pid());
        var kept = Long.parseLong(call(redis, "GET counter"));
        assertTrue(kept >= acknowledged.get(), kept + " of " + acknowledged);
      }
    }
  }

  /** Adds one again and again until the server goes away. */
  private static void count(
      ServerAddress address,
      String password,
      AtomicLong acknowledged,
      CompletableFuture<Void> first) {
    try (var redis = new RedisSocket(address, password)) {
      while (true) {
        acknowledged.set(Long.parseLong(redis.call("INCR counter")));
        first.complete(null);
      }
    } catch (IOException gone) {
      first.completeExceptionally(gone);
    }
  }

  @Test
  void findsAnOrphanEvenWhenTheClockWasSet() throws Exception {
    try (var killed = OtherService.start(folder())) {
      killed.killJvm();
      record(killed.redis().pid(), Instant.EPOCH);
      try (var redis = start()) {
        assertFalse(isRunning(killed.redis()));
        assertEquals("PONG", call(redis, "PING"));
      }
    }
  }

  @Test
  void refusesToStartBesideAnOrphanThatDoesNotStop() throws Exception {
    try (var killed = OtherService.start(folder())) {
      killed.killJvm();
      signal("STOP", killed.redis());
      var impatient = Settings.in(folder()).withStartTimeout(Duration.ofMillis(200));
      var refused =
          assertThrows(EmbeddedRedisException.class, () -> EmbeddedRedis.start(impatient, true));
      assertMentions(refused, "process " + killed.redis().pid(), "did not stop");
      assertTrue(isRunning(killed.redis()), "it may hold acknowledged writes");

      signal("CONT", killed.redis());
      try (var redis = start()) {
        assertEquals("PONG", call(redis, "PING"));
      }
    }
  }

  @Test
  void leavesAStrangerWithTheRecordedPidAlone() throws Exception {
    var stranger = new ProcessBuilder("sleep", "600").start();
    try {
      Files.createDirectories(folder());
      record(stranger.pid(), Instant.EPOCH);
      try (var redis = start()) {
        assertTrue(stranger.isAlive());
        assertTrue(Files.readString(recordFile()).contains("pid=" + redis.pid()));
      }
    } finally {
      stranger.destroyForcibly();
    }
  }

  @Test
  void ignoresAnUnreadableRecord() throws Exception {
    Files.createDirectories(folder());
    Files.writeString(recordFile(), "pid=");
    try (var redis = start()) {
      assertEquals("PONG", call(redis, "PING"));
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
          .atMost(PATIENCE)
          .ignoreExceptions()
          .until(() -> "1".equals(RedisSocket.callOnce(address, password, "GETBIT filter 4711")));
      await().atMost(PATIENCE).until(() -> redis.pid() != pid);
      // Clients are not told another one.
      assertEquals(password, password());
      assertEquals(address, redis.address());
    }
  }

  @Test
  void closeWinsOverAPendingRestart() throws Exception {
    var redis = start();
    var killed = ProcessHandle.of(redis.pid()).orElseThrow();
    killed.destroyForcibly();
    killed.onExit().join();
    var address = redis.address();
    redis.close();
    assertThrows(IOException.class, () -> new RedisSocket(address).close());
    start().close();
  }

  @Test
  void aBusyPortIsNamedWithItsSetting() throws Exception {
    try (var occupant = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      var settings = Settings.in(folder()).withPort(occupant.getLocalPort());
      var refused =
          assertThrows(EmbeddedRedisException.class, () -> EmbeddedRedis.start(settings, true));
      assertMentions(
          refused,
          "127.0.0.1:" + occupant.getLocalPort(),
          "bloomgate.embedded.port",
          "Address already in use");
    }
    assertFolderIsFree();
  }

  @Test
  void triesAnotherFreePortWhenSomebodyTookTheFirst() throws Exception {
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
    var refused = assertThrows(EmbeddedRedisException.class, () -> start(broken));
    assertMentions(
        refused, "libssl.so.3: cannot open", "exit code 127", "OpenSSL 3", "quarkus.redis.hosts");
    assertFolderIsFree();
  }

  @Test
  void aBinaryTheSystemRefusesIsExplained() throws Exception {
    var wrong = Files.writeString(temp.resolve("wrong"), "#!/no/such/interpreter\n");
    assertTrue(wrong.toFile().setExecutable(true));
    var refused = assertThrows(EmbeddedRedisException.class, () -> start(wrong));
    assertMentions(refused, wrong.toString(), "No such file", "glibc", "quarkus.redis.hosts");
    assertFolderIsFree();
  }

  @Test
  void aPlatformWithoutBinaryIsExplained() throws Exception {
    var refused =
        assertThrows(
            EmbeddedRedisException.class,
            () ->
                EmbeddedRedis.start(
                    Settings.in(folder()),
                    true,
                    unpackTo -> {
                      throw new IllegalArgumentException("Unknown OS");
                    }));
    assertMentions(refused, System.getProperty("os.name"), "Unknown OS", "quarkus.redis.hosts");
    assertFolderIsFree();
  }

  @Test
  void aServerThatIsNeverReadyIsEndedInTime() throws Exception {
    var stuck = script("echo $$ > stuck.pid; exec sleep 600");
    // Until then the script has told its pid, however busy the machine is.
    var impatient = Settings.in(folder()).withStartTimeout(Duration.ofSeconds(10));
    var refused =
        assertThrows(
            EmbeddedRedisException.class,
            () -> EmbeddedRedis.start(impatient, true, unpackTo -> stuck::toFile));
    assertMentions(refused, "bloomgate.embedded.start-timeout");
    var pid = Long.parseLong(Files.readString(folder().resolve("stuck.pid")).strip());
    assertEquals(Optional.empty(), ProcessHandle.of(pid).filter(ProcessHandle::isAlive));
    assertFolderIsFree();
  }

  @Test
  void damagedDataStopsTheStartWithTheReason() throws Exception {
    Files.createDirectories(folder());
    Files.writeString(folder().resolve("appendonly.aof"), "not an append-only file\r\n");
    var refused = assertThrows(EmbeddedRedisException.class, this::start);
    assertMentions(refused, "Bad file format", "exit code 1");
  }

  @Test
  void aFolderThatCannotBeCreatedIsNamed() throws Exception {
    var file = Files.writeString(temp.resolve("file"), "");
    var settings = Settings.in(file.resolve("data"));
    var refused =
        assertThrows(EmbeddedRedisException.class, () -> EmbeddedRedis.start(settings, true));
    assertMentions(refused, settings.dataDir().toString(), "bloomgate.embedded.data-dir");
  }

  private Path folder() {
    return temp.resolve("data");
  }

  private Path recordFile() {
    return folder().resolve("redis.pid");
  }

  private Path passwordFile() {
    return folder().resolve("redis.password");
  }

  private String password() throws IOException {
    return Files.readString(passwordFile());
  }

  private EmbeddedRedis start() {
    return EmbeddedRedis.start(Settings.in(folder()), true);
  }

  private EmbeddedRedis start(Path executable) {
    return EmbeddedRedis.start(Settings.in(folder()), true, unpackTo -> executable::toFile);
  }

  private Path script(String body) throws IOException {
    var script = Files.writeString(temp.resolve("script"), "#!/bin/sh\n" + body);
    assertTrue(script.toFile().setExecutable(true));
    return script;
  }

  private void record(long pid, Instant startedAt) throws IOException {
    Files.writeString(recordFile(), new ServerRecord(pid, 1, Optional.of(startedAt)).format());
  }

  private static String call(EmbeddedRedis redis, String command) throws IOException {
    return RedisSocket.callOnce(redis.address(), redis.password().text(), command);
  }

  private static void signal(String name, ProcessHandle process) throws Exception {
    var kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start();
    assertEquals(0, kill.waitFor());
  }

  /** Ended processes whose parent is gone may stay listed, but without a command. */
  private static boolean isRunning(ProcessHandle process) {
    return process.isAlive() && process.info().command().isPresent();
  }

  private void assertFolderIsFree() {
    assertFalse(Files.exists(recordFile()));
    start().close();
  }

  private void assertOtherJvmIsRefused() throws Exception {
    var other = OtherService.launch(folder());
    var output = OtherService.output(other).lines().collect(Collectors.joining("\n"));
    assertEquals(1, other.waitFor());
    assertInUseBy(ProcessHandle.current().pid(), output);
  }

  private void assertInUseBy(long pid, String message) throws IOException {
    assertTrue(message.contains("process " + pid), message);
    assertTrue(message.contains(folder().toRealPath().toString()), message);
    assertTrue(message.contains("bloomgate.embedded.data-dir"), message);
  }

  private static void assertMentions(EmbeddedRedisException refused, String... parts) {
    for (var part : parts) {
      assertTrue(refused.getMessage().contains(part), refused.getMessage());
    }
  }
}
