package io.github.bloomgate.bench;

import java.util.ArrayList;
import java.util.List;

/** Tests and adds of new elements at the same time, in a filter of six segments. */
final class Mixed implements Work {

  @Override
  public String name() {
    return "mixed";
  }

  @Override
  public void measure(Stage stage, Report report) {
    var options = stage.options();
    var singles = FilterRequests.halfSingleAdds(Stage.MORE_INSERTIONS, options);
    var constant =
        stage.http(Names.CONSTANT, stage.ceiling().port(), Requests.get(List.of("/constant")));
    report(
        report,
        Names.CONSTANT,
        Comparison.warmedUp(
            singles.name(), "requests/s", options.repeats(), contenders(stage, singles, constant)));

    var batches = FilterRequests.tenthBatchAdds(Stage.MORE_INSERTIONS, options);
    var json =
        stage.http(
            Names.JSON,
            stage.ceiling().port(),
            Requests.json("/json", List.of(Elements.newBatch())));
    report(
        report,
        Names.JSON,
        Comparison.warmedUp(
            batches.name(),
            "elements/s",
            options.repeats(),
            BatchTest.inElements(contenders(stage, batches, json))));
  }

  private static List<Contender> contenders(
      Stage stage, FilterRequests requests, Contender ceiling) {
    var contenders = new ArrayList<Contender>();
    contenders.add(
        new Contender(
            Names.SERVICE,
            () -> {
              requests.createFilterIn(stage.service());
              return load(stage, stage.service().port(), requests.toService());
            }));
    contenders.add(ceiling);
    stage
        .webdisWithBloom()
        .ifPresent(
            webdis ->
                contenders.add(
                    new Contender(
                        Names.WEBDIS_BLOOM,
                        () -> {
                          requests.createFilterIn(stage.peerRedis());
                          return load(stage, webdis.port(), requests.toBloomModule());
                        })));
    return contenders;
  }

  private static Sample load(Stage stage, int port, Requests requests) {
    return stage.load().run(port, requests, Stage.CLIENTS, stage.options().time());
  }

  private static void report(Report report, String ceiling, Comparison comparison) {
    report.compare(comparison, ceiling);
    report.compare(comparison, Names.WEBDIS_BLOOM);
  }
}
