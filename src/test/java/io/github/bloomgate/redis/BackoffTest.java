package io.github.bloomgate.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.bloomgate.config.BloomgateConfig;
import io.smallrye.config.WithDefault;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * The pauses between attempts to connect, which limit how late the service notices that Redis is
 * back.
 */
class BackoffTest {

  @Test
  void pausesDoubleUpToTheLongestAndStartOverAfterASuccess() {
    var backoff = new Backoff(Duration.ofMillis(500));
    assertEquals(List.of(50L, 100L, 200L, 400L, 500L, 500L), pauses(backoff));
    backoff.reset();
    assertEquals(List.of(50L, 100L, 200L, 400L, 500L, 500L), pauses(backoff));
  }

  @Test
  void theShortestSettingsStillPause() {
    assertEquals(List.of(1L, 1L, 1L, 1L, 1L, 1L), pauses(new Backoff(Duration.ofNanos(1))));
  }

  /** With the default, the end of an outage is noticed within a second. */
  @Test
  void theDefaultIsHalfASecond() throws Exception {
    var setting = BloomgateConfig.Redis.class.getMethod("reconnectBackoff");
    assertEquals("500ms", setting.getAnnotation(WithDefault.class).value());
  }

  private static List<Long> pauses(Backoff backoff) {
    return LongStream.generate(backoff::next).limit(6).boxed().toList();
  }
}
