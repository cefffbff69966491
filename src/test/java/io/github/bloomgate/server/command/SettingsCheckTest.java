package io.github.bloomgate.server.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.smallrye.config.EnvConfigSource;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import io.smallrye.config.SysPropConfigSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Settings are known and valid, or reported with a fix. */
class SettingsCheckTest {

  /** System properties that this JVM does not have. */
  private static final class SystemProperties extends SysPropConfigSource {
    private static final long serialVersionUID = 1L;

    private final HashMap<String, String> properties;

    private SystemProperties(Map<String, String> properties) {
      this.properties = new HashMap<>(properties);
    }

    @Override
    public Set<String> getPropertyNames() {
      return properties.keySet();
    }

    @Override
    public String getValue(String name) {
      return properties.get(name);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "bloomgate.redis.calltimeout, bloomgate.redis.call-timeout",
    "bloomgate.call-timeout, bloomgate.redis.call-timeout",
    "bloomgate.redis.hosts, quarkus.redis.hosts",
    "bloomgate.http.port, quarkus.http.port",
    "bloomgate.security.key, bloomgate.security.keys",
    "bloomgate.source.allowed-urls[0], bloomgate.sources.allowed-urls",
    "%prod.bloomgate.limits.max-filter, bloomgate.limits.max-filters",
  })
  void anUnknownNameIsRefusedWithTheNearest(String name, String nearest) {
    var faults = property(name, "1");

    assertEquals(1, faults.size(), faults.toString());
    assertTrue(faults.get(0).contains("Did you mean %s?".formatted(nearest)), faults.toString());
  }

  @Test
  void aNameUnlikeAnySettingIsRefusedWithoutAGuess() {
    assertEquals(
        List.of("There is no setting bloomgate.wings (system property)."),
        property("bloomgate.wings", "2"));
  }

  @ParameterizedTest
  @CsvSource({
    "bloomgate.redis.call-timeout, abc, 'a duration from 1ms to 1000d, such as 500ms, 2s or 1m'",
    "bloomgate.redis.call-timeout, 0, 'a duration from 1ms to 1000d, such as 500ms, 2s or 1m'",
    "bloomgate.limits.body-timeout, -1s, 'a duration from 1ms to 1000d, such as 500ms, 2s or 1m'",
    "bloomgate.redis.call-timeout, '', a value",
    "bloomgate.redis.call-timeout, PT0.0001S, 'a duration from 1ms to 1000d, such as 500ms, 2s or 1m'",
    "bloomgate.redis.call-timeout, 9999999h, 'a duration from 1ms to 1000d, such as 500ms, 2s or 1m'",
    "bloomgate.memory.copies, 12Q, 'a number of bytes below 8E, such as 1048576, 128M or 1G'",
    "bloomgate.limits.max-total-bytes, 8E, 'a number of bytes below 8E, such as 1048576, 128M or 1G'",
    "bloomgate.growth.max-size, 9G, 'a number of bytes from 1 to 8589934592, such as 1048576, 128M or 1G'",
    "bloomgate.growth.max-size, 99999999999G, 'a number of bytes from 1 to 8589934592, such as 1048576, 128M or 1G'",
    "bloomgate.memory.heap-share, half, a number from 0.05 to 0.8",
    "bloomgate.management.port, 80a, a whole number from 0 to 65535",
    "bloomgate.limits.max-filters, 1.5, a whole number of at least 0",
    "bloomgate.limits.max-filters, -1, a whole number of at least 0",
    "bloomgate.redis.replicas, 0, a whole number of at least 1",
    "bloomgate.embedded.port, 65536, a whole number from 0 to 65535",
    "bloomgate.memory.heap-share, 0.9, a number from 0.05 to 0.8",
    "bloomgate.memory.heap-share, NaN, a number from 0.05 to 0.8",
    "quarkus.http.idle-timeout, 0s, 'a duration from 1ms to 1000d, such as 500ms, 2s or 1m'",
    "quarkus.otel.traces.sampler.arg, 7, a number from 0 to 1",
    "quarkus.http.limits.max-header-size, 0, 'a number of bytes from 1 to 2147483647, such as 1048576, 128M or 1G'",
    "quarkus.http.limits.max-initial-line-length, 0, a whole number of at least 1",
    "quarkus.vertx.event-loops-pool-size, 0, a whole number of at least 1",
    "quarkus.redis.max-waiting-handlers, -5, a whole number of at least 1",
  })
  void anInvalidValueIsRefusedWithValidOnes(String name, String value, String accepted) {
    assertEquals(
        List.of(
            "The value '%s' of %s (system property) cannot be used: it must be %s."
                .formatted(value, name, accepted)),
        property(name, value));
  }

  @Test
  void aReferenceIsResolved() {
    var name = "bloomgate.redis.replicas";

    assertEquals(List.of(), property(name, "${REPLICAS:1}"));
    assertEquals(
        List.of(
            "The value '0' of bloomgate.redis.replicas (system property) cannot be used: it must be"
                + " a whole number of at least 1."),
        property(name, "${REPLICAS:0}"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "bloomgate.redis.call-timeout=1500ms",
        "bloomgate.limits.body-timeout=2M",
        "bloomgate.limits.body-timeout=PT2M",
        "bloomgate.memory.copies=64M",
        "bloomgate.memory.copies=1024",
        "bloomgate.growth.max-size=8G",
        "bloomgate.management.port=",
        "bloomgate.management.port=65535",
        "bloomgate.memory.heap-share=0.05",
        "bloomgate.sources.allowed-urls=http://a/,http://b/",
        "bloomgate.sources.allowed-urls[1]=http://b/",
        "bloomgate.embedded.data-dir=/data",
        "bloomgate.redis.call-timeout=${TIMEOUT:1s}",
        "quarkus.redis.host=redis://elsewhere",
        "bloomgates.redis=1",
      })
  void knownAndForeignSettingsAreAccepted(String setting) {
    var parts = setting.split("=", 2);

    assertEquals(List.of(), property(parts[0], parts[1]));
  }

  @Test
  void aVariableThatSetsNothingCausesAWarning() {
    var check = environment("BLOOMGATE_REDIS_CALLTIMEOUT", "1s");

    assertEquals(List.of(), check.faults());
    assertEquals(
        List.of(
            "the environment variable BLOOMGATE_REDIS_CALLTIMEOUT is unknown. Did you mean"
                + " BLOOMGATE_REDIS_CALL_TIMEOUT?"),
        check.warnings());
    assertEquals(
        List.of(
            "The value 'soon' of bloomgate.redis.call-timeout (environment variable"
                + " BLOOMGATE_REDIS_CALL_TIMEOUT) cannot be used: it must be a duration from 1ms to 1000d, such as 500ms,"
                + " 2s or 1m."),
        environment("BLOOMGATE_REDIS_CALL_TIMEOUT", "soon").faults());
  }

  @ParameterizedTest
  @CsvSource({
    "BLOOMGATE_HTTP_PORT, QUARKUS_HTTP_PORT",
    "BLOOMGATE_MANAGMENT_PORT, BLOOMGATE_MANAGEMENT_PORT",
    "QUARKUS_REDIS_HOST, QUARKUS_REDIS_HOSTS",
    "QUARKUS_REDIS_PASWORD, QUARKUS_REDIS_PASSWORD",
    "QUARKUS_REDIS_CLIENTTYPE, QUARKUS_REDIS_CLIENT_TYPE",
  })
  void aVariableLikeASettingCausesAWarningWithTheNearest(String variable, String nearest) {
    assertEquals(
        List.of(
            "the environment variable %s is unknown. Did you mean %s?"
                .formatted(variable, nearest)),
        environment(variable, "9090").warnings());
  }

  @Test
  void aPortThatNoServiceLinkHasCausesAWarning() {
    assertEquals(
        List.of("the environment variable BLOOMGATE_PORT is unknown."),
        environment("BLOOMGATE_PORT", "9090").warnings());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "QUARKUS_REDIS_HOSTS",
        "QUARKUS_REDIS_PASSWORD",
        "QUARKUS_REDIS_TLS_CONFIGURATION_NAME",
        "QUARKUS_REDIS_MASTER_NAME",
        "QUARKUS_HTTP_PORT",
        "REDIS_PORT",
        "BLOOMGATE_SOURCES_ALLOWED_URLS",
        "BLOOMGATE_SOURCES_ALLOWED_URLS_0_",
      })
  void aKnownOrForeignVariableCausesNoWarning(String variable) {
    assertEquals(List.of(), environment(variable, "1").warnings());
  }

  /** Kubernetes sets these in each pod if there is a service named bloomgate. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "BLOOMGATE_SERVICE_HOST",
        "BLOOMGATE_SERVICE_PORT",
        "BLOOMGATE_SERVICE_PORT_HTTP",
        "BLOOMGATE_PORT",
        "BLOOMGATE_PORT_8080_TCP_ADDR",
        "BLOOMGATE_REDIS_PORT",
        "QUARKUS_REDIS_PORT",
      })
  void variablesOfKubernetesAreAccepted(String variable) {
    var check = environment(variable, "tcp://10.0.0.1:8080");

    assertEquals(List.of(), check.faults());
    assertEquals(List.of(), check.warnings());
  }

  @Test
  void onlyTheEffectiveValueIsChecked() {
    var name = "bloomgate.redis.call-timeout";

    var check = check(Map.of(name, "1s"), Map.of(), Map.of(name, "soon"));
    assertEquals(List.of(), check.faults());
    assertEquals(
        List.of(
            "The value 'soon' of bloomgate.redis.call-timeout (/etc/application.properties) cannot"
                + " be used: it must be a duration from 1ms to 1000d, such as 500ms, 2s or 1m."),
        check(Map.of(), Map.of(), Map.of(name, "soon")).faults());
  }

  @Test
  void theHelpHasEverySetting() {
    var printed =
        SettingsPage.rows().stream().map(SettingsPage.Row::name).collect(Collectors.toSet());

    var missing =
        Setting.all().stream().map(Setting::name).collect(Collectors.toCollection(TreeSet::new));
    assertTrue(missing.size() > 30, "the settings are found");
    missing.removeAll(printed);
    assertEquals(new TreeSet<String>(), missing);
  }

  private static List<String> property(String name, String value) {
    return check(Map.of(name, value), Map.of(), Map.of()).faults();
  }

  private static SettingsCheck environment(String name, String value) {
    return check(Map.of(), Map.of(name, value), Map.of());
  }

  private static SettingsCheck check(
      Map<String, String> properties, Map<String, String> environment, Map<String, String> file) {
    var config =
        new SmallRyeConfigBuilder()
            .addDefaultInterceptors()
            .withSources(
                new SystemProperties(properties),
                new EnvConfigSource(environment, 300),
                new PropertiesConfigSource(file, "file:/etc/application.properties", 260))
            .build();
    return SettingsCheck.of(config, environment);
  }
}
