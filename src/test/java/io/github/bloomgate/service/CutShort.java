package io.github.bloomgate.service;

import io.github.bloomgate.filter.Filter;
import io.github.bloomgate.filter.Filter.Pending;
import io.github.bloomgate.filter.FilterName;
import io.github.bloomgate.filter.Rebuild;
import io.github.bloomgate.store.Outline;
import io.github.bloomgate.store.TestStores;
import io.smallrye.mutiny.Uni;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Settling as an instance does it that dies in the middle. */
final class CutShort {

  private CutShort() {}

  /** Does the first steps of settling a name: each segment to be freed or made, then the rest. */
  static void settle(TestStores stores, FilterName name, int steps) {
    var outline = TestInstance.await(stores.filters().outline(name));
    var orphans = new ArrayList<>(outline.segmentSets().keySet());
    generations(outline).forEach(filter -> orphans.remove(filter.generation().incarnation()));
    var all = new ArrayList<Supplier<Uni<?>>>();
    for (var orphan : orphans) {
      for (var segment = 1; segment < outline.segmentSets().get(orphan); segment++) {
        var number = segment;
        all.add(() -> stores.segments().free(orphan, number));
      }
    }
    for (var filter : generations(outline)) {
      for (var segment = 1;
          filter.pending() != Pending.NOTHING && segment < filter.shape().segments();
          segment++) {
        var number = segment;
        all.add(() -> stores.segments().settle(filter, number));
      }
    }
    all.add(() -> stores.filters().finish(name, outline, orphans));
    all.stream().limit(steps).forEach(step -> TestInstance.await(step.get()));
  }

  private static List<Filter> generations(Outline outline) {
    return Stream.concat(outline.filter().stream(), outline.rebuild().map(Rebuild::next).stream())
        .toList();
  }
}
