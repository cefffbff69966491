package io.github.bloomgate.bench;

import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Batches of new elements for several filters in turn, enough to have room for all. In an overfull
 * filter, many new elements would seem known.
 *
 * @param prefix prefix of the filters' names
 * @param size capacity of each filter
 */
record NewBatches(Stage stage, String prefix, long size) {

  /**
   * Adds the batches to new filters.
   *
   * @param create creates or replaces the filter with a name, without elements
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
