package io.github.bloomgate.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The time of a single test when one client is alone. */
final class Latency implements Work {

  private static final String FOLDER = "not-coalescing";
  private static final int WARM_UPS = 4;

  @Override
  public String name() {
    return "latency";
  }

  @Override
  public void measure(Stage stage, Report report) {
    try (var uncoalesced = uncoalesced(stage)) {
      var elements = Elements.halfKnown(SingleTest.POOL, stage.options().knownElements());
      var requests = SingleTest.requests(Stage.KNOWN, elements);
      var contenders = new ArrayList<Contender>();
      contenders.add(alone(stage, Names.SERVICE, stage.service().port(), requests));
      contenders.add(alone(stage, Names.UNCOALESCED, uncoalesced.port(), requests));
      contenders.add(
          alone(stage, Names.CONSTANT, stage.ceiling().port(), Requests.get(List.of("/constant"))));
      var redisson = stage.redisson().known();
      contenders.add(
          new Contender(
              Names.REDISSON,
              () ->
                  median(
                      InProcessLoad.run(
                          1,
                          stage.options().time(),
                          serial ->
                              redisson.contains(elements.get((int) (serial % SingleTest.POOL)))))));
      var comparison =
          Comparison.warmedUp("latency, one client", "us", stage.options().repeats(), contenders);
      report.compare(comparison, Names.UNCOALESCED, Target.atMost(1));
      report.compare(comparison, Names.CONSTANT);
      report.compare(comparison, Names.REDISSON);
    }
  }

  // It depends on the connection whether its requests change threads on their way.
  private static Contender alone(Stage stage, String name, int port, Requests requests) {
    return new Contender(
        name,
        () -> {
          var seconds = stage.options().seconds();
          var samples =
              Stream.generate(() -> stage.load().run(port, requests, 1, Duration.ofSeconds(1)))
                  .limit(seconds)
                  .toList();
          var last = samples.get(seconds - 1);
          return last.withValue(samples.stream().mapToDouble(Sample::p50).average().orElseThrow());
        });
  }

  private static Sample median(Sample sample) {
    return sample.withValue(sample.p50());
  }

  private static Service uncoalesced(Stage stage) {
    var service =
        Service.start(stage.folder().resolve(FOLDER), List.of("bloomgate.speed.coalescing=false"));
    Known.createIn(service, stage.options());
    // As warm as the one that has been under load.
    var requests =
        SingleTest.requests(
            Stage.KNOWN, Elements.halfKnown(SingleTest.POOL, stage.options().knownElements()));
    for (var i = 0; i < WARM_UPS; i++) {
      var unused =
          stage.load().run(service.port(), requests, Stage.CLIENTS, stage.options().time());
    }
    return service;
  }
}
