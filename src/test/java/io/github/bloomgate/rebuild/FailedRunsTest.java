package io.github.bloomgate.rebuild;

import static io.github.bloomgate.support.Failures.assertFails;
import static io.github.bloomgate.support.TestInstance.element;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.lines.ElementEncoding;
import io.github.bloomgate.lines.LineFormat;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.source.Origin;
import io.github.bloomgate.model.source.Source;
import io.github.bloomgate.rebuild.source.SourceReader;
import io.github.bloomgate.store.ClaimReply.Claimed;
import io.github.bloomgate.store.SourceStore;
import io.github.bloomgate.store.SourceStore.When;
import io.github.bloomgate.support.TestHttp;
import io.github.bloomgate.support.TestInstance;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Sources that cannot be read or loaded, so that the filter keeps its content. */
class FailedRunsTest extends SourcesOnRedis {

  @Test
  void aMissingKeyIsNotAnEmptySource() {
    assertRunFails(ErrorCode.SOURCE_UNREADABLE, new Origin.RedisKey("missing-key"), true);
  }

  @Test
  void aKeyOfAnotherTypeFails() {
    redis("SET", "text-key", List.of("x"));
    redis("HSET", "hash-key", List.of("a", "b"));
    assertRunFails(ErrorCode.SOURCE_UNREADABLE, new Origin.RedisKey("text-key"), true);
    assertRunFails(ErrorCode.SOURCE_UNREADABLE, new Origin.RedisKey("hash-key"), true);
  }

  @Test
  void aKeyThatTheRedisUserMayNotReadFails() {
    redis("SADD", "denied-key", List.of("x"));
    redis.command("ACL", "SETUSER", "default", "resetkeys", "~bloom:*");
    try {
      var detail =
          assertRunFails(ErrorCode.SOURCE_UNREADABLE, new Origin.RedisKey("denied-key"), false);
      assertTrue(detail.contains("no permission"), detail);
    } finally {
      redis.command("ACL", "SETUSER", "default", "allkeys");
    }
  }

  @Test
  void anElementThatIsTooLongFails() {
    redis("SADD", "long-member", List.of("x".repeat(65_537)));
    var detail =
        assertRunFails(ErrorCode.SOURCE_UNREADABLE, new Origin.RedisKey("long-member"), false);
    assertTrue(detail.contains("65537 bytes"), detail);
  }

  @Test
  void anEmptySourceFailsUnlessItMayBeEmpty() throws IOException {
    Files.writeString(folder.resolve("empty.txt"), "");
    var empty = new Origin.File("empty.txt", LineFormat.TEXT, ElementEncoding.UTF_8);
    var name = assertRunFailsOn(ErrorCode.REBUILD_EMPTY, empty, false);

    one.sources.attach(name, new Source(empty, BY_HAND, true, 0, 0));
    run(one, name);
    assertEquals(0, one.describe(name).statistics().bitsSet());
  }

  @Test
  void aSourceThatShrinksTooMuchFails() throws IOException {
    var file = folder.resolve("page.txt");
    var origin = new Origin.File("page.txt", LineFormat.TEXT, ElementEncoding.UTF_8);
    var name = name();
    one.create(name, SMALL);
    one.sources.attach(name, new Source(origin, BY_HAND, false, 50, 0.5));

    Files.writeString(file, "a login page\nfor example\n");
    assertFails(ErrorCode.REBUILD_TOO_SMALL, () -> run(one, name));
    Files.write(file, texts("e", 200));
    run(one, name);
    for (var size : List.of(2, 60, 99)) {
      Files.write(file, texts("f", size));
      // A failed run does not count as the last run.
      assertFails(ErrorCode.REBUILD_TOO_SMALL, () -> run(other, name));
      var failure = lastRun(name).failure().orElseThrow();
      assertEquals("REBUILD_TOO_SMALL", failure.code());
      assertTrue(failure.detail().startsWith(size + " elements "), failure.detail());
      assertTrue(failure.detail().contains("at least 100."), failure.detail());
      one.assertMaybe(name, elements("e", 200));
      assertNoRebuild(name);
    }
    Files.write(file, texts("f", 100));
    run(one, name);
    one.assertMaybe(name, elements("f", 100));
    Files.write(file, texts("g", 50));
    run(one, name);
    Files.write(file, texts("h", 49));
    assertFails(ErrorCode.REBUILD_TOO_SMALL, () -> run(one, name));
  }

  @Test
  void tooManyElementsForARejectingFilterFail() {
    var name = name();
    one.create(name, TestInstance.sized(100, 1e-6, WhenFull.REJECT));
    one.add(name, elements("live", 50));
    redis("SADD", "too-many", texts("e", 200));
    attach(name, new Origin.RedisKey("too-many"), BY_HAND);
    assertFails(ErrorCode.FILTER_FULL, () -> run(one, name));
    one.assertMaybe(name, elements("live", 50));
    assertNoRebuild(name);
  }

  @Tag("slow")
  @Test
  void aSourceThatPausesTooLongFails() throws Exception {
    var name = name();
    one.create(name, SMALL);
    one.add(name, elements("live", 10));
    try (var server = new TestHttp()) {
      var impatient =
          // Long enough for the start to arrive even if the machine stalls.
          new TestSources(
              Optional.of(List.of(server.url("/"))), Optional.empty(), Duration.ofSeconds(8));
      try (var instance = new TestInstance(redis, impatient)) {
        server.hold("/held", element("a\nb\n"), element("c\n"));
        attach(instance, name, server.url("/held"));
        assertFails(ErrorCode.SOURCE_UNREADABLE, () -> run(instance, name));
      }
    }
    var detail = lastRun(name).failure().orElseThrow().detail();
    assertTrue(detail.contains("longer than 8 seconds"), detail);
    assertEquals(1, generation(name));
    assertNoRebuild(name);
    one.assertMaybe(name, elements("live", 10));
  }

  /** Nothing would close the source, so a hanging read would block its thread forever. */
  @Test
  void aSourceThatOpensAfterItsRunWasEndedIsNotRead() {
    try (var instance = withoutTime()) {
      var run = claimed();
      run.begin();
      Awaitility.await()
          .untilAsserted(
              () -> {
                instance.get(RunWatch.class).look(run);
                assertFails(ErrorCode.SOURCE_UNREADABLE, run::check);
              });
      assertFails(ErrorCode.SOURCE_UNREADABLE, () -> run.reads(new Hanging()));
    }
  }

  @Test
  void theTimeoutOfARunExcludesItsWaitForAThread() {
    try (var instance = withoutTime()) {
      var run = claimed();
      instance.get(RunWatch.class).look(run);
      run.check();
    }
  }

  private static TestInstance withoutTime() {
    return new TestInstance(
        redis,
        new TestSources(Optional.empty(), Optional.empty(), MAX_WAIT, MAX_WAIT, Duration.ZERO));
  }

  private static SourceRun claimed() {
    var name = ofMissing(BY_HAND);
    var store = one.get(SourceStore.class);
    return new SourceRun(store, name, "ended", (Claimed) store.claim(name, "ended", When.NOW));
  }

  private static final class Hanging implements SourceReader {
    @Override
    public List<byte[]> next() {
      throw new AssertionError("would hang");
    }

    @Override
    public void close() {}
  }

  private static String assertRunFails(ErrorCode code, Origin origin, boolean allowEmpty) {
    return lastRun(assertRunFailsOn(code, origin, allowEmpty)).failure().orElseThrow().detail();
  }

  private static FilterName assertRunFailsOn(ErrorCode code, Origin origin, boolean allowEmpty) {
    var name = name();
    var before = one.create(name, SMALL);
    one.add(name, elements("live", 100));
    one.sources.attach(name, new Source(origin, HOURLY, allowEmpty, 0, 0));

    assertFails(code, () -> run(one, name));

    one.assertMaybe(name, elements("live", 100));
    assertEquals(before.content(), one.describe(name).live().content());
    assertEquals(code.name(), lastRun(name).failure().orElseThrow().code());
    assertTrue(status(name).nextRunAt().isPresent());
    assertNoRebuild(name);
    return name;
  }
}
