package io.github.bloomgate.config;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The default number of event loops, as the application finds it. */
class EventLoopsTest {

  @Test
  void thereIsOneForEachProcessorUnlessSet() {
    assertEquals(Runtime.getRuntime().availableProcessors(), loops(Map.of()));
    assertEquals(7, loops(Map.of(EventLoops.SETTING, "7")));
  }

  private static int loops(Map<String, String> settings) {
    return new SmallRyeConfigBuilder()
        .addDiscoveredCustomizers()
        .withSources(new PropertiesConfigSource(settings, "test", 100))
        .build()
        .getValue(EventLoops.SETTING, Integer.class);
  }
}
