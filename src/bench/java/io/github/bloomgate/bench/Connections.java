package io.github.bloomgate.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Throughput and CPU time of single requests over few and many connections. */
final class Connections implements Work {

  private static final List<Integer> COUNTS = List.of(8, 32, 256, 1_000);

  @Override
  public String name() {
    return "connections";
  }

  @Override
  public void measure(Stage stage, Report report) {
    var usual = stage.service();
    try (var oneLoop =
        usual.startAnother(stage.folder().resolve(name()), usual.setup().withEventLoops(1))) {
      var tests = FilterRequests.singleTests(Stage.INSERTIONS, stage.options());
      compare(stage, report, oneLoop, tests);
      compare(stage, report, oneLoop, FilterRequests.singleAdds(Stage.INSERTIONS));
    }
  }

  private static void compare(
      Stage stage, Report report, Service oneLoop, FilterRequests requests) {
    if (requests.isQuiet()) {
      requests.createFilterIn(stage.service());
      stage.webdisWithBloom().ifPresent(webdis -> requests.createFilterIn(stage.peerRedis()));
    }
    var repeats = stage.options().repeats();
    // The number of connections changes little of what a JVM has to compile.
    Comparison.warmUp(repeats, contenders(stage, oneLoop, requests, Stage.CLIENTS));
    for (var count : COUNTS) {
      var work = String.format(Locale.ROOT, "%s, %,d connections", requests.name(), count);
      var rates =
          Comparison.cold(work, "requests/s", repeats, contenders(stage, oneLoop, requests, count));
      report(report, oneLoop, rates);
      report(
          report,
          oneLoop,
          rates.of(Sample.Figure.CPU_MICROS_PER_OPERATION, "CPU of a request: " + work, "us"));
    }
  }

  private static void report(Report report, Service oneLoop, Comparison comparison) {
    report.compare(
        comparison.work() + ", one event loop",
        oneLoop.setupText(),
        comparison,
        Names.ONE_LOOP,
        Names.SERVICE);
    report.compare(comparison, Names.WEBDIS_BLOOM);
  }

  private static List<Contender> contenders(
      Stage stage, Service oneLoop, FilterRequests requests, int connections) {
    var contenders = new ArrayList<Contender>();
    contenders.add(service(stage, Names.SERVICE, stage.service(), requests, connections));
    contenders.add(service(stage, Names.ONE_LOOP, oneLoop, requests, connections));
    stage
        .webdisWithBloom()
        .ifPresent(
            webdis ->
                contenders.add(
                    contender(
                        stage,
                        Names.WEBDIS_BLOOM,
                        ProcessorTime.of(webdis, stage.peerRedis()),
                        requests.toBloomModule(),
                        connections,
                        () -> requests.renewFilterIn(stage.peerRedis()))));
    return contenders;
  }

  private static Contender service(
      Stage stage, String name, Service service, FilterRequests requests, int connections) {
    return contender(
        stage,
        name,
        ProcessorTime.of(List.of(service)),
        requests.toService(),
        connections,
        () -> requests.renewFilterIn(service));
  }

  private static Contender contender(
      Stage stage,
      String name,
      ProcessorTime time,
      Requests requests,
      int connections,
      Runnable prepare) {
    var port = time.ports().get(0);
    return new Contender(
        name,
        () -> {
          prepare.run();
          return time.during(
              () -> stage.load().run(port, requests, connections, stage.options().time()));
        });
  }
}
