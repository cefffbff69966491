package io.github.bloomgate.server.command;

import io.quarkus.runtime.StartupEvent;
import io.quarkus.runtime.configuration.ConfigurationException;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import org.eclipse.microprofile.config.ConfigProvider;

/** Checks settings with references after the framework has resolved them. */
@ApplicationScoped
public class ResolvedSettings {

  void check(@Observes StartupEvent started) {
    var config = ConfigProvider.getConfig();
    var faults = SettingsCheck.faults(name -> config.getOptionalValue(name, String.class));
    if (!faults.isEmpty()) {
      throw new ConfigurationException(String.join("\n", faults));
    }
  }
}
