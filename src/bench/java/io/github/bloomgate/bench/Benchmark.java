package io.github.bloomgate.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;

/** Runs all benchmarks and writes the report. */
public final class Benchmark {

  private static final List<Work> WORKS =
      List.of(
          new Micro(),
          new SingleTest(),
          new SingleAdd(),
          new BatchTest(),
          new BatchAdd(),
          new Mixed(),
          new TwoInstances(),
          new Cpu(),
          new Roads(),
          new Connections(),
          new Latency(),
          new Age(),
          new Followers(),
          new CostAgainstSize(),
          new Kinds(),
          new Several(),
          new WholeFilter(),
          new Checks(),
          new Bulk(),
          new GrowingStrings(),
          // Runs last, because it measures the memory after all the load.
          new StartAndMemory());

  private Benchmark() {}

  /** Runs the benchmarks. Options are system properties. */
  public static void main(String[] args) throws IOException {
    var options = Options.read();
    var folder = Files.createTempDirectory(Path.of("target/bench"), "run").toAbsolutePath();
    var commit = Circumstances.commit();
    try (var stage = Stage.start(options, folder)) {
      var report = new Report(commit, stage.service().setupText());
      var minutes = new LinkedHashMap<String, Double>();
      prepare(stage);
      for (var work : WORKS) {
        if (options.wants(work.name())) {
          System.out.println(work.name());
          var begin = System.nanoTime();
          try (var redis = stage.service().redis()) {
            var slowLog = new SlowLog(redis);
            slowLog.reset();
            measure(work, stage, report);
            report.longestCall(work.name(), slowLog.longest());
          }
          minutes.put(work.name(), (System.nanoTime() - begin) / 6e10);
        }
      }
      var circumstances = Circumstances.of(stage, commit, minutes);
      circumstances.addAll(report.disturbance());
      var isSubset = !options.works().isEmpty();
      GeneratedBlock.write(options.report(), circumstances, report.rows(), isSubset);
      System.out.println("Written to " + options.report());
    } finally {
      deleteAll(folder);
    }
  }

  private static void measure(Work work, Stage stage, Report report) {
    if (stage.options().profile()) {
      var profile = Profile.start(stage.folder(), stage.service().app().process(), work.name());
      work.measure(stage, report);
      profile.end();
      System.out.println("Where the service spent its processor time:\n" + profile.summary());
    } else {
      work.measure(stage, report);
    }
  }

  private static void prepare(Stage stage) {
    var options = stage.options();
    Known.createIn(stage.service(), options);
    stage.redisson().createKnown(options.knownElements());
    if (stage.webdis().isEmpty()) {
      System.out.println("webdis was skipped: give its path with -Dbench.webdis=...");
    }
    if (options.redisBloom().isEmpty()) {
      System.out.println(
          "Redis with the Bloom module was skipped: give the module with -Dbench.redisbloom=... and"
              + " a server that takes it with -Dbench.redis-server=...");
    } else {
      try (var redis = stage.peerRedis().connect()) {
        BloomModule.recreate(redis, Stage.KNOWN, Stage.INSERTIONS, options.knownElements());
      }
    }
  }

  private static void deleteAll(Path folder) throws IOException {
    try (var files = Files.walk(folder)) {
      files.sorted(Comparator.reverseOrder()).forEach(Benchmark::delete);
    }
  }

  private static void delete(Path file) {
    try {
      Files.delete(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
