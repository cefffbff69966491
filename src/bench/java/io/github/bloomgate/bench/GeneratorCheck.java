package io.github.bloomgate.bench;

import java.util.ArrayList;
import java.util.List;

/** Whether the load generator can send more than any server here can handle. */
final class GeneratorCheck implements Work {

  private static final String FIXED = "fixed bytes";

  @Override
  public String name() {
    return "generator";
  }

  @Override
  public void measure(Stage stage, Report report) {
    var requests = Requests.get(List.of("/constant"));
    var generators = new ArrayList<LoadGenerator>();
    generators.add(new SocketLoad());
    if (WrkLoad.isInstalled()) {
      generators.add(new WrkLoad(stage.folder()));
    }
    try (var fixed = new FixedAnswers()) {
      var contenders = new ArrayList<Contender>();
      for (var generator : generators) {
        contenders.add(contender(stage, generator, FIXED, fixed.port(), requests));
        contenders.add(
            contender(stage, generator, Names.CONSTANT, stage.ceiling().port(), requests));
      }
      var comparison =
          Comparison.warmedUp(
              "load generator", "requests/s", stage.options().repeats(), contenders);
      report.details(comparison);
    }
  }

  private static Contender contender(
      Stage stage, LoadGenerator generator, String server, int port, Requests requests) {
    return new Contender(
        generator.name() + " on " + server,
        () -> generator.run(port, requests, Stage.CLIENTS, stage.options().time()));
  }
}
