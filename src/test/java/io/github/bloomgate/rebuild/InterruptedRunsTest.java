package io.github.bloomgate.rebuild;

import static io.github.bloomgate.support.TestInstance.element;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.support.OnRedis;
import io.github.bloomgate.support.TestHttp;
import io.github.bloomgate.support.TestInstance;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs during which Redis is killed. No add that was acknowledged during a run may be lost. */
@Tag("long")
@OnRedis({"--appendonly", "yes", "--appendfsync", "always"})
class InterruptedRunsTest extends SourcesOnRedis {

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void noAddDuringARunIsLostWhenRedisIsKilled(boolean isCounting) throws Exception {
    var name = name();
    one.create(name, isCounting ? TestInstance.counting(20_000) : SMALL);
    one.add(name, elements("live", 10));
    try (var server = new TestHttp();
        var instance = new TestInstance(redis, TestSources.of(folder, server.url("/")))) {
      attach(instance, name, server.url("/held"));
      var held = server.hold("/held", element("first\n"), element("last"));
      var run = instance.runs.start(name);
      held.awaitRequest();
      other.add(name, elements("during", 20));
      redis.kill();
      held.release();
      Awaitility.await().atMost(MAX_WAIT).until(run::isDone);
      redis.start();
      Awaitility.await()
          .atMost(MAX_WAIT)
          .pollInterval(Duration.ofSeconds(1))
          .ignoreExceptions()
          .until(() -> hasEnded(instance, name));
    }
    one.assertMaybe(name, elements("during", 20));
    if (isCounting) {
      // Elements must not be counted twice, so the run is not repeated.
      assertEquals("RUN_INTERRUPTED", lastRun(name).failure().orElseThrow().code());
      one.assertMaybe(name, elements("live", 10));
    } else {
      assertEquals(Optional.empty(), lastRun(name).failure());
      one.assertMaybe(name, List.of(element("first"), element("last")));
    }
    assertNoRebuild(name);
  }

  private static boolean hasEnded(TestInstance instance, FilterName name) {
    instance.runs.startDue();
    return isIdle(name);
  }
}
