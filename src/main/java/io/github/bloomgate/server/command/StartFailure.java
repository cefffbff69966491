package io.github.bloomgate.server.command;

import io.quarkus.runtime.configuration.ConfigurationException;
import io.smallrye.config.ConfigValidationException;
import io.smallrye.config.SmallRyeConfig;
import java.nio.file.FileSystemException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.jboss.logging.Logger;

/**
 * Explains why the service did not start: one line if a setting explains it, otherwise a stack
 * trace, because it must be a defect.
 */
final class StartFailure {

  private static final Logger LOG = Logger.getLogger(StartFailure.class);

  /** The ordinal of packaged settings, below operators' settings. */
  private static final int PACKAGED = 250;

  /** The ordinal of settings fixed at build time. */
  private static final int FIXED = Integer.MAX_VALUE;

  /** Shorter values may occur in a message by chance. */
  private static final int SHORTEST_VALUE = 4;

  /** The configuration library's message for a value of the wrong type. */
  private static final Pattern NOT_CONVERTED =
      Pattern.compile(
          "(?s)^.*SRCFG\\d+: The config property (\\S+) with the config value \"(.*)\" threw an"
              + " Exception whilst being converted (?:SRCFG\\d+: )?");

  private static final Pattern STOP = Pattern.compile("\\.$");

  /** User and password of a URL, which may contain any character. */
  private static final Pattern CREDENTIALS = Pattern.compile("//.*@");

  /** Settings that a framework message concerns without naming them. */
  private static final List<Topic> TOPICS =
      List.of(
          new Topic(Pattern.compile("(?i)certificate|\\bTLS\\b"), "quarkus.tls."),
          new Topic(Pattern.compile("(?i)certificate"), "quarkus.http.ssl."),
          new Topic(Pattern.compile("\\bRedis\\b"), "quarkus.redis."));

  private record Topic(Pattern words, String settings) {}

  private StartFailure() {}

  static void log(Throwable failure, SmallRyeConfig config) {
    var line = explain(failure, config);
    if (line.isPresent()) {
      LOG.errorf("The service did not start. %s", line.get());
      LOG.debug("Why the service did not start, in full", failure);
    } else {
      LOG.error("The service did not start, and no setting explains why.", failure);
    }
  }

  /**
   * The line; empty if no setting explains the failure. Our own messages name the setting and
   * contain no secret; the framework's may contain its value.
   */
  static Optional<String> explain(Throwable failure, SmallRyeConfig config) {
    var causes = causes(failure);
    for (var cause : causes) {
      if (cause instanceof ConfigurationException complete) {
        return Optional.of(complete.getMessage());
      }
      if (cause instanceof ConfigValidationException several) {
        return Optional.of(problems(several));
      }
    }
    return Listener.fault(config)
        .or(() -> bySettings(causes, config).map(StartFailure::withoutCredentials));
  }

  /** A sentence for each value of the wrong type. */
  private static String problems(ConfigValidationException several) {
    return IntStream.range(0, several.getProblemCount())
        .mapToObj(i -> several.getProblem(i).getMessage())
        .map(StartFailure::problem)
        .collect(Collectors.joining(". "));
  }

  private static String problem(String text) {
    var framework = NOT_CONVERTED.matcher(text);
    return framework.find()
        ? withoutCredentials(framework.replaceFirst("The value '$2' of $1 cannot be used: "))
        // Our own message after the name of its exception.
        : text.replaceFirst("^[\\w.]+Exception: ", "");
  }

  private static String withoutCredentials(String text) {
    return CREDENTIALS.matcher(text).replaceAll("//");
  }

  private static List<Throwable> causes(Throwable failure) {
    var causes = new ArrayList<Throwable>();
    for (var cause = failure; cause != null && !causes.contains(cause); cause = cause.getCause()) {
      causes.add(cause);
    }
    return causes;
  }

  private static Optional<String> bySettings(List<Throwable> causes, SmallRyeConfig config) {
    var reason =
        causes.stream()
            .filter(cause -> !repeatsItsCause(cause))
            // The framework's first line only says that the start failed.
            .skip(1)
            .map(StartFailure::message)
            .collect(Collectors.joining(": "));
    var settings = settings(reason, config);
    return settings.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "%s. Check the value of %s."
                .formatted(STOP.matcher(reason).replaceFirst(""), settings));
  }

  private static String settings(String text, SmallRyeConfig config) {
    return StreamSupport.stream(config.getPropertyNames().spliterator(), false)
        .filter(name -> concerns(name, text, config))
        .distinct()
        .sorted()
        .collect(Collectors.joining(", "));
  }

  private static boolean concerns(String name, String reason, SmallRyeConfig config) {
    var setting = config.getConfigValue(name);
    var value = setting.getValue();
    var ordinal = setting.getSourceOrdinal();
    if (value == null || ordinal <= PACKAGED || ordinal == FIXED) {
      return false;
    }
    return (isOurs(name) && value.length() >= SHORTEST_VALUE && reason.contains(value))
        || TOPICS.stream()
            .anyMatch(it -> name.startsWith(it.settings) && it.words.matcher(reason).find());
  }

  /** Other properties, such as the working directory, are not settings of the service. */
  private static boolean isOurs(String name) {
    return name.startsWith("quarkus.") || name.startsWith(Setting.PREFIX);
  }

  private static boolean repeatsItsCause(Throwable cause) {
    return cause.getCause() != null && cause.getCause().toString().equals(cause.getMessage());
  }

  private static String message(Throwable cause) {
    if (cause instanceof FileSystemException file && file.getReason() == null) {
      return file.getFile() + " (" + words(file) + ")";
    }
    return cause.getMessage() == null ? words(cause) : cause.getMessage();
  }

  /** The words of its class name, as in "no such file". */
  private static String words(Throwable cause) {
    return cause
        .getClass()
        .getSimpleName()
        .replaceAll("Exception$", "")
        .replaceAll("(?<=[a-z])(?=[A-Z])", " ")
        .toLowerCase(Locale.ROOT);
  }
}
