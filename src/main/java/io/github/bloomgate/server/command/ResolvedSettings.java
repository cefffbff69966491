package io.github.bloomgate.server.command;

import io.quarkus.runtime.StartupEvent;
import io.quarkus.runtime.configuration.ConfigurationException;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import org.eclipse.microprofile.config.ConfigProvider;

/** Looks at settings that refer to others, when the framework knows what they are. */
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
