package io.github.bloomgate.elements;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.elements.ElementCall.Kind;
import io.github.bloomgate.elements.ElementRequest.Outcome;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.redis.TestLink;
import io.github.bloomgate.segment.Verdict;
import io.github.bloomgate.store.TestStores.Loss;
import io.github.bloomgate.support.Failures;
import io.micrometer.core.instrument.Counter;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Lost replies, other histories, missing segments, a full Redis, and too little memory. */
class RoundsFaultsTest extends RoundsFixture {

  private static final List<Loss> LOSSES = List.copyOf(EnumSet.allOf(Loss.class));

  private static void assertFails(
      ErrorCode code, Instance instance, TestFilter filter, Kind kind, String... elements) {
    var request = request(kind, filter, elements);
    Failures.assertFails(code, instance.send(request));
  }

  @ParameterizedTest
  @EnumSource
  void anAddWithALostReplyTakesEffectOnce(Loss loss) {
    var filter = counting(1, 4_096);
    one.add(filter, "a");
    one.stores.losses().lose(loss);
    assertAdded(one.add(filter, "b"));
    one.add(filter, "c");
    assertEquals(1, other.run(filter, Kind.COUNT, "b").times()[0]);
    assertEquals(3, filter.insertions());
  }

  /** Includes a lost call that Redis runs after its repetition. */
  @ParameterizedTest
  @EnumSource
  void aRemovalWithALostReplyTakesEffectOnce(Loss loss) {
    var filter = counting(1, 4_096);
    one.add(filter, "a", "a", "a");
    one.stores.losses().lose(loss);
    assertEquals(Verdict.CHANGED, one.run(filter, Kind.REMOVE, "a").answer(0));
    assertEquals(2, one.run(filter, Kind.COUNT, "a").times()[0]);
    assertEquals(2, other.run(filter, Kind.COUNT, "a").times()[0]);
  }

  /** Nothing shows whether the lost call was made, so its block must not be sent again. */
  @Test
  void aLostReplyBeforeAChangeOfTheFilterIsUnknown() {
    var filter = counting(1, 4_096);
    one.add(filter, "a", "a");
    one.stores.losses().lose(Loss.REPLY, filter::open);
    assertFails(ErrorCode.STORE_OUTCOME_UNKNOWN, one, filter, Kind.REMOVE, "a");
    assertEquals(1, other.run(filter, Kind.COUNT, "a").times()[0]);
  }

  /** A fold keeps the change but drops the block that would show it. */
  @ParameterizedTest
  @EnumSource(names = {"ADD", "REMOVE"})
  void aFoldedChangeWithALostReplyIsMadeOnce(Kind kind) {
    var filter = counting(1, 32_768);
    one.add(filter, "a", "a", "a");
    var others = elements("other ", 600);
    one.stores
        .losses()
        .lose(
            Loss.REPLY,
            () -> {
              other.add(filter, others);
              TestLink.await(other.rounds.restAll());
            });
    assertFails(ErrorCode.STORE_OUTCOME_UNKNOWN, one, filter, kind, "a");
    for (var instance : List.of(one, other)) {
      var expected = kind == Kind.ADD ? 4 : 2;
      assertEquals(expected, instance.run(filter, Kind.COUNT, "a").times()[0]);
    }
  }

  @Test
  void randomLossesLeaveCountsExact() {
    // Such long journals are not folded. A fold would hide the outcome of a lost call.
    var filter = counting(2, 32_768);
    var counts = new HashMap<String, Integer>();
    for (var i = 0; i < 300; i++) {
      var instance = random.nextBoolean() ? one : other;
      var element = NAMES[random.nextInt(5)];
      if (random.nextInt(4) == 0) {
        instance.stores.losses().lose(LOSSES.get(random.nextInt(LOSSES.size())));
      }
      if (random.nextInt(2) == 0) {
        var removed = instance.run(filter, Kind.REMOVE, element).answer(0);
        assertEquals(counts.getOrDefault(element, 0) > 0, removed == Verdict.CHANGED);
        counts.merge(element, removed == Verdict.CHANGED ? -1 : 0, Integer::sum);
      } else if (counts.getOrDefault(element, 0) < 14) {
        instance.add(filter, element);
        counts.merge(element, 1, Integer::sum);
      }
      one.stores.losses().lose(Loss.NONE);
      other.stores.losses().lose(Loss.NONE);
    }
    counts.forEach(
        (element, count) ->
            assertEquals(count, one.run(filter, Kind.COUNT, element).times()[0], "seed " + seed));
  }

  @Test
  void aRequestWithAnOldViewFailsAsChanged() {
    var filter = fixed(1, 4_096, 0, false);
    one.add(filter, "a");
    var test = request(Kind.TEST, filter, "a");
    var known = request(Kind.ADD, filter, "a");
    filter.open();
    assertEquals(Outcome.OUTDATED, TestLink.await(one.send(test)));
    assertEquals(Outcome.OUTDATED, TestLink.await(one.send(known)));
    one.run(filter, known);
    filter.commit();
    assertTrue(other.contains(filter, "a"));
  }

  @Test
  void aRemovalDoesNotApplyToNewlyCommittedContent() {
    var filter = counting(1, 4_096);
    one.add(filter, "a");
    var removal = request(Kind.REMOVE, filter, "a");
    filter.clear();
    one.add(filter, "a");
    assertEquals(Outcome.OUTDATED, TestLink.await(one.send(removal)));
    assertFalse(removal.follow(filter.view()));
    assertEquals(1, one.run(filter, Kind.COUNT, "a").times()[0]);
  }

  /** The commit comes before the live generation has the layer that the element waits for. */
  @Test
  void anElementOnlyInTheNextGenerationIsNewAfterACommit() {
    var filter = fixed(1, 4_096, 60, true);
    one.add(filter, NAMES);
    filter.open();
    var request = request(Kind.ADD, filter, "a");
    assertEquals(Outcome.FULL, TestLink.await(one.send(request)));
    filter.commit();
    assertTrue(request.follow(filter.view()));
    assertAdded(one.run(filter, request));
    assertEquals(1, filter.insertions());
  }

  /** The live generation decides which add is the first, also for one that a commit interrupts. */
  @Test
  void anElementAddedAroundACommitIsNewOnce() {
    var filter = fixed(1, 4_096, 60, true);
    one.add(filter, NAMES);
    filter.open();
    var request = request(Kind.ADD, filter, "a", NAMES[0]);
    assertEquals(Outcome.FULL, TestLink.await(one.send(request)));
    assertAdded(other.add(filter, "a"));
    filter.commit();
    assertTrue(request.follow(filter.view()));
    var answered = one.run(filter, request);
    assertEquals(2, answered.count(Verdict.KNOWN));
    assertEquals(2, filter.insertions());
  }

  /** The other history comes from a replica that lacked the last blocks, or from a backup. */
  @Test
  void copiesFollowAnotherHistory() {
    var filter = fixed(1, 4_096, 0, false);
    one.add(filter, "a");
    filter.backUp();
    one.add(filter, "b");
    assertTrue(other.contains(filter, "b"));
    filter.restore();
    assertAdded(other.add(filter, "c"));
    assertTrue(one.contains(filter, "a") && one.contains(filter, "c"));
    assertFalse(one.contains(filter, "b"));
    assertAdded(one.add(filter, "b"));
  }

  /** A filter of two layers, with a backup of the first layer from before it was full. */
  private TestFilter withAFullLayer() {
    var filter = fixed(1, 4_096, 60, true);
    one.add(filter, NAMES[0]);
    filter.backUp();
    one.add(filter, NAMES);
    one.add(filter, "behind the full layer");
    return filter;
  }

  /** A full layer is tested in its copy, so the same call must confirm the copy. */
  @Test
  void aFullLayerWithAnotherHistoryIsReadAgain() {
    var filter = withAFullLayer();
    assertEquals(2, filter.view().live().layers().size());
    filter.restore();
    assertAdded(other.add(filter, "in the first layer"));
    assertTrue(one.contains(filter, "in the first layer"));
  }

  /** Tests stop at a layer that is not full, so an add behind it would not be found. */
  @ParameterizedTest
  @ValueSource(strings = {"new", "behind the full layer"})
  void anAddIsNotDoneBehindAFullLayerWithAnotherHistory(String element) {
    var filter = withAFullLayer();
    filter.restore();
    assertAdded(one.add(filter, element));
    assertTrue(one.contains(filter, element));
    assertTrue(other.contains(filter, element));
  }

  /** The call that would have confirmed the copy of the full layer was refused. */
  @Test
  void aFullLayerIsTestedAgainAfterAChange() {
    var filter = withAFullLayer();
    var test = request(Kind.TEST, filter, "in the first layer");
    filter.restore();
    assertAdded(other.add(filter, "in the first layer"));
    filter.open();
    assertEquals(Verdict.KNOWN, one.run(filter, test).answer(0));
  }

  /** No call tests the full layer, but a "no" depends on its copy. */
  @Test
  void aMissingFullLayerIsDamage() {
    var filter = fixed(1, 4_096, 60, true);
    one.add(filter, NAMES);
    one.add(filter, "behind the full layer");
    redis.command("DEL", filter.key(0));
    assertFails(ErrorCode.FILTER_DAMAGED, one, filter, Kind.TEST, "never added");
    assertFails(ErrorCode.FILTER_DAMAGED, one, filter, Kind.ADD, "never added");
  }

  @Test
  void aFailedReadFailsOnlyTheRequestsThatWaitForIt() {
    var filter = fixed(8, 4_096, 0, false);
    one.add(filter, NAMES);
    var keys = IntStream.range(0, 8).mapToObj(filter::key).toList();
    for (var key : keys) {
      redis.command("COPY", key, "backup of " + key);
      redis.command("SET", key, "no segment");
    }
    assertFails(ErrorCode.FILTER_DAMAGED, other, filter, Kind.TEST, NAMES);
    for (var key : keys) {
      redis.command("COPY", "backup of " + key, key, "REPLACE");
    }
    for (var name : NAMES) {
      assertTrue(other.contains(filter, name));
    }
  }

  @Test
  void aMissingSegmentIsDamage() {
    var filter = fixed(1, 4_096, 0, false);
    one.add(filter, "a");
    redis.command("DEL", filter.key(0));
    for (var instance : new Instance[] {one, other}) {
      assertFails(ErrorCode.FILTER_DAMAGED, instance, filter, Kind.TEST, "a");
      assertFails(ErrorCode.FILTER_DAMAGED, instance, filter, Kind.ADD, "a");
      assertFails(ErrorCode.FILTER_DAMAGED, instance, filter, Kind.ADD, "b");
    }
  }

  @Test
  void anOverwrittenSegmentIsDamage() {
    var filter = fixed(1, 4_096, 0, false);
    one.add(filter, "a");
    var key = filter.key(0);
    redis.command("SETRANGE", key, "4096", "another header");
    redis.command("APPEND", key, "another tail");
    assertFails(ErrorCode.FILTER_DAMAGED, one, filter, Kind.TEST, "a");
    assertFails(ErrorCode.FILTER_DAMAGED, other, filter, Kind.ADD, "b");
    redis.command("DEL", key);
    redis.command("LPUSH", key, "of another type");
    assertFails(ErrorCode.WRONG_KEY_TYPE, one, filter, Kind.TEST, "a");
  }

  @Test
  void aFullRedisRefusesAddsAndAnswersTests() {
    var filter = fixed(1, 4_096, 0, false);
    one.add(filter, "a");
    redis.command("CONFIG", "SET", "maxmemory", "1");
    try {
      assertFails(ErrorCode.STORE_FULL, one, filter, Kind.ADD, "b");
      assertTrue(one.contains(filter, "a"));
      assertFalse(other.contains(filter, "b"));
      assertEquals(Verdict.KNOWN, other.add(filter, "a").answer(0));
    } finally {
      redis.command("CONFIG", "SET", "maxmemory", "0");
    }
    assertAdded(one.add(filter, "b"));
  }

  private static final long COPY = 4_096 + HeldSegments.OBJECT_BYTES;

  /** Uses more segments than fit into memory, one by one and in a single request. */
  @Test
  void copiesStayWithinTheirMemory() {
    var filter = fixed(12, 4_096, 0, false);
    try (var small = new Instance(3 * COPY)) {
      assertEquals(60, small.add(filter, NAMES).count(Verdict.CHANGED));
      assertEquals(60, small.run(filter, Kind.TEST, NAMES).count(Verdict.KNOWN));
      for (var name : NAMES) {
        assertTrue(small.contains(filter, name));
      }
      assertEquals(3 * COPY, small.rounds.copiesBytes());
    }
    try (var tiny = new Instance(1)) {
      assertEquals(60, tiny.run(filter, Kind.TEST, NAMES).count(Verdict.KNOWN));
      assertEquals(COPY, tiny.rounds.copiesBytes());
    }
  }

  /** Buffers are rounded up, and the objects of many small copies fill the heap. */
  @Test
  void copiesCountWithAllThatTheyTake() {
    try (var instance = new Instance(MEMORY)) {
      instance.add(fixed(1, 65_552, 0, false), "a");
      assertEquals(73_728 + HeldSegments.OBJECT_BYTES, instance.rounds.copiesBytes());
    }
    try (var small = new Instance(3 * COPY)) {
      for (var name : NAMES) {
        small.add(fixed(1, 16, 0, false), name);
      }
      assertEquals(5 * (16 + HeldSegments.OBJECT_BYTES), small.rounds.copiesBytes());
    }
  }

  /** Reading others again and again would take longer than asking Redis for their bits. */
  @Test
  void segmentsWithoutRoomAreUsedBitByBit() {
    var filter = fixed(12, 4_096, 0, false);
    one.add(filter, NAMES);
    TestLink.await(one.rounds.restAll());
    try (var small = new Instance(3 * COPY)) {
      for (var name : NAMES) {
        assertTrue(small.contains(filter, name));
      }
      var reads = small.link.registry().get("bloom.copies.reads").counters();
      assertEquals(3, reads.stream().mapToDouble(Counter::count).sum());
    }
  }
}
