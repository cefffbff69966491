package io.github.bloomgate.files;

import static io.github.bloomgate.support.TestInstance.name;

import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.redis.TestCluster;
import io.github.bloomgate.store.TestStores;
import io.github.bloomgate.support.TestInstance;
import java.util.stream.IntStream;

/** Filters with segments on several nodes of a cluster. */
final class SpreadFilters {

  private SpreadFilters() {}

  static Filter create(TestCluster cluster, TestInstance service, FilterParameters parameters) {
    return create(cluster, service, parameters, parameters.shape().segments());
  }

  /** Creates one with segments on several nodes: else this would be a test on a single Redis. */
  static Filter create(
      TestCluster cluster, TestInstance service, FilterParameters parameters, int segments) {
    while (true) {
      var filter = service.create(name(), parameters);
      var nodes =
          IntStream.range(0, segments)
              .mapToObj(segment -> TestStores.keys(filter, segment).get(0))
              .map(state -> cluster.owner(state).port())
              .distinct()
              .count();
      if (nodes > 1) {
        return filter;
      }
    }
  }
}
