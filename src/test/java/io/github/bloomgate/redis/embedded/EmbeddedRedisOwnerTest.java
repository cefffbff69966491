package io.github.bloomgate.redis.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.support.InParallel;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Two services with one data folder, and the leftovers of a dead one, with real processes. */
@EnabledOnOs({OS.LINUX, OS.MAC})
@Tag("slow")
class EmbeddedRedisOwnerTest extends EmbeddedRedisInFolder {

  @Test
  void aSecondStartInThisJvmIsRefusedAndHarmless() throws Exception {
    try (var first = start()) {
      assertRefused(this::start, inUseBy(ProcessHandle.current().pid()));
      assertEquals("PONG", call(first, "PING"));
      // The refused start must not have opened the folder for other processes.
      assertOtherJvmIsRefused();
    }
  }

  @Test
  void aSecondServiceIsRefusedAndHarmless() throws Exception {
    try (var first = OtherService.start(folder())) {
      for (var attempt = 0; attempt < 2; attempt++) {
        assertRefused(this::start, inUseBy(first.pid()));
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
      InParallel.resultOf(firstAnswer);

      try (var redis = start()) {
        InParallel.resultOf(writer);
        assertNotEquals(killed.redis().pid(), redis.pid());
        var kept = Long.parseLong(call(redis, "GET counter"));
        assertTrue(kept >= acknowledged.get(), kept + " of " + acknowledged);
      }
    }
  }

  /** Increments a counter repeatedly until the server stops. */
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
  void refusesToStartWhileAnOrphanDoesNotStop() throws Exception {
    try (var killed = OtherService.start(folder())) {
      killed.killJvm();
      signal("STOP", killed.redis());
      var impatient = Settings.in(folder()).withStartTimeout(Duration.ofMillis(200));
      assertRefused(() -> start(impatient), "process " + killed.redis().pid(), "did not stop");
      assertTrue(isRunning(killed.redis()), "it may hold acknowledged writes");

      signal("CONT", killed.redis());
      try (var redis = start()) {
        assertEquals("PONG", call(redis, "PING"));
      }
    }
  }

  @Test
  void doesNotTouchAnotherProcessWithTheRecordedPid() throws Exception {
    var unrelated = new ProcessBuilder("sleep", "600").start();
    try {
      Files.createDirectories(folder());
      record(unrelated.pid(), Instant.EPOCH);
      try (var redis = start()) {
        assertTrue(unrelated.isAlive());
        assertTrue(Files.readString(recordFile()).contains("pid=" + redis.pid()));
      }
    } finally {
      unrelated.destroyForcibly();
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

  private void record(long pid, Instant startedAt) throws IOException {
    Files.writeString(recordFile(), new ServerRecord(pid, 1, Optional.of(startedAt)).format());
  }

  private static void signal(String name, ProcessHandle process) throws Exception {
    var kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start();
    assertEquals(0, kill.waitFor());
  }

  private void assertOtherJvmIsRefused() throws Exception {
    var other = OtherService.launch(folder());
    var output = OtherService.output(other).lines().collect(Collectors.joining("\n"));
    assertEquals(1, other.waitFor());
    for (var part : inUseBy(ProcessHandle.current().pid())) {
      assertTrue(output.contains(part), output);
    }
  }

  private String[] inUseBy(long pid) throws IOException {
    return new String[] {
      "process " + pid, folder().toRealPath().toString(), "bloomgate.embedded.data-dir"
    };
  }
}
