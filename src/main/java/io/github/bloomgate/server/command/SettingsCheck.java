package io.github.bloomgate.server.command;

import io.github.bloomgate.model.error.NearestName;
import io.github.bloomgate.redis.RedisSettings;
import io.smallrye.config.EnvConfigSource;
import io.smallrye.config.SysPropConfigSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.ConfigValue;

/**
 * Checks the settings before the framework does, because its messages describe its internals and it
 * ignores unknown environment variables.
 *
 * @param faults reasons why the service cannot start
 * @param warnings clauses to log, about settings without effect
 */
record SettingsCheck(List<String> faults, List<String> warnings) {

  private static final Pattern INDEX = Pattern.compile("\\[\\d+]$");
  private static final Pattern PROFILE = Pattern.compile("^%[\\w,]+\\.");
  private static final Pattern FILE =
      Pattern.compile("^PropertiesConfigSource\\[source=file:(.*)]$");

  /** Kubernetes sets such variables for each service, including one named bloomgate. */
  private static final Pattern SERVICE_LINK =
      Pattern.compile("\\w+_(SERVICE_(HOST|PORT\\w*)|PORT(_\\d+_(TCP|UDP|SCTP)\\w*)?)");

  /** The value of such a variable whose name could be meant as a setting. */
  private static final Pattern SERVICE_ADDRESS = Pattern.compile("(tcp|udp|sctp)://.*");

  /** The index of an item, in a variable. */
  private static final Pattern ITEM = Pattern.compile("_\\d+_$");

  /**
   * Checks the names of all settings, and the values that take effect.
   *
   * @param environment all environment variables
   */
  static SettingsCheck of(Config config, Map<String, String> environment) {
    var check = new SettingsCheck(new ArrayList<>(), new ArrayList<>());
    var settings = Setting.all();
    var known = settings.stream().map(Setting::name).collect(Collectors.toSet());
    var elsewhere = new TreeSet<String>();
    for (var source : config.getConfigSources()) {
      if (!(source instanceof EnvConfigSource)) {
        source.getPropertyNames().forEach(name -> check.name(name, source.getName(), known));
        elsewhere.addAll(source.getPropertyNames());
      }
    }
    check.variables(environment, Setting.PREFIX, known);
    // A misspelt address would start the embedded Redis. The framework reports unknown properties,
    // but not unknown variables.
    elsewhere.addAll(RedisSettings.names());
    check.variables(environment, RedisSettings.PREFIX, elsewhere);
    settings.forEach(setting -> check.value(setting, config.getConfigValue(setting.name())));
    return check;
  }

  private void name(String key, String source, Set<String> known) {
    var name = INDEX.matcher(PROFILE.matcher(key).replaceFirst("")).replaceFirst("");
    if (name.startsWith(Setting.PREFIX) && !known.contains(name)) {
      faults.add(
          "There is no setting %s (%s).%s"
              .formatted(name, place(name, source), suggestion(nearest(name))));
    }
  }

  private void variables(Map<String, String> environment, String prefix, Set<String> known) {
    var knownVariables = known.stream().map(SettingsCheck::variable).collect(Collectors.toSet());
    environment.forEach(
        (key, value) -> {
          var variable = ITEM.matcher(variable(key)).replaceFirst("");
          if (variable.startsWith(variable(prefix))
              && !knownVariables.contains(variable)
              && !isOfKubernetes(variable, value)) {
            warnings.add(
                "the environment variable %s is unknown.%s"
                    .formatted(
                        key,
                        suggestion(
                            nearest(key.toLowerCase(Locale.ROOT).replaceFirst("_", "."))
                                .map(SettingsCheck::variable))));
          }
        });
  }

  private static boolean isOfKubernetes(String variable, String value) {
    return SERVICE_LINK.matcher(variable).matches()
        && (!variable.endsWith("_PORT")
            || variable.endsWith("_SERVICE_PORT")
            || SERVICE_ADDRESS.matcher(value).matches());
  }

  private void value(Setting setting, ConfigValue effective) {
    if (effective.getValue() == null) {
      return;
    }
    setting
        .refusal(effective.getValue())
        .ifPresent(
            accepted ->
                faults.add(
                    "The value '%s' of %s (%s) cannot be used: it must be %s."
                        .formatted(
                            effective.getValue(),
                            setting.name(),
                            place(setting.name(), effective.getSourceName()),
                            accepted)));
  }

  /** Where a setting of a source is. */
  private static String place(String name, String source) {
    return switch (source) {
      case SysPropConfigSource.NAME -> "system property";
      case EnvConfigSource.NAME -> "environment variable " + variable(name);
      default -> FILE.matcher(source).replaceFirst("$1");
    };
  }

  private static String variable(String name) {
    return name.replaceAll("[^A-Za-z0-9]", "_").toUpperCase(Locale.ROOT);
  }

  /** The setting with the most similar name, including some of the framework's. */
  private static Optional<String> nearest(String name) {
    var known = SettingsPage.rows().stream().map(SettingsPage.Row::name).toList();
    return NearestName.to(name, known, SettingsCheck::own);
  }

  private static String suggestion(Optional<String> nearest) {
    return nearest.map(" Did you mean %s?"::formatted).orElse("");
  }

  /** Without the prefix, where mistakes are common, and letters only. */
  private static String own(String name) {
    return name.substring(name.indexOf('.') + 1).replaceAll("[^A-Za-z0-9]", "-");
  }
}
