package io.github.bloomgate.elements;

import static io.github.bloomgate.support.Flags.count;
import static io.github.bloomgate.support.TestCounters.assertCountsAreExact;
import static io.github.bloomgate.support.TestCounters.counting;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.filters.NewDeadline;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.error.ProblemDetails;
import io.github.bloomgate.store.TestStores;
import io.github.bloomgate.support.TestInstance;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Filters whose elements can be removed, rebuilt, copied and of several segments. */
class CountingChangesTest extends CountingOnRedis {

  /** Where the live content has it and the next one may not, nothing is taken from the next. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aRebuildKeepsWhatIsRemovedMeanwhile(boolean copies) {
    try (var service = instance(copies)) {
      var name = name();
      service.create(name, counting(10_000));
      var dropped = elements("dropped", 500);
      service.add(name, dropped);
      var next = TestInstance.openNext(service, name);
      var loaded = elements("loaded", 500);
      TestInstance.await(service.loads.load(next, loaded));
      var added = elements("added", 500);
      service.add(name, added);
      assertEquals(500, count(service.remove(name, dropped)));
      assertEquals(100, count(service.remove(name, added.subList(0, 100))));
      assertEquals(0, count(service.test(name, added.subList(0, 100))));
      service.rebuilds.commit(next, 1, NewDeadline.KEEP);
      service.assertMaybe(name, loaded);
      service.assertMaybe(name, added);
      assertEquals(0, count(service.test(name, dropped)));
      assertTrue(service.describe(name).filter().isCounting());
      assertEquals(500, count(service.remove(name, loaded)));
      assertEquals(0, count(service.test(name, loaded)));
      service.assertMaybe(name, added);
      assertCountsAreExact(service, service.describe(name).filter());
    }
  }

  /** What is added to the filter that is replaced is in the copy too. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aCopyHasTheCountersOfBoth(boolean copies) {
    try (var service = instance(copies)) {
      var name = name();
      var filter = service.create(name, counting(10_000));
      var some = elements("e", 500);
      service.add(name, some);
      service.add(name, some);
      service.remove(name, some.subList(0, 100));
      service.add(name, Collections.nCopies(20, TestInstance.element("often")));
      var next = TestInstance.openNext(service, name);
      service.add(name, some.subList(0, 200));
      service.contentCopies.copy(filter, next, 0);
      service.rebuilds.commit(next, 0, NewDeadline.KEEP);
      var counts = service.count(name, some);
      for (var i = 0; i < 500; i++) {
        assertEquals(i < 100 ? 3 : i < 200 ? 4 : 2, counts[i], "of element " + i);
      }
      assertEquals(15, service.count(name, List.of(TestInstance.element("often")))[0]);
      assertCountsAreExact(service, service.describe(name).filter());
    }
  }

  @Test
  void aFilterOfSeveralSegmentsDoesIt() {
    try (var service = new TestInstance(redis);
        var other = TestInstance.withoutCopies(redis)) {
      var name = name();
      var filter = service.create(name, counting(300_000));
      assertTrue(filter.segments() > 2);
      assertTrue(filter.shape().segmentBits() <= 1L << 24);
      var some = elements("e", 10_000);
      assertEquals(10_000, count(service.add(name, some)));
      assertEquals(5_000, count(other.remove(name, some.subList(0, 5_000))));
      assertEquals(5_000, count(service.test(name, some)));
      other.assertMaybe(name, some.subList(5_000, 10_000));
      assertEquals(5_000, service.describe(name).statistics().insertions());
      assertCountsAreExact(service, filter);
      service.changes.clear(name);
      assertEquals(0, count(other.remove(name, some)));
      assertEquals(1_000, count(other.add(name, some.subList(0, 1_000))));
      assertEquals(1_000, count(service.remove(name, some)));
      assertCountsAreExact(service, service.describe(name).filter());
      service.changes.delete(name, false);
      service.assertNothingLeft(filter);
    }
  }

  /** Whoever repeated the request would remove some elements twice. */
  @Test
  void aRemovalThatFailsInPartIsToldAsSuch() {
    try (var service = new TestInstance(redis)) {
      var name = name();
      var filter = service.create(name, counting(300_000));
      var some = elements("e", 1_000);
      service.add(name, some);
      service.fold(filter);
      service.redis("DEL", TestStores.keys(filter, 1).get(0));
      var failure = assertThrows(BloomException.class, () -> service.remove(name, some));
      assertEquals(ErrorCode.STORE_OUTCOME_UNKNOWN, failure.code());
      var applied = (ProblemDetails.Applied) failure.facts().orElseThrow();
      assertTrue(applied.count() > 100 && applied.count() < 900, "applied " + applied.count());
      assertTrue(failure.getMessage().contains("Do not repeat"), failure.getMessage());
    }
  }
}
