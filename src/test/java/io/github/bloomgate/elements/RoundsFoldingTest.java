package io.github.bloomgate.elements;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.elements.ElementCall.Kind;
import io.github.bloomgate.elements.ElementRequest.Outcome;
import io.github.bloomgate.memory.Client;
import io.github.bloomgate.model.Durability;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.redis.ScriptWork;
import io.github.bloomgate.redis.TestLink;
import io.github.bloomgate.segment.Verdict;
import io.github.bloomgate.store.TestStores.Loss;
import io.github.bloomgate.support.InParallel;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Quiet and full journals are folded into the bitmap while elements are added and tested, and
 * requests join the same round.
 */
class RoundsFoldingTest extends RoundsFixture {

  @Test
  void aQuietSegmentIsPatchedAndAFullJournalDropped() {
    var filter = fixed(1, 4_096, 0, false);
    one.add(filter, "a", "b");
    assertTrue(filter.segments().get(0).unfolded() > 0);
    awaitFolded(one, filter);
    var patched = redis.command("STRLEN", filter.key(0)).toLong();
    assertTrue(patched > 4_096 + 56, "a patch keeps the journal for other instances");
    assertTrue(other.contains(filter, "a"));
    assertAdded(other.add(filter, NAMES[0]));
    one.add(filter, NAMES);
    Awaitility.await()
        .until(
            () -> {
              one.rounds.rest(Duration.ZERO, Duration.ZERO);
              return redis.command("STRLEN", filter.key(0)).toLong() == 4_096 + 56;
            });
    assertEquals(62, filter.insertions());
    assertTrue(other.contains(filter, NAMES[59]));
  }

  /** Redis moves a string that was written whole when it grows, so a call appends to one. */
  @Test
  void aCallAppendsToFewSegmentsWithoutSpareRoom() {
    var filter = fixed(20, 1 << 21, 0, false);
    one.add(filter, elements("element ", 1_000));
    TestLink.await(one.rounds.restAll());
    var isMoved = redis.spareBytes(filter.key(0)) == 0;
    assertEquals(isMoved ? 20 : 1, callsOf(request(Kind.ADD, filter, elements("other ", 1_000))));
    assertEquals(1, callsOf(request(Kind.ADD, filter, elements("later ", 1_000))));
    assertEquals(3_000, filter.insertions());
  }

  static long callsOf(ElementRequest request) {
    redis.command("CONFIG", "RESETSTAT");
    assertEquals(Outcome.DONE, TestLink.await(one.send(request)));
    var calls = Pattern.compile("cmdstat_evalsha:calls=([0-9]+),");
    var statistics = calls.matcher(redis.command("INFO", "commandstats").toString());
    assertTrue(statistics.find());
    return Long.parseLong(statistics.group(1));
  }

  /** Segments of dropped filters must not keep others from being folded. */
  @Test
  void segmentsOfDroppedFiltersAreNotFolded() {
    try (var instance = new Instance(MEMORY)) {
      for (var i = 0; i < 40; i++) {
        var dropped = fixed(1, 512, 0, false);
        instance.add(dropped, "a");
        dropped.delete();
      }
      var filter = fixed(1, 512, 0, false);
      instance.add(filter, "a");
      awaitFolded(instance, filter);
    }
  }

  @Test
  void allSegmentsAreFoldedAtTheEnd() {
    var filter = fixed(40, 512, 0, false);
    try (var instance = new Instance(MEMORY)) {
      instance.add(filter, NAMES);
      TestLink.await(instance.rounds.restAll());
      assertTrue(filter.segments().stream().allMatch(segment -> segment.unfolded() == 0));
      var written =
          instance.link.registry().get("bloom.journal.snapshots").tag("result", "written");
      assertEquals(filter.segments().size(), written.counter().count());
    }
  }

  private static void awaitFolded(Instance instance, TestFilter filter) {
    Awaitility.await()
        .until(
            () -> {
              instance.rounds.rest(Duration.ZERO, Duration.ZERO);
              return filter.segments().get(0).unfolded() == 0;
            });
  }

  @Test
  void aChangingSegmentIsNotFoldedYet() {
    var filter = fixed(1, 4_096, 0, false);
    try (var instance = new Instance(MEMORY)) {
      instance.add(filter, "a");
      instance.rounds.rest(Duration.ofDays(1), Duration.ofDays(1));
      instance.add(filter, "b");
      assertEquals(0, instance.stores.losses().patches());
      Awaitility.await()
          .until(
              () -> {
                instance.rounds.rest(Duration.ofDays(1), Duration.ZERO);
                return instance.stores.losses().patches() > 0;
              });
    }
  }

  /** If both instances folded a segment, each would send the whole bitmap. */
  @Test
  void onlyOneOfTwoInstancesFoldsASegment() {
    var filter = fixed(1, 4_096, 0, false);
    var before = one.stores.losses().folds() + other.stores.losses().folds();
    for (var i = 0; i < 600; i++) {
      (i % 2 == 0 ? one : other).add(filter, "element " + i);
    }
    // 600 blocks of 37 bytes, folded every 2 KiB, make 11 folds. Sometimes both instances fold at
    // once.
    var folds = one.stores.losses().folds() + other.stores.losses().folds() - before;
    assertTrue(folds > 0 && folds <= 16, folds + " folds");
    assertEquals(600, filter.insertions());
  }

  /** A crash or a failover loses the last writes, but the copy still has them. */
  @Test
  void aPatchThatRedisLostIsRepeated() {
    var filter = fixed(1, 4_096, 0, false);
    try (var instance = new Instance(MEMORY)) {
      instance.add(filter, "a", "b");
      filter.backUp();
      TestLink.await(instance.rounds.restAll());
      assertEquals(0, filter.segments().get(0).unfolded());
      filter.restore();
      assertAdded(instance.add(filter, "c"));
      awaitFolded(instance, filter);
    }
    assertTrue(other.contains(filter, "a") && other.contains(filter, "c"));
    assertEquals(3, filter.insertions());
  }

  /** The next fold includes concurrent adds, whether or not this one succeeds. */
  @ParameterizedTest
  @EnumSource
  void requestsDoNotWaitForAFold(Loss loss) {
    var filter = fixed(1, 4_096, 0, false);
    try (var instance = new Instance(MEMORY)) {
      var gate = new CompletableFuture<Void>();
      instance.stores.losses().holdFolds(loss, Uni.createFrom().completionStage(gate));
      var added = 0;
      while (instance.stores.losses().folds() == 0) {
        assertAdded(instance.add(filter, "element " + added++));
      }
      assertAdded(instance.add(filter, "during the fold"));
      assertTrue(instance.contains(filter, "element 0"));
      assertFalse(instance.contains(filter, "never"));
      assertEquals(1, instance.stores.losses().folds());
      gate.complete(null);
      instance.stores.losses().holdFolds(Loss.NONE, Uni.createFrom().voidItem());
      awaitFolded(instance, filter);
      assertTrue(other.contains(filter, "during the fold"));
      assertEquals(added + 1, filter.insertions());
    }
  }

  /** The same requests fill all journals, and only a few are folded at a time. */
  @Test
  void allOfManyFullJournalsAreFolded() {
    var filter = fixed(40, 8_192, 0, false);
    var requests = 6;
    var elements = 8_000;
    for (var i = 0; i < requests; i++) {
      var batch = elements(i + " ", elements);
      assertEquals(elements, one.add(filter, batch).count(Verdict.CHANGED));
      assertEquals(elements, other.run(filter, Kind.TEST, batch).count(Verdict.KNOWN));
    }
    assertEquals((long) requests * elements, filter.insertions());
    var folded =
        filter.segments().stream().filter(copy -> copy.position() > copy.unfolded()).count();
    assertEquals(40, folded);
  }

  /** A fold that cannot be written must not stop tests or be retried constantly. */
  @Test
  void aFullJournalThatCannotBeFoldedRefusesAdds() {
    var filter = fixed(1, 4_096, 0, false);
    one.stores.losses().refuseFolds(true);
    try {
      var failure = addUntilItFails(filter);
      assertEquals(ErrorCode.STORE_FULL, failure.code());
      assertTrue(one.contains(filter, "element 0"));
    } finally {
      one.stores.losses().refuseFolds(false);
    }
    one.add(filter, "the next one");
    one.add(filter, "and the next one");
    assertTrue(other.contains(filter, "and the next one"));
  }

  private static BloomException addUntilItFails(TestFilter filter) {
    for (var i = 0; i < 1_000; i++) {
      try {
        one.add(filter, "element " + i);
      } catch (BloomException refused) {
        return refused;
      }
    }
    throw new AssertionError("the journal never became full");
  }

  /** A block has either adds or removals, so the removal waits for the next round. */
  @Test
  void aRemovalBetweenAddsIsMadeOnce() throws Exception {
    var filter = counting(1, 1 << 17);
    one.add(filter, "removed", "removed");
    var first = request(Kind.ADD, filter, "first");
    var removal = request(Kind.REMOVE, filter, "removed");
    var last = request(Kind.ADD, filter, "last");
    for (var outcome : one.sendTogether(first, removal, last)) {
      assertEquals(Outcome.DONE, InParallel.resultOf(outcome));
    }
    for (var instance : List.of(one, other)) {
      var counts = instance.run(filter, Kind.COUNT, "first", "removed", "last").times();
      assertArrayEquals(new byte[] {1, 1, 1}, counts);
    }
  }

  /**
   * Promise 7, with a filter of the most segments: a round leaves some segments for later rounds.
   */
  @Test
  void theSegmentsOfACallAreLimited() {
    var filter = fixed(4_096, 64, 0, false);
    var elements = elements("e", 25_000);
    // It would take long to fold the copies at rest.
    try (var instance = new Instance(MEMORY);
        var work = new ScriptWork(redis)) {
      instance.run(filter, Kind.ADD, elements);
      other.run(filter, Kind.TEST, elements);
      for (var call : work.calls()) {
        assertTrue(call.keys().size() <= 601, call.keys().size() + " keys");
        assertTrue(call.micros() <= 2_500, "about " + call.micros() + " microseconds");
      }
    }
    assertTrue(filter.view().live().written().indexes().length > 4_000);
  }

  /** Both names refer to the same content, and the requests join the same round. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void requestsByTheOldAndTheNewNameInOneRound(boolean isFormerFirst) throws Exception {
    for (var kind : List.of(Kind.ADD, Kind.TEST)) {
      var filter = fixed(1, 1 << 17, 0, false);
      one.add(filter, "first");
      var former = filter.view();
      var renamed = filter.rename();
      var call =
          new ElementCall(
              kind, bytes("element"), Durability.PRIMARY, Client.SERVICE, Optional.empty());
      var byFormer = new ElementRequest(call, former);
      var byNew = new ElementRequest(call, renamed);
      var outcomes =
          isFormerFirst ? one.sendTogether(byFormer, byNew) : one.sendTogether(byNew, byFormer);
      assertEquals(
          Outcome.OUTDATED, InParallel.resultOf(outcomes.get(isFormerFirst ? 0 : 1)), kind.name());
      assertEquals(
          Outcome.DONE, InParallel.resultOf(outcomes.get(isFormerFirst ? 1 : 0)), kind.name());
    }
  }
}
