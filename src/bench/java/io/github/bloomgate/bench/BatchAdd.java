package io.github.bloomgate.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Adds a thousand new elements in one request, to a filter with room for them. */
final class BatchAdd implements Work {

  /** More than the fastest contender adds in a few seconds. */
  private static final long INSERTIONS = 10_000_000;

  @Override
  public String name() {
    return "batch-add";
  }

  @Override
  public void measure(Stage stage, Report report) {
    var options = stage.options();
    var batch = List.of(Elements.newBatch());
    var contenders = new ArrayList<Contender>();
    contenders.add(
        new Contender(
            Names.SERVICE,
            () -> {
              stage.service().filters().recreate(Stage.FRESH, INSERTIONS);
              var adds = Requests.json(FilterApi.path(Stage.FRESH, "/add"), batch);
              return stage.load().run(stage.service().port(), adds, Stage.CLIENTS, options.time());
            }));
    contenders.add(stage.http(Names.JSON, stage.ceiling().port(), Requests.json("/json", batch)));
    stage.webdisWithBloom().ifPresent(webdis -> contenders.add(withBloom(stage, webdis, batch)));
    contenders.add(redisson(stage, INSERTIONS));
    var comparison =
        Comparison.warmedUp(
            "batch add", "elements/s", options.repeats(), BatchTest.inElements(contenders));
    report.compare(comparison, Names.JSON);
    report.compare(comparison, Names.WEBDIS_BLOOM);
    report.compare(comparison, Names.REDISSON);
  }

  private static Contender withBloom(Stage stage, Webdis webdis, List<List<String>> batch) {
    return new Contender(
        Names.WEBDIS_BLOOM,
        () -> {
          try (var redis = stage.peerRedis().connect()) {
            BloomModule.recreate(redis, Stage.FRESH, INSERTIONS, 0);
          }
          // Sends a fixed number, because the filter could become full in a few seconds, and webdis
          // reports errors as successes.
          return SocketLoad.runAll(
              List.of(webdis.port()),
              BloomModule.batches("BF.MADD", Stage.FRESH, batch),
              Stage.CLIENTS,
              stage.options().batchRequests());
        });
  }

  /** Redisson adds batches to a new filter. */
  static Contender redisson(Stage stage, long insertions) {
    return new Contender(
        Names.REDISSON,
        () -> {
          var filter = stage.redisson().recreate(Stage.FRESH, insertions);
          return InProcessLoad.run(
              Stage.BATCH_CLIENTS, stage.options().time(), serial -> filter.add(newBatch(serial)));
        });
  }

  private static List<String> newBatch(long serial) {
    return IntStream.range(0, Elements.BATCH).mapToObj(i -> "new-" + serial + "-" + i).toList();
  }
}
