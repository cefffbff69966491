package io.github.bloomgate.redis;

import static io.github.bloomgate.redis.TestLink.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.smallrye.mutiny.Uni;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScriptRunnerTest {
  private static final List<String> KEYS = List.of("bloom:readiness");

  @Test
  void theTextIsSentOnlyIfTheDigestIsUnknown() {
    try (TestRedis redis = TestRedis.started();
        TestLink link = new TestLink(redis.options())) {
      ScriptRunner runner = new ScriptRunner(link.link(), link.registry());
      assertEquals("OK", await(ping(runner)).status());
      assertEquals(1, fallbacks(link));
      assertEquals("OK", await(ping(runner)).status());
      assertEquals(1, fallbacks(link));
      redis.command("SCRIPT", "FLUSH");
      assertEquals("OK", await(ping(runner)).status());
      assertEquals("OK", await(ping(runner)).status());
      assertEquals(2, fallbacks(link));
      assertEquals(4, link.registry().get("bloom.script").tag("script", "drop").timer().count());
    }
  }

  private static Uni<ScriptReply> ping(ScriptRunner runner) {
    return runner.run(Script.DROP, Effect.WRITE, KEYS, request -> {});
  }

  private static double fallbacks(TestLink link) {
    return link.registry().get("bloom.script.fallbacks").counter().count();
  }
}
