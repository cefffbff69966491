package io.github.bloomgate.bench;

import java.util.ArrayList;
import java.util.List;

/** CPU time and latency of a single test with {@code maxAge}. */
final class Age implements Work {

  private static final String MAX_AGE = "&maxAge=5";

  @Override
  public String name() {
    return "age";
  }

  @Override
  public void measure(Stage stage, Report report) {
    var options = stage.options();
    var elements = Elements.halfKnown(SingleTest.POOL, options.knownElements());
    var plain = SingleTest.requests(Stage.KNOWN, elements);
    var aged =
        SingleTest.requests(
            Stage.KNOWN, elements.stream().map(element -> element + MAX_AGE).toList());
    var times = new ArrayList<Contender>();
    times.add(cpu(stage, Names.SERVICE, aged));
    times.add(cpu(stage, Names.WITHOUT_AGE, plain));
    times.add(stage.constantCpu());
    stage
        .webdisWithBloom()
        .ifPresent(
            webdis ->
                times.add(
                    new Contender(
                        Names.WEBDIS_BLOOM,
                        () ->
                            ProcessorTime.of(webdis, stage.peerRedis())
                                .perRequest(
                                    BloomModule.tests(Stage.KNOWN, elements),
                                    options.singleRequests()))));
    report(
        report,
        Comparison.warmedUp(
            "CPU of a request: single test with maxAge", "us", options.repeats(), times));

    var latencies = new ArrayList<Contender>();
    var port = stage.service().port();
    latencies.add(Latency.alone(stage, Names.SERVICE, port, aged));
    latencies.add(Latency.alone(stage, Names.WITHOUT_AGE, port, plain));
    latencies.add(
        Latency.alone(
            stage, Names.CONSTANT, stage.ceiling().port(), Requests.get(List.of("/constant"))));
    stage
        .webdisWithBloom()
        .ifPresent(
            webdis ->
                latencies.add(
                    Latency.alone(
                        stage,
                        Names.WEBDIS_BLOOM,
                        webdis.port(),
                        BloomModule.tests(Stage.KNOWN, elements))));
    report(
        report,
        Comparison.warmedUp(
            "latency, one client, single test with maxAge", "us", options.repeats(), latencies));
  }

  private static Contender cpu(Stage stage, String name, Requests requests) {
    return new Contender(
        name,
        () ->
            ProcessorTime.of(List.of(stage.service()))
                .perRequest(requests, stage.options().singleRequests()));
  }

  private static void report(Report report, Comparison comparison) {
    report.compare(comparison, Names.WITHOUT_AGE);
    report.compare(comparison, Names.CONSTANT);
    report.compare(comparison, Names.WEBDIS_BLOOM);
  }
}
