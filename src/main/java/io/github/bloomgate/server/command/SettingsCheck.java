package io.github.bloomgate.server.command;

import io.smallrye.config.EnvConfigSource;
import io.smallrye.config.SysPropConfigSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
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
      Pattern.compile("\\w+_(SERVICE_(HOST|PORT\\w*)|PORT(_\\d+_(TCP|UDP)\\w*)?)");

  /**
   * Checks the names of all settings, and the values that take effect.
   *
   * @param environment the names of all environment variables
   */
  static SettingsCheck of(Config config, Set<String> environment) {
    var check = new SettingsCheck(new ArrayList<>(), new ArrayList<>());
    var settings = Setting.all();
    var known = settings.stream().map(Setting::name).collect(Collectors.toSet());
    for (var source : config.getConfigSources()) {
      if (!(source instanceof EnvConfigSource)) {
        source.getPropertyNames().forEach(name -> check.name(name, source.getName(), known));
      }
    }
    check.variables(environment, known);
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

  private void variables(Set<String> environment, Set<String> known) {
    var knownVariables = known.stream().map(SettingsCheck::variable).collect(Collectors.toSet());
    for (var key : environment) {
      var variable = variable(key);
      if (variable.startsWith(variable(Setting.PREFIX))
          && !knownVariables.contains(variable)
          && !SERVICE_LINK.matcher(variable).matches()) {
        warnings.add(
            "the environment variable %s is unknown.%s"
                .formatted(
                    key,
                    suggestion(
                        nearest(key.toLowerCase(Locale.ROOT).replaceFirst("_", "."))
                            .map(SettingsCheck::variable))));
      }
    }
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
    return SettingsPage.rows().stream()
        .map(SettingsPage.Row::name)
        .filter(other -> distance(name, other) <= Math.max(2, longer(name, other) / 3))
        .min(Comparator.comparingInt(other -> distance(name, other)));
  }

  private static String suggestion(Optional<String> nearest) {
    return nearest.map(" Did you mean %s?"::formatted).orElse("");
  }

  /** Without the prefix, where mistakes are common, and letters only. */
  private static String own(String name) {
    return name.substring(name.indexOf('.') + 1).replaceAll("[^A-Za-z0-9]", "-");
  }

  private static int longer(String one, String other) {
    return Math.max(own(one).length(), own(other).length());
  }

  /** The Levenshtein distance of two names. */
  private static int distance(String one, String other) {
    var from = own(one);
    var to = own(other);
    var costs = new int[to.length() + 1];
    for (var j = 0; j <= to.length(); j++) {
      costs[j] = j;
    }
    for (var i = 1; i <= from.length(); i++) {
      var diagonal = costs[0];
      costs[0] = i;
      for (var j = 1; j <= to.length(); j++) {
        var changed = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        diagonal = costs[j];
        costs[j] = Math.min(changed, 1 + Math.min(costs[j], costs[j - 1]));
      }
    }
    return costs[to.length()];
  }
}
