package io.github.bloomgate.elements;

import static io.github.bloomgate.support.TestInstance.assertFails;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.filters.NewDeadline;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.store.TestStores;
import io.github.bloomgate.support.TestCounters;
import io.github.bloomgate.support.TestInstance;
import io.github.bloomgate.support.TestWindows;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A Redis that evicts takes a layer of a filter that grows, or a segment of one of other kinds. */
@Tag("slow")
class EvictedKindsTest extends GrowingFilters {

  private static final List<byte[]> THERE = elements("there", 500);

  /** What the filter does. */
  enum Kind {
    GROWS,
    FORGETS,
    COUNTS;

    FilterParameters parameters() {
      return switch (this) {
        case GROWS -> growing(100, 1e-9, 1 << 24);
        case FORGETS -> TestWindows.sized(1_000_000, TestWindows.years(4, true));
        case COUNTS -> TestCounters.counting(300_000);
      };
    }
  }

  /** What is evicted: the state, the bits, or both. */
  enum Lost {
    STATE(0, 1),
    BITS(1, 2),
    BOTH(0, 2);

    private final int from;
    private final int to;

    Lost(int from, int to) {
      this.from = from;
      this.to = to;
    }
  }

  /** Of a filter that has grown the second layer, and the newest. */
  @ParameterizedTest
  @CsvSource({
    "GROWS, STATE, 1", "GROWS, BITS, 1", "GROWS, BOTH, 1",
    "GROWS, STATE, 2", "GROWS, BITS, 2", "GROWS, BOTH, 2",
    "FORGETS, STATE, 1", "FORGETS, BITS, 1", "FORGETS, BOTH, 1",
    "COUNTS, STATE, 1", "COUNTS, BITS, 1", "COUNTS, BOTH, 1"
  })
  void nobodyIsToldNo(Kind kind, Lost lost, int segment) {
    try (var holder = instance(true);
        var without = instance(false);
        var fresh = instance(true)) {
      var name = name();
      holder.create(name, kind.parameters());
      holder.add(name, THERE);
      without.assertMaybe(name, THERE);
      var filter = holder.describe(name).filter();
      assertTrue(filter.segments() > 2);
      holder.fold(filter);
      var keys = TestStores.keys(filter, segment).subList(lost.from, lost.to);
      redis.command("DEL", keys.toArray(String[]::new));

      for (var instance : List.of(holder, without, fresh)) {
        assertFails(ErrorCode.FILTER_DAMAGED, () -> instance.test(name, THERE));
        assertFails(ErrorCode.FILTER_DAMAGED, () -> instance.describe(name));
      }
      // A rebuild repairs it.
      var next = TestInstance.openNext(fresh, name);
      TestInstance.await(fresh.loads.load(next, THERE));
      fresh.rebuilds.commit(next, 1, NewDeadline.KEEP);
      for (var instance : List.of(holder, without, fresh)) {
        instance.assertMaybe(name, THERE);
      }
      fresh.assertCountsAreExact(name);
    }
  }
}
