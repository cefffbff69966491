package io.github.bloomgate.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.hash.BloomFilter;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The conditions of a run: time, machine, versions and method. */
final class Circumstances {

  private Circumstances() {}

  static List<String> of(Stage stage, String commit, Map<String, Double> minutes) {
    var options = stage.options();
    var lines = new ArrayList<String>();
    lines.add("Date: " + LocalDate.now(ZoneOffset.UTC));
    lines.add("Machine: " + machine());
    lines.add(service(stage, commit));
    lines.add(peers(stage));
    lines.add(
        "Settings of service and ceiling, as in the image:\n  `%s`,\n  `%s`"
            .formatted(String.join(" ", QuarkusApp.jvmSettings()), QuarkusApp.environment()));
    lines.add(
        "Method: %s%d alternating rounds of %d s each, after warming up; load from %s"
            .formatted(
                options.quick() ? "**quick mode, do not quote its figures**, " : "",
                options.repeats(),
                options.seconds(),
                stage.load().name()));
    lines.add("Minutes: " + text(minutes));
    return lines;
  }

  private static String text(Map<String, Double> minutes) {
    return minutes.entrySet().stream()
        .map(entry -> String.format(Locale.ROOT, "%s %.1f", entry.getKey(), entry.getValue()))
        .collect(Collectors.joining(", "));
  }

  private static String machine() {
    var system = ManagementFactory.getOperatingSystemMXBean();
    var memory =
        system instanceof com.sun.management.OperatingSystemMXBean known
            ? String.format(
                Locale.ROOT, ", %.0f GiB", known.getTotalMemorySize() / (double) (1 << 30))
            : "";
    return "%d processors (%s)%s, %s %s"
        .formatted(
            system.getAvailableProcessors(),
            processor(),
            memory,
            system.getName(),
            system.getArch());
  }

  private static String processor() {
    try {
      return Files.readAllLines(Path.of("/proc/cpuinfo")).stream()
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse("unknown");
    } catch (IOException notLinux) {
      return "unknown";
    }
  }

  private static String service(Stage stage, String commit) {
    return "Service: Bloomgate %s, Quarkus %s, JDK %s%s"
        .formatted(
            commit,
            System.getProperty("quarkus.version"),
            stage.service().setup().program().javaVersion(),
            stage
                .options()
                .java()
                .map(java -> " and " + new Program(java, List.of(), java).javaVersion())
                .orElse(""));
  }

  private static String peers(Stage stage) {
    try (var redis = stage.peerRedis().connect()) {
      return "Redis of all contenders: %s%s. Peers: Redisson %s, Guava %s"
          .formatted(
              redis.version(),
              stage
                  .options()
                  .redisBloom()
                  .map(path -> ", " + BloomModule.version(redis))
                  .orElse(""),
              System.getProperty("redisson.version"),
              guava());
    }
  }

  /** The version is in the name of its jar. */
  private static String guava() {
    var jar = BloomFilter.class.getProtectionDomain().getCodeSource().getLocation().getPath();
    return jar.replaceAll(".*/guava-(.*)\\.jar", "$1");
  }

  static String commit() {
    try {
      var git = new ProcessBuilder("git", "describe", "--always", "--dirty").start();
      return new String(git.getInputStream().readAllBytes(), UTF_8).strip();
    } catch (IOException noGit) {
      return "(unknown commit)";
    }
  }
}
