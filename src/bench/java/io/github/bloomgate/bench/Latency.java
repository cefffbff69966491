package io.github.bloomgate.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The time of a single test when one client is alone. */
final class Latency implements Work {

  private static final String FOLDER = "not-coalescing";

  @Override
  public String name() {
    return "latency";
  }

  @Override
  public void measure(Stage stage, Report report) {
    try (var other = uncoalesced(stage)) {
      var elements = Elements.halfKnown(SingleTest.POOL, stage.options().knownElements());
      var requests = SingleTest.requests(elements);
      var contenders = new ArrayList<Contender>();
      contenders.add(alone(stage, Names.SERVICE, stage.service().port(), requests));
      if (other.service().isPresent()) {
        contenders.add(alone(stage, Names.UNCOALESCED, other.service().get().port(), requests));
      }
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
      // Medians of a few runs on one machine differ by as much.
      report.compare(comparison, Names.UNCOALESCED, Target.atMost(1.05));
      report.compare(comparison, Names.CONSTANT);
      report.compare(comparison, Names.REDISSON);
    }
  }

  private static Contender alone(Stage stage, String name, int port, Requests requests) {
    return new Contender(
        name, () -> median(stage.load().run(port, requests, 1, stage.options().time())));
  }

  private static Sample median(Sample sample) {
    return sample.withValue(sample.p50());
  }

  /** A second service, if there is one. */
  private record Other(Optional<Service> service) implements AutoCloseable {
    @Override
    public void close() {
      service.ifPresent(Service::close);
    }
  }

  private static Other uncoalesced(Stage stage) {
    if (stage.options().uncoalesced().isEmpty()) {
      return new Other(Optional.empty());
    }
    var service = Service.start(stage.folder().resolve(FOLDER), stage.options().uncoalesced());
    Known.createIn(service, stage.options());
    // As warm as the one that has been under load.
    var elements = Elements.halfKnown(SingleTest.POOL, stage.options().knownElements());
    var unused =
        stage
            .load()
            .run(
                service.port(),
                SingleTest.requests(elements),
                Stage.CLIENTS,
                stage.options().time());
    return new Other(Optional.of(service));
  }
}
