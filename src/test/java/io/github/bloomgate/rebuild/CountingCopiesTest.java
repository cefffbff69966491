package io.github.bloomgate.rebuild;

import static io.github.bloomgate.support.TestCounters.assertCountsAreExact;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.store.TestStores;
import io.github.bloomgate.support.TestCounters;
import io.github.bloomgate.support.TestInstance;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Copies of filters that count and refuse what is beyond their size. */
class CountingCopiesTest extends ForgettingFilters {

  private static final int MOST = 5_000;

  /** What was acknowledged while there was room is not refused behind what fills the segment. */
  @Test
  void whatIsJournaledMeanwhileIsNotLostBehindAFullCopy() {
    var parameters = TestCounters.counting(MOST, 1e-10, WhenFull.REJECT);
    var from = name();
    var to = name();
    var source = service.create(from, parameters);
    var filter = service.create(to, parameters);
    service.add(from, elements("in", MOST));
    for (var instance : List.of(service, follower)) {
      instance.add(to, elements("warm", 1_000));
      instance.assertMaybe(to, elements("warm", 1_000));
    }
    var journals = service.stores.journals();
    var held = TestInstance.await(journals.follow(filter, 0)).orElseThrow();
    service.add(to, elements("later", EACH));
    follower.add(to, elements("last", EACH));
    var tip = service.redis("HGET", TestStores.keys(filter, 0).get(0), "tip").toLong();
    assertTrue(tip > held.reached().position(), "nothing was journaled");

    var copy = TestInstance.await(journals.follow(source, 0)).orElseThrow();
    copy.addAll(held);
    assertFalse(TestInstance.await(journals.put(filter, 0, copy, held.reached())));

    var again = TestInstance.await(journals.follow(source, 0)).orElseThrow();
    var all = TestInstance.await(journals.follow(filter, 0)).orElseThrow();
    again.addAll(all);
    assertTrue(TestInstance.await(journals.put(filter, 0, again, all.reached())));
    for (var instance : List.of(service, follower, other)) {
      for (var name : List.of("in", "warm", "later", "last")) {
        instance.assertMaybe(to, elements(name, name.equals("in") ? MOST : EACH));
      }
    }
    assertCountsAreExact(service, filter);
    assertEquals(
        MOST + 2 * 1_000 + 2 * EACH, service.describe(to).statistics().insertions(), "insertions");
  }
}
