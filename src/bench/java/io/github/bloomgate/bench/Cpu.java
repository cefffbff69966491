package io.github.bloomgate.bench;

import java.util.ArrayList;
import java.util.List;

/** CPU time of a request, in the service and its Redis together. */
final class Cpu implements Work {

  @Override
  public String name() {
    return "cpu";
  }

  @Override
  public void measure(Stage stage, Report report) {
    measure(stage, report, Stage.INSERTIONS);
    measure(stage, report, Stage.MORE_INSERTIONS);
  }

  private static void measure(Stage stage, Report report, long insertions) {
    var options = stage.options();
    var test = singles(stage, FilterRequests.singleTests(insertions, options));
    report.compare(test, Names.CONSTANT);
    report.compare(test, Names.WEBDIS_PING);
    report.compare(test, Names.WEBDIS_BLOOM);
    var add = singles(stage, FilterRequests.singleAdds(insertions));
    report.compare(add, Names.CONSTANT);
    report.compare(add, Names.WEBDIS_PING);
    report.compare(add, Names.WEBDIS_BLOOM);
    var tests = batches(stage, FilterRequests.batchTests(insertions, options));
    report.compare(tests, Names.WEBDIS_BLOOM);
    var adds = batches(stage, FilterRequests.batchAdds(insertions));
    report.compare(adds, Names.WEBDIS_BLOOM);
    var mixed = batches(stage, FilterRequests.tenthBatchAdds(insertions, options));
    report.compare(mixed, Names.WEBDIS_BLOOM);
  }

  private static Comparison singles(Stage stage, FilterRequests requests) {
    var count = stage.options().singleRequests();
    var contenders = new ArrayList<>(List.of(stage.constantCpu()));
    stage.webdis().ifPresent(webdis -> contenders.add(ping(stage, webdis)));
    return compare(stage, requests, count, contenders);
  }

  private static Comparison batches(Stage stage, FilterRequests requests) {
    return compare(stage, requests, stage.options().batchRequests(), List.of());
  }

  private static Comparison compare(
      Stage stage, FilterRequests requests, long count, List<Contender> others) {
    if (requests.isQuiet()) {
      requests.createFilterIn(stage.service());
      stage.webdisWithBloom().ifPresent(webdis -> requests.createFilterIn(stage.peerRedis()));
    }
    var contenders = new ArrayList<Contender>();
    contenders.add(
        requests.cpuContender(
            Names.SERVICE,
            ProcessorTime.of(List.of(stage.service())),
            requests.toService(),
            count,
            () -> requests.createFilterIn(stage.service())));
    contenders.addAll(others);
    stage
        .webdisWithBloom()
        .ifPresent(webdis -> contenders.add(bloomModule(stage, webdis, requests, count)));
    return Comparison.warmedUp(
        "CPU of a request: " + requests.name(), "us", stage.options().repeats(), contenders);
  }

  private static Contender ping(Stage stage, Webdis webdis) {
    return new Contender(
        Names.WEBDIS_PING,
        () ->
            ProcessorTime.of(webdis, stage.peerRedis())
                .perRequest(Requests.get(List.of("/PING")), stage.options().singleRequests()));
  }

  private static Contender bloomModule(
      Stage stage, Webdis webdis, FilterRequests requests, long count) {
    return requests.cpuContender(
        Names.WEBDIS_BLOOM,
        ProcessorTime.of(webdis, stage.peerRedis()),
        requests.toBloomModule(),
        count,
        () -> requests.createFilterIn(stage.peerRedis()));
  }
}
