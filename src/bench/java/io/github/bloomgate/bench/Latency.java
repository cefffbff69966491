package io.github.bloomgate.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The latency of a single test with one client. */
final class Latency implements Work {

  @Override
  public String name() {
    return "latency";
  }

  @Override
  public void measure(Stage stage, Report report) {
    var elements = Elements.halfKnown(SingleTest.POOL, stage.options().knownElements());
    var requests = SingleTest.requests(Stage.KNOWN, elements);
    var contenders = new ArrayList<Contender>();
    contenders.add(alone(stage, Names.SERVICE, stage.service().port(), requests));
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
    report.compare(comparison, Names.CONSTANT);
    report.compare(comparison, Names.REDISSON);
  }

  /**
   * The median time of one client. Connects again for each second, because whether requests change
   * threads depends on the connection.
   */
  static Contender alone(Stage stage, String name, int port, Requests requests) {
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
}
