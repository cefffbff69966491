package io.github.bloomgate.elements;

import static io.github.bloomgate.support.Flags.count;
import static io.github.bloomgate.support.TestInstance.assertFails;
import static io.github.bloomgate.support.TestInstance.await;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.filters.NewDeadline;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.TestInstance;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What instances that follow a journal learn from it, and of the end of its filter. */
class JournalFollowersTest extends JournalingInstances {

  /** Later segments stay where they are, whatever becomes of the filter. */
  @ParameterizedTest
  @MethodSource("kinds")
  void whoHasACopyLearnsAtOnceThatTheFilterIsGone(FilterParameters kind) {
    one.create(name, kind);
    warm(one);
    var some = elements("some ", 20);
    one.add(name, some);
    var to = name();
    other.renames.rename(name, to, false);
    // One by one: most are in later segments only.
    for (var element : some) {
      assertFails(ErrorCode.FILTER_NOT_FOUND, one.elements.test(name, List.of(element)));
      assertFails(ErrorCode.FILTER_NOT_FOUND, one.elements.add(name, List.of(element)));
    }
    one.assertMaybe(to, some);
    one.add(to, elements("more ", 20));
    other.changes.clear(to);
    assertEquals(0, count(one.test(to, some)));
    assertEquals(20, count(one.add(to, some)));
    one.assertCountsAreExact(to);
    other.changes.delete(to, false);
    assertFails(ErrorCode.FILTER_NOT_FOUND, one.elements.add(to, some));
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void whatIsJournaledFollowsToTheNextGeneration(FilterParameters kind) {
    one.create(name, kind);
    warm(one);
    var next = TestInstance.openNext(other, name);
    var some = elements("some ", 20);
    for (var element : some) {
      one.add(name, List.of(element));
    }
    await(other.loads.load(next, elements("loaded ", 2_000)));
    one.add(name, elements("more ", 20));
    other.rebuilds.commit(next, 1, NewDeadline.KEEP);
    for (var instance : List.of(one, other)) {
      instance.assertMaybe(name, some);
      instance.assertMaybe(name, elements("more ", 20));
      instance.assertMaybe(name, elements("loaded ", 2_000));
    }
    one.assertCountsAreExact(name);
  }

  /** Who is a little behind a new snapshot goes on by the journal. */
  @Test
  void whoFollowsReadsASegmentOnce() {
    one.create(name, ONE);
    warm(one);
    warm(other);
    var again = again(other);
    var snapshots = written(one);
    for (var round = 0; written(one) < snapshots + 3; round++) {
      var some = elements("round " + round + " ", 10);
      one.add(name, some);
      other.assertMaybe(name, some);
    }
    assertEquals(again, again(other));
  }

  @Test
  void whatADeadInstanceHasJournaledIsThere() {
    Filter filter;
    try (var dead = new TestInstance(redis)) {
      filter = dead.create(name, ONE);
      warm(dead);
      dead.add(name, elements("left ", 50));
    }
    assertTrue(length(filter) > ONE.shape().sizeBytes(), "nothing is journaled");
    withoutCopies.assertMaybe(name, elements("left ", 50));
    other.assertMaybe(name, elements("left ", 50));
    other.assertCountsAreExact(name);
  }

  @Test
  void aFullRedisRefusesAddsAndAnswersTests() {
    try (var own = TestRedis.started();
        var service = new TestInstance(own)) {
      service.create(name, ONE);
      warm(service);
      service.add(name, elements("known ", 50));
      own.command("CONFIG", "SET", "maxmemory", "1");
      assertFails(ErrorCode.STORE_FULL, service.elements.add(name, elements("new ", 50)));
      service.assertMaybe(name, elements("known ", 50));
      assertEquals(0, count(service.add(name, elements("known ", 50))));
      own.command("CONFIG", "SET", "maxmemory", "0");
      assertEquals(50, count(service.add(name, elements("new ", 50))));
      service.assertCountsAreExact(name);
    }
  }

  private static double again(TestInstance instance) {
    return instance.metrics.get("bloom.copies.reads").tag("reason", "again").counter().count();
  }

  private static double written(TestInstance instance) {
    return instance
        .metrics
        .get("bloom.journal.snapshots")
        .tag("result", "written")
        .counter()
        .count();
  }
}
