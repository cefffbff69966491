package io.github.bloomgate.bench;

import java.util.ArrayList;
import java.util.List;

/** Tests a thousand elements in one request, half of them known. */
final class BatchTest implements Work {

  private static final int BATCHES = 64;

  @Override
  public String name() {
    return "batch-test";
  }

  @Override
  public void measure(Stage stage, Report report) {
    var options = stage.options();
    var batches =
        Elements.batches(Elements.halfKnown(BATCHES * Elements.BATCH, options.knownElements()));
    var redisson = stage.redisson().known();
    var contenders = new ArrayList<Contender>();
    var requests = Requests.json(FilterApi.path(Stage.KNOWN, "/test"), batches);
    contenders.add(stage.http(Names.SERVICE, stage.service().port(), requests));
    contenders.add(stage.http(Names.JSON, stage.ceiling().port(), Requests.json("/json", batches)));
    stage
        .webdisWithBloom()
        .ifPresent(
            webdis ->
                contenders.add(
                    stage.http(
                        Names.WEBDIS_BLOOM,
                        webdis.port(),
                        BloomModule.batches("BF.MEXISTS", Stage.KNOWN, batches))));
    contenders.add(
        new Contender(
            Names.REDISSON,
            () ->
                InProcessLoad.run(
                    Stage.BATCH_CLIENTS,
                    options.time(),
                    serial -> redisson.contains(batches.get((int) (serial % BATCHES))))));
    var comparison =
        Comparison.warmedUp("batch test", "elements/s", options.repeats(), inElements(contenders));
    report.compare(comparison, Names.JSON);
    report.compare(comparison, Names.WEBDIS_BLOOM);
    report.compare(comparison, Names.REDISSON);
  }

  /** The same contenders, counted in elements instead of batches. */
  static List<Contender> inElements(List<Contender> contenders) {
    return contenders.stream()
        .map(
            contender ->
                new Contender(
                    contender.name(), () -> contender.measurement().get().times(Elements.BATCH)))
        .toList();
  }
}
