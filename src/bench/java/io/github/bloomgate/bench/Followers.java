package io.github.bloomgate.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Followers of a filter to which elements are added at a fixed rate. */
final class Followers implements Work {

  private static final String FILTER = "bench.followed";
  private static final List<Integer> COUNTS = List.of(1, 100, 1_000);
  private static final int MOST = 1_000;
  private static final int ADDS_PER_SECOND = 1_000;

  /** One client may have a part of all followers only. */
  private static final String LIMIT = "bloomgate.follow.max-followers=" + 4 * MOST;

  /** The streams have sent the content by then, and only send changes. */
  private static final Duration SETTLING = Duration.ofSeconds(1);

  @Override
  public String name() {
    return "followers";
  }

  @Override
  public void measure(Stage stage, Report report) {
    var folder = stage.folder().resolve(name());
    var options = stage.options();
    try (var service = stage.service().startAnother(folder, List.of(LIMIT))) {
      service.filters().recreate(FILTER, Stage.INSERTIONS);
      service.filters().load(FILTER, Elements.lines(options.knownElements() / 2));
      try (var adds = PacedAdds.start(service.port(), FILTER, ADDS_PER_SECOND)) {
        report.figure("memory for each of 1,000 followers", memory(service, options), "KiB");
        var contenders = new ArrayList<Contender>();
        contenders.add(contender(service, adds, options, Names.NO_FOLLOWERS, 0));
        for (var count : COUNTS) {
          contenders.add(contender(service, adds, options, label(count), count));
        }
        report(
            report,
            service,
            Comparison.warmedUp(
                "CPU of the service, 1,000 adds/s", "ms/s", options.repeats(), contenders));
      }
      service.filters().delete(FILTER);
    }
  }

  private static String label(int count) {
    return String.format(Locale.ROOT, count == 1 ? "%,d follower" : "%,d followers", count);
  }

  /** The resident memory of the service with followers, less that without, for each. */
  private static double memory(Service service, Options options) {
    // The young generation is in use after this, so that it does not count.
    read(service, 1, options.time().multipliedBy(4));
    var before = service.app().process().residentMebibytes();
    try (var crowd = Crowd.open(service.port(), FILTER, MOST)) {
      crowd.read(options.time());
      return (service.app().process().residentMebibytes() - before) * 1024 / MOST;
    }
  }

  private static void read(Service service, int followers, Duration time) {
    try (var crowd = Crowd.open(service.port(), FILTER, followers)) {
      crowd.read(time);
    }
  }

  private static Contender contender(
      Service service, PacedAdds adds, Options options, String name, int followers) {
    return new Contender(
        name,
        () -> {
          try (var crowd = Crowd.open(service.port(), FILTER, followers)) {
            crowd.read(SETTLING);
            return measure(service, adds, crowd, followers, options.time());
          }
        });
  }

  private static Sample measure(
      Service service, PacedAdds adds, Crowd crowd, int followers, Duration time) {
    var process = service.app().process();
    var bytes = crowd.bytes();
    var added = adds.count();
    var micros = process.cpuMicros();
    var begin = System.nanoTime();
    var ages = crowd.read(time);
    var seconds = (System.nanoTime() - begin) / 1e9;
    var sample = Sample.of((process.cpuMicros() - micros) / 1e3 / seconds);
    added = adds.count() - added;
    return sample
        .with(Sample.Figure.ADDS_PER_SECOND, added / seconds)
        .with(
            Sample.Figure.BYTES_PER_ADD,
            (double) (crowd.bytes() - bytes) / Math.max(1, followers) / added)
        .with(Sample.Figure.MEDIAN_AGE_MILLIS, ages.quantile(0.5) / 1e3)
        .with(Sample.Figure.P99_AGE_MILLIS, ages.quantile(0.99) / 1e3);
  }

  private static void report(Report report, Service service, Comparison times) {
    // Shows whether the service kept up.
    var adds = times.of(Sample.Figure.ADDS_PER_SECOND, "adds", "adds/s");
    var bytes = times.of(Sample.Figure.BYTES_PER_ADD, "for each follower and add", "bytes");
    var median = times.of(Sample.Figure.MEDIAN_AGE_MILLIS, "median age of a copy", "ms");
    var p99 = times.of(Sample.Figure.P99_AGE_MILLIS, "99th percentile of the ages", "ms");
    for (var count : COUNTS) {
      var label = label(count);
      report.compare(
          times.work() + ", " + label, service.setupText(), times, label, Names.NO_FOLLOWERS);
      for (var other : List.of(adds, bytes, median, p99)) {
        report.figure(label + ", " + other.work(), other.median(label), other.unit());
      }
    }
  }
}
