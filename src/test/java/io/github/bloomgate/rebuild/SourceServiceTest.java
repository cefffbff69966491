package io.github.bloomgate.rebuild;

import static io.github.bloomgate.support.Failures.assertFails;
import static io.github.bloomgate.support.TestInstance.element;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.source.CronSchedule;
import io.github.bloomgate.model.source.Origin;
import io.github.bloomgate.store.ClaimReply;
import io.github.bloomgate.store.Keys;
import io.github.bloomgate.store.SourceStore;
import io.github.bloomgate.store.SourceStore.When;
import io.github.bloomgate.support.TestHttp;
import io.github.bloomgate.support.TestInstance;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A source follows its filter: it is renamed, expires and is deleted with it. */
class SourceServiceTest extends SourcesOnRedis {

  @Test
  void aRunEndsWithoutEffectWhenItsSourceIsReplaced() throws Exception {
    var name = name();
    one.create(name, SMALL);
    one.add(name, elements("live", 10));
    try (var server = new TestHttp()) {
      var instance = new TestInstance(redis, TestSources.of(folder, server.url("/")));
      try (instance) {
        var held = server.hold("/held", element("a\n"), element("b\n"));
        attach(instance, name, server.url("/held"));
        begin(instance, name);
        held.awaitRequest();
        redis("SADD", "set-of-" + name, texts("e", 10));
        attach(name, new Origin.RedisKey("set-of-" + name), BY_HAND);
        held.release();
        Awaitility.await().until(() -> runs(instance, "failed") == 1);
      }
    }
    assertEquals(1, generation(name));
    assertEquals(Optional.empty(), status(name).lastRun());
    assertNoRebuild(name);
    one.assertMaybe(name, elements("live", 10));
  }

  @Test
  void aSourceFollowsTheRenameOfItsFilter() {
    var name = ofSet(HOURLY);
    var due = status(name).nextRunAt();
    var replaced = ofMissing(BY_HAND);

    one.renames.rename(name, replaced, true);

    assertEquals(due, status(replaced).nextRunAt());
    makeDue(replaced);
    lookNow(name);
    one.runs.startDue();
    Awaitility.await().until(() -> generation(replaced) == 2 && isIdle(replaced));
    assertNull(redis("ZSCORE", "bloom:{=names}:agenda", List.of(name.value())));
    one.assertMaybe(replaced, elements("e", 10));
  }

  @Test
  void aRenamedFilterIsListedByItsNewNameEvenIfAClockIsWrong() {
    var name = ofMissing(HOURLY);
    var to = name();
    var ahead = Clock.offset(Clock.systemUTC(), Duration.ofHours(2));
    try (var instance = new TestInstance(redis, ahead)) {
      instance.renames.rename(name, to, false);
    }
    Awaitility.await()
        .until(
            () -> {
              one.runs.startDue();
              var score = redis("ZSCORE", "bloom:{=names}:agenda", List.of(to.value()));
              return score != null
                  && (long) Double.parseDouble(score.toString())
                      == status(to).nextRunAt().orElseThrow().toEpochMilli();
            });
  }

  /** The clock of Redis was ahead for a moment, in which the next run was computed. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aTimeThatIsTooLateIsCorrected(boolean byHand) {
    var name = ofMissing(HOURLY);
    var late = Instant.now().plus(Duration.ofDays(40));
    var daily = ofMissing(new CronSchedule("0 0 * * *", "UTC"));
    var due = status(daily).nextRunAt();
    delay(name, late);
    if (byHand) {
      attach(name, new Origin.RedisKey("missing"), HOURLY);
    } else {
      checkAllTimes();
    }
    var latest = Instant.now().plus(Duration.ofHours(1)).plusSeconds(5);
    assertTrue(status(name).nextRunAt().orElseThrow().isBefore(latest), status(name).toString());
    assertTrue(score(name) < latest.toEpochMilli());
    assertEquals(due, status(daily).nextRunAt());
  }

  /** The clock was ahead when the run was claimed, and its instance died. */
  @Test
  void aClaimThatIsTooLongIsCorrected() {
    var name = ofSet(HOURLY);
    var store = one.get(SourceStore.class);
    assertInstanceOf(ClaimReply.Claimed.class, store.claim(name, "dead", When.NOW));
    var late = Instant.now().plus(Duration.ofDays(40));
    redis("HSET", Keys.source(name), List.of("leasedUntil", millis(late)));
    delay(name, late);
    checkAllTimes();
    var latest = Instant.now().plus(SourceStore.LEASE).plusSeconds(5).toEpochMilli();
    assertTrue(score(name) < latest);
    lookNow(name);
    one.runs.startDue();
    var lease = redis("HGET", Keys.source(name), List.of("leasedUntil")).toLong();
    assertTrue(lease < latest, lease + " < " + latest);
  }

  private static void checkAllTimes() {
    // Each call checks 50 sources.
    var sources = redis("ZCARD", "bloom:{=names}:agenda", List.of()).toInteger();
    for (var i = 0; i <= sources / 50 + 1; i++) {
      one.runs.checkTimes();
    }
  }

  private static String millis(Instant time) {
    return String.valueOf(time.toEpochMilli());
  }

  private static void delay(FilterName name, Instant to) {
    redis("HSET", Keys.source(name), List.of("nextRunAt", millis(to)));
    redis("ZADD", "bloom:{=names}:agenda", List.of(millis(to), name.value()));
  }

  private static double score(FilterName name) {
    var score = redis("ZSCORE", "bloom:{=names}:agenda", List.of(name.value()));
    return Double.parseDouble(score.toString());
  }

  /** As if the Java version of another instance knew more time zones, or its source had more. */
  @ParameterizedTest
  @ValueSource(strings = {"\"timeZone\":\"Mars/Olympus\"", "\"timeZone\":\"UTC\",\"leap\":1"})
  void aSourceOfANewerInstanceIsLeftToIt(String field) {
    var name = ofSet(new CronSchedule("0 0 * * *", "UTC"));
    var readable = redis("HGET", Keys.source(name), List.of("source")).toString();
    var foreign = readable.replace("\"timeZone\":\"UTC\"", field);
    assertNotEquals(readable, foreign);
    redis("HSET", Keys.source(name), List.of("source", foreign));
    makeDue(name);
    var next = ofSet(HOURLY);
    makeDue(next);

    one.runs.startDue();
    Awaitility.await().until(() -> generation(next) == 2 && isIdle(next));
    one.runs.checkTimes();
    for (Executable call :
        List.<Executable>of(() -> one.sources.find(name), () -> begin(one, name))) {
      var failure = assertFails(ErrorCode.FILTER_DAMAGED, call);
      assertTrue(failure.getMessage().contains("Other instances may"), failure.getMessage());
      assertFalse(failure.getMessage().contains("delete"), failure.getMessage());
    }
    assertNull(redis("HGET", Keys.source(name), List.of("run")));
    assertTrue(score(name) <= 2000, "it stays due");

    // An instance that can read it.
    redis("HSET", Keys.source(name), List.of("source", readable));
    other.runs.startDue();
    Awaitility.await().until(() -> generation(name) == 2 && isIdle(name));
    assertEquals(Optional.empty(), lastRun(name).failure());
  }

  @Test
  void aSourceKeyOfAnotherTypeIsReported() {
    var name = ofMissing(BY_HAND);
    redis("SET", Keys.source(name), List.of("x"));
    assertFails(ErrorCode.WRONG_KEY_TYPE, () -> one.sources.find(name));
    // The filter itself is intact.
    assertEquals(Optional.empty(), one.describe(name).source());
    one.add(name, elements("e", 1));
    one.changes.delete(name, false);
    assertEquals(List.of(), one.keysWith(name.value()));
  }
}
