package io.github.bloomgate.support;

import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.Filter.Pending;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.store.LaterSegments;
import io.github.bloomgate.store.TestStores;
import io.smallrye.mutiny.Uni;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.function.Supplier;

/** Reconciling as an instance does it that dies in the middle. */
public final class CutShort {

  private CutShort() {}

  /**
   * Does the first steps of reconciling a name: each segment to be freed, made, activated, then the
   * rest.
   */
  public static void reconcile(TestStores stores, FilterName name, int steps) {
    var outline = TestInstance.await(stores.filters().outline(name));
    var orphans = new ArrayList<>(outline.segmentSets().keySet());
    outline.generations().forEach(filter -> orphans.remove(filter.generation().incarnation()));
    var all = new ArrayList<Supplier<Uni<?>>>();
    for (var orphan : orphans) {
      for (var segment = 1; segment < outline.segmentSets().get(orphan); segment++) {
        var number = segment;
        all.add(() -> stores.laterSegments().free(orphan, number));
      }
    }
    for (var filter : outline.generations()) {
      if (filter.planned().isPresent()) {
        var planned = filter.planned().get();
        create(stores.laterSegments(), filter.withPlanned(), planned.firstSegment(), all);
        var opened = planned.openedAt(filter.createdAt());
        all.add(
            () ->
                Uni.createFrom()
                    .voidItem()
                    .invoke(() -> stores.layers().open(filter, planned, opened)));
      } else if (!filter.isReady()) {
        create(stores.laterSegments(), filter, 1, all);
      } else if (filter.pending() != Pending.NOTHING) {
        for (var segment = 1; segment < filter.segments(); segment++) {
          var number = segment;
          all.add(() -> stores.laterSegments().reconcile(filter, number));
        }
      }
    }
    all.add(() -> Uni.createFrom().item(() -> stores.filters().finish(name, outline, orphans)));
    all.stream().limit(steps).forEach(step -> TestInstance.await(step.get()));
  }

  private static void create(
      LaterSegments segments, Filter filter, int first, List<Supplier<Uni<?>>> all) {
    var births = new HashMap<Integer, String>();
    for (var segment = first; segment < filter.segments(); segment++) {
      var number = segment;
      all.add(
          () ->
              segments.make(filter, number).invoke(made -> births.put(number, made.orElseThrow())));
    }
    for (var segment = first; segment < filter.segments(); segment++) {
      var number = segment;
      all.add(() -> segments.activate(filter, number, births.get(number)));
    }
  }
}
