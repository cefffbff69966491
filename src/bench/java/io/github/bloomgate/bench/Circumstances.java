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

/** The conditions of a run: time, machine, versions and method. */
final class Circumstances {

  private Circumstances() {}

  static List<String> of(Stage stage, String commit) {
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
    return lines;
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
    try (var redis = stage.service().redis()) {
      return "Service: Bloomgate %s, JDK %s, Quarkus %s, embedded Redis %s"
          .formatted(
              commit,
              System.getProperty("java.version"),
              System.getProperty("quarkus.version"),
              redis.version());
    }
  }

  private static String peers(Stage stage) {
    try (var redis = stage.peerRedis().connect()) {
      return "Peers: Redis %s%s, Redisson %s, Guava %s"
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
