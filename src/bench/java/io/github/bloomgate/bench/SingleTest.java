package io.github.bloomgate.bench;

import java.util.ArrayList;
import java.util.List;

/** Tests one element. Half of the elements are known. */
final class SingleTest implements Work {

  /** The number of distinct requests. */
  static final int POOL = 65_536;

  @Override
  public String name() {
    return "single-test";
  }

  @Override
  public void measure(Stage stage, Report report) {
    var elements = Elements.halfKnown(POOL, stage.options().knownElements());
    var contenders = new ArrayList<Contender>();
    contenders.add(
        stage.http(Names.SERVICE, stage.service().port(), requests(Stage.KNOWN, elements)));
    contenders.add(
        stage.http(Names.CONSTANT, stage.ceiling().port(), Requests.get(List.of("/constant"))));
    stage
        .webdis()
        .ifPresent(
            webdis ->
                contenders.add(
                    stage.http(Names.WEBDIS_PING, webdis.port(), Requests.get(List.of("/PING")))));
    stage
        .webdisWithBloom()
        .ifPresent(
            webdis ->
                contenders.add(
                    stage.http(
                        Names.WEBDIS_BLOOM,
                        webdis.port(),
                        BloomModule.tests(Stage.KNOWN, elements))));
    var redisson = stage.redisson().known();
    contenders.add(
        new Contender(
            Names.REDISSON,
            () ->
                InProcessLoad.run(
                    Stage.CLIENTS,
                    stage.options().time(),
                    serial -> redisson.contains(elements.get((int) (serial % POOL))))));

    var comparison =
        Comparison.warmedUp("single test", "requests/s", stage.options().repeats(), contenders);
    report.compare(comparison, Names.CONSTANT);
    report.compare(comparison, Names.WEBDIS_PING);
    report.compare(comparison, Names.WEBDIS_BLOOM);
    report.compare(comparison, Names.REDISSON);
  }

  /** One request for each element. */
  static Requests requests(String filter, List<String> elements) {
    return Requests.get(
        elements.stream()
            .map(element -> FilterApi.path(filter, "/test?element=" + element))
            .toList());
  }
}
