package io.github.bloomgate.server.command;

import io.github.bloomgate.config.BloomgateConfig;
import io.github.bloomgate.config.Range;
import io.quarkus.runtime.configuration.DurationConverter;
import io.quarkus.runtime.configuration.MemorySize;
import io.quarkus.runtime.configuration.MemorySizeConverter;
import io.smallrye.config.ConfigMappings;
import io.smallrye.config.ConfigMappings.ConfigClass;
import io.smallrye.config.WithName;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeMap;

/**
 * One setting of {@link BloomgateConfig}, or one of the framework's.
 *
 * @param isOptional whether it may be empty
 * @param range of a number, if limited
 */
record Setting(String name, Class<?> type, boolean isOptional, Optional<Range> range) {

  private static final ConfigClass ALL = ConfigClass.configClass(BloomgateConfig.class);

  static final String PREFIX = ALL.getPrefix() + ".";

  /**
   * Settings for which the framework accepts values that it cannot use, or fails without naming the
   * setting.
   */
  interface FrameworkSettings {
    @WithName("http.idle-timeout")
    Duration idleTimeout();

    @WithName("http.limits.max-header-size")
    @Range(min = 1, max = Integer.MAX_VALUE)
    MemorySize headerBytes();

    @WithName("http.limits.max-initial-line-length")
    @Range(min = 1)
    int initialLineBytes();

    @WithName("otel.traces.sampler.arg")
    @Range(min = 0, max = 1)
    double sampledShare();

    @WithName("redis.max-waiting-handlers")
    @Range(min = 1)
    int waitingHandlers();

    @WithName("vertx.event-loops-pool-size")
    @Range(min = 1)
    Optional<Integer> eventLoops();
  }

  /** Timers count in milliseconds. */
  private static final Duration SHORTEST = Duration.ofMillis(1);

  /** Its nanoseconds still fit into a number after a multiplication by 100. */
  private static final Duration LONGEST = Duration.ofDays(1000);

  /** The end of a second name of each list. */
  private static final String ITEM = "[*]";

  static List<Setting> all() {
    var methods = new TreeMap<String, Method>();
    for (var settings : List.of(ALL, ConfigClass.configClass(FrameworkSettings.class, "quarkus"))) {
      ConfigMappings.getProperties(settings)
          .forEach((name, property) -> methods.put(name, property.getMethod()));
    }
    return methods.entrySet().stream()
        .filter(entry -> !entry.getKey().endsWith(ITEM))
        .map(entry -> of(entry.getKey(), entry.getValue()))
        .toList();
  }

  private static Setting of(String name, Method method) {
    var isOptional = method.getReturnType() == Optional.class;
    var type =
        isOptional && method.getGenericReturnType() instanceof ParameterizedType optional
            ? optional.getActualTypeArguments()[0]
            : method.getReturnType();
    return new Setting(
        name,
        type instanceof Class<?> plain ? plain : List.class,
        isOptional,
        Optional.ofNullable(method.getAnnotation(Range.class)));
  }

  /** A description of valid values if this one is invalid; empty if it is valid. */
  Optional<String> refusal(String value) {
    var text = value.strip();
    if (text.isEmpty()) {
      return isOptional ? Optional.empty() : Optional.of("a value");
    }
    try {
      if (type == Duration.class) {
        requireInRange(DurationConverter.parseDuration(text));
      } else if (type == MemorySize.class) {
        requireInRange((double) new MemorySizeConverter().convert(text).asLongValue());
      } else if (type == int.class || type == Integer.class) {
        requireInRange(Integer.parseInt(text));
      } else if (type == double.class) {
        requireInRange(Double.parseDouble(text));
      }
      return Optional.empty();
    } catch (IllegalArgumentException | ArithmeticException unusable) {
      return Optional.of(accepted());
    }
  }

  private static void requireInRange(Duration duration) {
    if (duration.compareTo(SHORTEST) < 0 || duration.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException("out of range");
    }
  }

  private void requireInRange(double number) {
    if (range.filter(it -> !(number >= it.min() && number <= it.max())).isPresent()) {
      throw new IllegalArgumentException("out of range");
    }
  }

  private String accepted() {
    if (type == Duration.class) {
      return "a duration from 1ms to 1000d, such as 500ms, 2s or 1m";
    }
    var limits = range.map(it -> " " + inWords(it)).orElse("");
    if (type == MemorySize.class) {
      return "a number of bytes%s, such as 1048576, 128M or 1G"
          .formatted(range.isEmpty() ? " below 8E" : limits);
    }
    return (type == double.class ? "a number" : "a whole number") + limits;
  }

  private static String inWords(Range range) {
    var format = new DecimalFormat("0.##", DecimalFormatSymbols.getInstance(Locale.ROOT));
    return range.max() == Double.MAX_VALUE
        ? "of at least " + format.format(range.min())
        : "from %s to %s".formatted(format.format(range.min()), format.format(range.max()));
  }
}
