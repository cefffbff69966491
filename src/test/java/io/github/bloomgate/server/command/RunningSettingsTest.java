package io.github.bloomgate.server.command;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.config.ConfigProvider;
import org.junit.jupiter.api.Test;

/** In dev mode, settings are checked after the framework has added its own and all defaults. */
@QuarkusTest
class RunningSettingsTest {

  @Test
  void theSettingsOfTheRunningServiceAreValid() {
    var check = SettingsCheck.of(ConfigProvider.getConfig(), Map.of());
    assertEquals(List.of(), check.faults());
  }
}
