package io.github.bloomgate.rebuild;

import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.bloomgate.filters.Description;
import io.github.bloomgate.filters.Quota;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.support.TestInstance;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.IntConsumer;

/** Filters that are copied, and what is to be seen of the copies. */
abstract class CopiedFilters extends CombinedFilters {

  static final Optional<Instant> NO_DEADLINE = Optional.empty();

  static CopyService copiesAfter(IntConsumer disturbance) {
    return service.copies(DisturbedUnion.after(service, disturbance));
  }

  static Description copy(FilterName from, FilterName to) {
    service.copies.copy(from, to, false, NO_DEADLINE, Quota.NONE, TestInstance.STAYS);
    return service.describe(to);
  }

  static void assertSameBits(Filter one, Filter other) {
    for (var segment = 0; segment < one.shape().segments(); segment++) {
      assertArrayEquals(bits(one, segment), bits(other, segment), "segment " + segment);
    }
  }

  static void assertNothingUnder(FilterName name) {
    assertEquals(List.of(), service.keysWith(name.value()));
    service.assertReconciled(name);
  }
}
