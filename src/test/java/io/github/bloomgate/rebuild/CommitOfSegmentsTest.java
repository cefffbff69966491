package io.github.bloomgate.rebuild;

import static io.github.bloomgate.support.TestInstance.SEVERAL;
import static io.github.bloomgate.support.TestInstance.await;
import static io.github.bloomgate.support.TestInstance.elements;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.bloomgate.filters.NewDeadline;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.store.TestStores;
import io.github.bloomgate.support.TestInstance;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A commit where a generation has several segments. */
class CommitOfSegmentsTest extends CommitCalls {

  /** Of both generations, whichever of them has some. */
  @Test
  void soItIsWithLaterSegments() {
    var live = onSingle.create(name, SEVERAL);
    for (var kind : List.of(SEVERAL, ONE, SEVERAL, SEVERAL)) {
      for (var deadline : List.of(NewDeadline.KEEP, LATE, NewDeadline.KEEP, NewDeadline.NONE)) {
        var next = loaded(onSingle, kind);
        IntStream.range(0, next.segments())
            .forEach(i -> await(onSingle.stores.segments().bringHome(next, i, true)));
        work.requests();
        var answer = request(onSingle, deadline);
        assertEquals(List.of("describe", "commit"), work.requests());
        assertEquals(answer, onSingle.describe(name));
        assertEquals(List.of(), onSingle.keysWith(live.generation().incarnation()));
        assertListed(onSingle, answer.filter());
        assertSameDeadlines(answer.filter());
        onSingle.assertMaybe(name, elements("loaded ", 100));
        live = answer.filter();
      }
    }
    onSingle.changes.delete(name, false);
    onSingle.assertNothingLeft(live);
  }

  /** Without what a new connection begins with. */
  private static List<String> calls(List<String> requests) {
    return requests.stream().filter(call -> !List.of("hello", "ping").contains(call)).toList();
  }

  private static void assertSameDeadlines(Filter filter) {
    for (var segment = 0; segment < filter.segments(); segment++) {
      for (var key : TestStores.keys(filter, segment).subList(0, 2)) {
        assertEquals(filter.expiresAt().isPresent(), onSingle.redis("PTTL", key).toLong() > 0, key);
      }
    }
  }

  /** An instance that has not seen the filter yet asks for it first. */
  @Test
  void whoDoesNotKnowTheFilterMakesACallMore() {
    var live = onSingle.create(name, SEVERAL);
    onSingle.fold(loaded(onSingle, SEVERAL));
    try (var other = new TestInstance(single)) {
      work.requests();
      request(other, NewDeadline.KEEP);
      assertEquals(List.of("describe", "find", "commit"), calls(work.requests()));
    }
    assertEquals(List.of(), onSingle.keysWith(live.generation().incarnation()));
    onSingle.assertReconciled(name);
  }

  /** Somebody has replaced what this instance takes for the live generation. */
  @Test
  void whatIsLiveByNowIsFreedAfterwards() {
    onSingle.create(name, SEVERAL);
    var between = loaded(onSingle, SEVERAL);
    try (var other = new TestInstance(single)) {
      other.rebuilds.commit(between, 1, NewDeadline.KEEP);
    }
    var next = loaded(onSingle, SEVERAL);
    onSingle.live.remember(next);
    var answer = request(onSingle, LATE);
    assertEquals(List.of(), onSingle.keysWith(between.generation().incarnation()));
    assertListed(onSingle, answer.filter());
  }

  @ParameterizedTest
  @EnumSource
  void oneThatLostALaterSegmentIsNotCommitted(Place place) {
    var instance = place.instance();
    var live = instance.create(name, SEVERAL);
    var next = loaded(instance, SEVERAL);
    var bits = TestStores.keys(next, 1).get(1);
    instance.redis("DEL", bits);
    TestInstance.assertFails(
        ErrorCode.FILTER_DAMAGED, () -> instance.rebuilds.commit(next, 1, NewDeadline.KEEP));
    instance.redis("RPUSH", bits, "theirs");
    TestInstance.assertFails(
        ErrorCode.WRONG_KEY_TYPE, () -> instance.rebuilds.commit(next, 1, NewDeadline.KEEP));
    instance.redis("DEL", bits, TestStores.keys(next, 1).get(0));
    TestInstance.assertFails(
        ErrorCode.FILTER_DAMAGED, () -> instance.rebuilds.commit(next, 1, NewDeadline.KEEP));
    assertEquals(live.generation(), instance.describe(name).filter().generation());
  }
}
