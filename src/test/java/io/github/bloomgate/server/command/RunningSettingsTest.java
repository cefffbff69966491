package io.github.bloomgate.server.command;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import java.util.Set;
import org.eclipse.microprofile.config.ConfigProvider;
import org.junit.jupiter.api.Test;

/** The settings after the framework has added its own and all defaults. */
@QuarkusTest
class RunningSettingsTest {

  /** Dev mode checks them at this point. */
  @Test
  void theSettingsOfTheRunningServiceAreValid() {
    var check = SettingsCheck.of(ConfigProvider.getConfig(), Set.of());
    assertEquals(List.of(), check.faults());
  }

  /** As documented; {@code TracingTest} sets another share. */
  @Test
  void everyRequestIsTracedByDefault() {
    var share =
        ConfigProvider.getConfig().getValue("quarkus.otel.traces.sampler.arg", Double.class);
    assertEquals(1.0, share);
  }
}
