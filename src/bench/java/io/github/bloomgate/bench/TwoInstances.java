package io.github.bloomgate.bench;

import java.util.List;
import java.util.function.Function;

/** Adds to one filter through two instances of the service at once, compared with one instance. */
final class TwoInstances implements Work {

  private static final String FOLDER = "second";

  @Override
  public String name() {
    return "two-instances";
  }

  @Override
  public void measure(Stage stage, Report report) {
    try (var second = stage.service().startAnother(stage.folder().resolve(FOLDER))) {
      var options = stage.options();
      var both = List.of(stage.service(), second);
      compare(
          stage,
          report,
          both,
          FilterRequests.singleAdds(Stage.MORE_INSERTIONS),
          SingleAdd.ELEMENT,
          options.singleRequests());
      compare(
          stage,
          report,
          both,
          FilterRequests.batchAdds(Stage.MORE_INSERTIONS),
          Elements.newBatch().get(0),
          options.batchRequests());
    }
  }

  private static void compare(
      Stage stage,
      Report report,
      List<Service> both,
      FilterRequests requests,
      String element,
      long count) {
    var repeats = stage.options().repeats();
    var work = "two instances, " + requests.name();
    var rates =
        contenders(
            both,
            instances -> {
              requests.createFilterIn(stage.service());
              var ports = ProcessorTime.of(instances).ports();
              var sample = SocketLoad.runAll(ports, requests.toService(), Stage.CLIENTS, count);
              both.forEach(instance -> requireAll(instance, element, count));
              return sample;
            });
    report.compare(Comparison.warmedUp(work, "requests/s", repeats, rates), Names.ONE_INSTANCE);
    var times =
        contenders(
            both,
            instances ->
                ProcessorTime.of(instances)
                    .perRequest(
                        requests.toService(),
                        count,
                        requests.room(),
                        () -> requests.createFilterIn(stage.service())));
    report.compare(
        Comparison.warmedUp("CPU of a request: " + work, "us", repeats, times), Names.ONE_INSTANCE);
  }

  // Each instance must know the elements that were added through the other.
  private static void requireAll(Service instance, String element, long count) {
    var lines = Elements.linesOfSerials(element, count);
    var found = instance.filters().test(Stage.FRESH, lines);
    if (found != count) {
      throw new IllegalStateException(
          "%d elements were added, but %d were found".formatted(count, found));
    }
  }

  private static List<Contender> contenders(
      List<Service> both, Function<List<Service>, Sample> measurement) {
    return List.of(
        new Contender(Names.SERVICE, () -> measurement.apply(both)),
        new Contender(Names.ONE_INSTANCE, () -> measurement.apply(both.subList(0, 1))));
  }
}
