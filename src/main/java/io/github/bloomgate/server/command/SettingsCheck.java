package io.github.bloomgate.server.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Checks the settings before the framework does, because its messages describe its internals and it
 * ignores unknown environment variables.
 *
 * @param faults reasons why the service cannot start
 * @param warnings sentences to log
 */
record SettingsCheck(List<String> faults, List<String> warnings) {

  private static final Path FILE = Path.of("config", "application.properties");
  private static final Pattern INDEX = Pattern.compile("\\[\\d+]$");
  private static final Pattern PROFILE = Pattern.compile("^%[\\w,]+\\.");

  /** Kubernetes sets such variables for each service, including one named bloomgate. */
  private static final Pattern SERVICE_LINK =
      Pattern.compile("\\w+_(SERVICE_(HOST|PORT\\w*)|PORT(_\\d+_(TCP|UDP)\\w*)?)");

  static SettingsCheck ofThisProcess() {
    return of(strings(System.getProperties()), System.getenv(), file(FILE));
  }

  /** Checks the settings of three places in order of precedence. */
  static SettingsCheck of(
      Map<String, String> properties, Map<String, String> environment, Map<String, String> file) {
    var check = new SettingsCheck(new ArrayList<>(), new ArrayList<>());
    var known = Setting.all().stream().collect(Collectors.toMap(Setting::name, setting -> setting));
    var seen = new HashSet<String>();
    check.properties(properties, "system property", known, seen);
    check.environment(environment, known, seen);
    check.properties(file, FILE.toString(), known, seen);
    return check;
  }

  /** Faults of values after references are resolved. */
  static List<String> faults(Function<String, Optional<String>> values) {
    var check = new SettingsCheck(new ArrayList<>(), List.of());
    for (var setting : Setting.all()) {
      values
          .apply(setting.name())
          .ifPresent(value -> check.value(setting, value, "after all references are resolved"));
    }
    return check.faults;
  }

  private void properties(
      Map<String, String> set, String place, Map<String, Setting> known, Set<String> seen) {
    set.forEach(
        (key, value) -> {
          var name = INDEX.matcher(PROFILE.matcher(key).replaceFirst("")).replaceFirst("");
          if (!name.startsWith(Setting.PREFIX)) {
            return;
          }
          if (!known.containsKey(name)) {
            faults.add("There is no setting %s (%s).%s".formatted(name, place, nearest(name)));
          } else if (seen.add(name)) {
            value(known.get(name), value, place);
          }
        });
  }

  private void environment(Map<String, String> set, Map<String, Setting> known, Set<String> seen) {
    var byVariable =
        known.values().stream()
            .collect(Collectors.toMap(setting -> variable(setting.name()), setting -> setting));
    set.forEach(
        (key, value) -> {
          var variable = variable(key);
          var setting = byVariable.get(variable);
          if (setting != null) {
            if (seen.add(setting.name())) {
              value(setting, value, "environment variable " + key);
            }
          } else if (variable.startsWith(variable(Setting.PREFIX))
              && !SERVICE_LINK.matcher(variable).matches()) {
            warnings.add(
                "The environment variable %s has no effect.%s"
                    .formatted(key, nearest(key.toLowerCase(Locale.ROOT).replaceFirst("_", "."))));
          }
        });
  }

  private static String variable(String name) {
    return name.replaceAll("[^A-Za-z0-9]", "_").toUpperCase(Locale.ROOT);
  }

  /** Values with references are checked once resolved, see {@link ResolvedSettings}. */
  private void value(Setting setting, String value, String place) {
    if (value.contains("${")) {
      return;
    }
    setting
        .refusal(value)
        .ifPresent(
            accepted ->
                faults.add(
                    "The value '%s' of %s (%s) cannot be used: it must be %s."
                        .formatted(value, setting.name(), place, accepted)));
  }

  /** The setting with the most similar name, including some of the framework's. */
  private static String nearest(String name) {
    return SettingsPage.rows().stream()
        .map(SettingsPage.Row::name)
        .filter(other -> distance(name, other) <= Math.max(2, longer(name, other) / 3))
        .min(Comparator.comparingInt(other -> distance(name, other)))
        .map(it -> " Did you mean %s, as variable %s?".formatted(it, variable(it)))
        .orElse("");
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

  private static Map<String, String> strings(Properties properties) {
    return properties.stringPropertyNames().stream()
        .collect(Collectors.toMap(name -> name, properties::getProperty));
  }

  /** Empty if the file cannot be read, which the framework reports. */
  private static Map<String, String> file(Path path) {
    if (!Files.isReadable(path)) {
      return Map.of();
    }
    try (var reader = Files.newBufferedReader(path)) {
      var properties = new Properties();
      properties.load(reader);
      return strings(properties);
    } catch (IOException | IllegalArgumentException unreadable) {
      return Map.of();
    }
  }
}
