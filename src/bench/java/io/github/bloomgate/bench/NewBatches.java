package io.github.bloomgate.bench;

import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Batches of new elements to as many filters as have room for them, in turn: in one with more than
 * it is made for much of what is new seems known.
 *
 * @param prefix of the names of the filters
 * @param size what each is made for
 */
record NewBatches(Stage stage, String prefix, long size) {

  /**
   * Adds them to filters that are made for it.
   *
   * @param create makes the filter of a name again, empty
   */
  Contender contender(String label, Consumer<String> create) {
    var batch = List.of(Elements.newBatch());
    var requests =
        new Requests(
            filters().stream()
                .map(filter -> Requests.json(FilterApi.path(filter, "/add"), batch))
                .flatMap(adds -> adds.pool().stream())
                .toList());
    return new Contender(
        label,
        () -> {
          filters().forEach(create);
          return SocketLoad.runAll(
              List.of(stage.service().port()),
              requests,
              Stage.CLIENTS,
              stage.options().batchRequests());
        });
  }

  void deleteFilters() {
    filters().forEach(stage.service().filters()::delete);
  }

  private List<String> filters() {
    var elements = stage.options().batchRequests() * Elements.BATCH;
    return Stream.iterate(0, i -> i + 1)
        .limit(Math.max(1, elements / size))
        .map(i -> prefix + ".new." + i)
        .toList();
  }
}
