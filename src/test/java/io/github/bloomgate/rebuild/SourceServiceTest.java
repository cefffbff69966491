package io.github.bloomgate.rebuild;

import static io.github.bloomgate.support.Failures.assertFails;
import static io.github.bloomgate.support.TestInstance.element;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.source.Origin;
import io.github.bloomgate.store.SlotKeys;
import io.github.bloomgate.support.TestHttp;
import io.github.bloomgate.support.TestInstance;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

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

  @Test
  void aSourceKeyOfAnotherTypeIsReported() {
    var name = ofMissing(BY_HAND);
    redis("SET", SlotKeys.source(name), List.of("x"));
    assertFails(ErrorCode.WRONG_KEY_TYPE, () -> one.sources.find(name));
    // The filter itself is intact.
    assertEquals(Optional.empty(), one.describe(name).source());
    one.add(name, elements("e", 1));
    one.changes.delete(name, false);
    assertEquals(List.of(), one.keysWith(name.value()));
  }
}
