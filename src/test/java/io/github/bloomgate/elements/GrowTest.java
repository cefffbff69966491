package io.github.bloomgate.elements;

import static io.github.bloomgate.support.Flags.count;
import static io.github.bloomgate.support.TestInstance.assertFails;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.model.error.ErrorCode;
import java.util.ArrayList;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Growing filters: layers, capacity and rate. */
class GrowTest extends GrowingFilters {

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aFullFilterOpensLayersAndKeepsAllElements(boolean copies) {
    try (var service = instance(copies);
        var other = instance(copies)) {
      var name = name();
      service.create(name, growing(100, 0.01, 1 << 20));
      var added = new ArrayList<byte[]>();
      var isNew = 0;
      for (var batch = 0; batch < 40; batch++) {
        var some = elements("b" + batch + "-", 50);
        isNew += count((batch % 3 == 0 ? other : service).add(name, some));
        added.addAll(some);
        service.assertMaybe(name, added);
        other.assertMaybe(name, added);
      }
      var description = service.describe(name);
      assertEquals(5, description.filter().layers().size());
      assertEquals(isNew, description.statistics().insertions());
      assertTrue(isNew > 0.98 * added.size(), () -> "new");
      assertEquals(0, count(service.add(name, added)));
      var absent = elements("never-", copies ? 20_000 : 2_000);
      var wrong = count(service.test(name, absent));
      assertTrue(wrong <= 0.015 * absent.size(), () -> wrong + " of " + absent.size());
      service.assertCountsAreExact(name);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aFilterAtItsMemoryLimitIsFull(boolean copies) {
    try (var service = instance(copies)) {
      var name = name();
      service.create(name, growing(100, 0.01, 1000));
      var some = elements("e", 1000);
      assertFails(ErrorCode.FILTER_FULL, service.elements.add(name, some));
      var held = service.describe(name).filter();
      assertEquals(2, held.layers().size());
      assertTrue(held.sizeBytes() <= 1000);
      assertEquals(300, service.describe(name).statistics().insertions(), "all layers are filled");
      assertFails(ErrorCode.FILTER_FULL, service.elements.add(name, elements("f", 100)));
    }
  }
}
