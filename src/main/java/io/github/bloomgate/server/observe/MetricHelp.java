package io.github.bloomgate.server.observe;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.config.MeterFilter;
import jakarta.inject.Singleton;
import java.util.Locale;

/** Adds descriptions to metrics of the framework that have none. */
@Singleton
final class MetricHelp implements MeterFilter {

  @Override
  public Meter.Id map(Meter.Id id) {
    var help = id.getDescription();
    return help == null || help.isBlank()
        ? new Meter.Id(
            id.getName(),
            Tags.of(id.getTagsAsIterable()),
            id.getBaseUnit(),
            spoken(id.getName()),
            id.getType())
        : id;
  }

  private static String spoken(String name) {
    return name.substring(0, 1).toUpperCase(Locale.ROOT)
        + name.substring(1).replace('.', ' ')
        + ".";
  }
}
