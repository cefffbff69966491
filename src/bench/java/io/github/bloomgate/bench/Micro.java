package io.github.bloomgate.bench;

import io.github.bloomgate.hash.LocatingBenchmark;
import io.github.bloomgate.segment.SegmentCopyBenchmark;
import java.util.Collection;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/** Nanoseconds and allocated bytes per element, in the code that every element passes. */
final class Micro implements Work {

  private static final String ALLOCATED = "gc.alloc.rate.norm";

  @Override
  public String name() {
    return "micro";
  }

  @Override
  public void measure(Stage stage, Report report) {
    var allocated = 0.0;
    for (var result : run(stage.options())) {
      var score = result.getPrimaryResult().getScore();
      report.figure("one element, " + nameOf(result), score, "ns");
      allocated = Math.max(allocated, result.getSecondaryResults().get(ALLOCATED).getScore());
    }
    report.figure("allocated for one element, at most", allocated, "bytes");
  }

  private static String nameOf(RunResult result) {
    var parameters = result.getParams();
    var name = parameters.getBenchmark();
    var of = name.substring(name.lastIndexOf('.', name.lastIndexOf('.') - 1) + 1);
    return parameters.getParamsKeys().stream()
        .map(key -> ", " + parameters.getParam(key) + " " + key)
        .reduce(of, String::concat);
  }

  private static Collection<RunResult> run(Options options) {
    var settings =
        new OptionsBuilder()
            .include(LocatingBenchmark.class.getName())
            .include(SegmentCopyBenchmark.class.getName())
            .mode(Mode.AverageTime)
            .timeUnit(TimeUnit.NANOSECONDS)
            .forks(1)
            .warmupIterations(2)
            .warmupTime(TimeValue.seconds(1))
            .measurementIterations(options.repeats())
            .measurementTime(TimeValue.seconds(options.quick() ? 1 : 2))
            .addProfiler(GCProfiler.class)
            .build();
    try {
      return new Runner(settings).run();
    } catch (RunnerException e) {
      throw new IllegalStateException("the micro benchmarks did not run", e);
    }
  }
}
