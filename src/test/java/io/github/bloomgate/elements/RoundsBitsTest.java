package io.github.bloomgate.elements;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.elements.ElementCall.Kind;
import io.github.bloomgate.elements.ElementRequest.Outcome;
import io.github.bloomgate.filters.UnfoldedSegments;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.redis.StepLink;
import io.github.bloomgate.redis.TestLink;
import io.github.bloomgate.segment.Verdict;
import io.github.bloomgate.store.Keys;
import io.github.bloomgate.store.TestStores;
import io.github.bloomgate.store.TestStores.Loss;
import io.github.bloomgate.support.Failures;
import io.github.bloomgate.support.InOrder;
import io.github.bloomgate.support.InParallel;
import io.smallrye.mutiny.Uni;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Segments that an instance rarely uses are tested and changed bit by bit. */
class RoundsBitsTest extends RoundsFixture {

  private static final int BYTES = 1 << 17;

  private Instance rare;

  @BeforeEach
  void begin() {
    rare = new Instance(MEMORY);
  }

  @AfterEach
  void end() {
    rare.close();
  }

  /** A filter whose journals are folded. */
  private static TestFilter folded(long maxInsertions, boolean grows, String... elements) {
    var filter = fixed(1, BYTES, maxInsertions, grows);
    one.add(filter, elements);
    // A full layer can only be folded after this version has used it.
    one.run(filter, Kind.TEST, elements);
    TestLink.await(one.rounds.restAll());
    return filter;
  }

  private double decided(String by) {
    return rare.link.registry().get("bloom.copies.tests").tag("decided", by).counter().count();
  }

  @Test
  void aSegmentIsReadWhenItIsUsedMoreOften() {
    var filter = folded(0, false, "a");
    assertTrue(rare.contains(filter, "a"));
    assertFalse(rare.contains(filter, "b"));
    assertEquals(0, rare.rounds.copiesBytes());
    assertEquals(2, decided("redis"));
    assertTrue(rare.contains(filter, "a"));
    assertEquals(BYTES + HeldSegments.OBJECT_BYTES, rare.rounds.copiesBytes());
    assertEquals(1, decided("copy"));
  }

  @Test
  void severalFiltersShareACall() {
    var filters = IntStream.range(0, 100).mapToObj(i -> folded(0, false, "a" + i)).toList();
    assertTrue(other.contains(folded(0, false, "a"), "a"));
    var isMoved = redis.spareBytes(filters.get(0).key(0)) == 0;
    for (var kind : List.of(Kind.TEST, Kind.ADD)) {
      var requests = filters.stream().map(filter -> request(kind, filter, "a7")).toList();
      redis.command("CONFIG", "RESETSTAT");
      TestLink.await(rare.rounds.send(requests));
      var calls = redis.command("INFO", "commandstats").toString();
      // Adding to strings without spare room takes several calls.
      var expected = kind == Kind.ADD && isMoved ? 6 : 1;
      assertTrue(calls.contains("cmdstat_evalsha:calls=" + expected + ","), calls);
      for (var i = 0; i < requests.size(); i++) {
        var absent = kind == Kind.TEST ? Verdict.ABSENT : Verdict.CHANGED;
        assertEquals(i == 7 ? Verdict.KNOWN : absent, requests.get(i).live().answer(0));
      }
    }
    assertEquals(0, rare.rounds.copiesBytes());
  }

  @Test
  void elementsAreAddedOnceWithoutACopy() {
    var filter = folded(0, false, "a");
    var part = rare.add(filter, "a", "b", "c", "b");
    assertEquals(
        Arrays.asList(Verdict.KNOWN, Verdict.CHANGED, Verdict.CHANGED, Verdict.KNOWN),
        IntStream.range(0, 4).mapToObj(part::answer).toList());
    assertEquals(0, rare.rounds.copiesBytes());
    assertTrue(one.contains(filter, "b") && one.contains(filter, "c"));
    assertEquals(3, filter.insertions());
  }

  /** A repeated call could not show which elements the lost call added. */
  @ParameterizedTest
  @EnumSource(names = {"REQUEST", "REPLY"})
  void anAddWithALostReplyIsUnknown(Loss loss) {
    var filter = folded(0, false, "a");
    rare.stores.losses().lose(loss);
    Failures.assertFails(
        ErrorCode.STORE_OUTCOME_UNKNOWN, rare.send(request(Kind.ADD, filter, "a", "b")));
    assertEquals(loss == Loss.REPLY, one.contains(filter, "b"));
    rare.add(filter, "a", "b");
    assertTrue(one.contains(filter, "b"));
    assertEquals(2, filter.insertions());
  }

  @Test
  void aFullSegmentRefusesElements() {
    var filter = folded(2, false, "a");
    var part = rare.add(filter, "b", "c", "a");
    assertEquals(
        Arrays.asList(Verdict.CHANGED, Verdict.REFUSED, Verdict.KNOWN),
        IntStream.range(0, 3).mapToObj(part::answer).toList());
  }

  @Test
  void allLayersAreTested() {
    var filter = folded(20, true, NAMES);
    assertEquals(3, filter.view().live().layers().size());
    var part = rare.run(filter, Kind.TEST, NAMES);
    assertTrue(IntStream.range(0, 60).allMatch(i -> part.answer(i) == Verdict.KNOWN));
    assertEquals(0, rare.rounds.copiesBytes());
    assertFalse(rare.contains(filter, "none of them"));
    assertAdded(rare.add(filter, "none of them"));
    assertEquals(61, filter.insertions());
  }

  /** Only the reply of the round shows whether the full layer has changed. */
  @Test
  void aFullLayerWithAnotherHistoryIsReadAgain() {
    var filter = fixed(1, BYTES, 60, true);
    rare.add(filter, NAMES[0]);
    filter.backUp();
    rare.add(filter, NAMES);
    one.add(filter, "behind the full layer");
    TestLink.await(one.rounds.restAll());
    filter.restore();
    assertAdded(other.add(filter, "in the first layer"));
    assertTrue(rare.contains(filter, "in the first layer"));
  }

  /** The bitmap lacks the elements in the journal. */
  @Test
  void aJournaledSegmentIsUsedByACopy() {
    var filter = fixed(1, BYTES, 0, false);
    one.add(filter, "a");
    assertTrue(rare.contains(filter, "a"));
    assertEquals(BYTES + HeldSegments.OBJECT_BYTES, rare.rounds.copiesBytes());
    assertEquals(1, decided("copy"));
  }

  @Test
  void manyElementsRequireACopyImmediately() {
    var filter = folded(0, false, "a");
    rare.add(filter, elements("some ", 500));
    assertEquals(BYTES + HeldSegments.OBJECT_BYTES, rare.rounds.copiesBytes());
  }

  @Test
  void aRequestContinuesWithTheChangedFilter() {
    var filter = folded(0, false, "a");
    var request = request(Kind.ADD, filter, "b");
    filter.open();
    assertAdded(rare.run(filter, request));
    filter.commit();
    assertTrue(other.contains(filter, "b"));
  }

  /**
   * The bit-by-bit call finds no next generation, while the call for the copy is still in progress.
   */
  @Test
  void aRequestWaitsForAllItsCalls() throws Exception {
    var filter = folded(0, false, "a");
    IntStream.range(0, 3).forEach(i -> assertTrue(rare.contains(filter, "a")));
    assertEquals(BYTES + HeldSegments.OBJECT_BYTES, rare.rounds.copiesBytes());
    filter.open();
    one.run(filter, Kind.ADD, "in the next");
    TestLink.await(one.rounds.restAll());
    var request = request(Kind.ADD, filter, "b");
    redis.command("DEL", Keys.next(filter.name));
    var gate = new CompletableFuture<Void>();
    rare.stores.losses().holdRounds(Uni.createFrom().completionStage(gate));
    var sent = rare.send(request).subscribeAsCompletionStage();
    Awaitility.await().until(() -> rare.thread.submit(request::isDecided).get());
    assertFalse(sent.isDone());
    gate.complete(null);
    assertEquals(Outcome.OUTDATED, InParallel.resultOf(sent));
    assertTrue(request.follow(filter.view()));
    assertTrue(request.isDecided());
    assertAdded(request.live());
    assertTrue(other.contains(filter, "b"));
  }

  /** Another instance ends the rebuild after the call to the live generation. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anAddToRawBitsIsLiveWhenItsRebuildEndsBetweenItsCalls(boolean isCommitted) {
    var filter = raw();
    filter.open();
    try (var link = TestLink.stepwise(redis.options())) {
      var stores = TestStores.of(link);
      var rounds =
          new Rounds(
              stores.segments(), MEMORY, new UnfoldedSegments(), link.registry(), new InOrder());
      TestLink.await(rounds.send(List.of(request(Kind.ADD, filter, "sends the script"))));
      var request = request(Kind.ADD, filter, "a");
      var steps = (StepLink) link.link();
      steps.hold();
      var sent = rounds.send(List.of(request)).subscribeAsCompletionStage();
      steps.execute();
      steps.answer();
      assertAdded(request.live());
      assertTrue(steps.canExecute());
      if (isCommitted) {
        filter.commit();
      } else {
        filter.abort();
        filter.open();
      }
      steps.release();
      InParallel.resultOf(sent);
      assertEquals(Outcome.OUTDATED, request.result());
      assertTrue(request.follow(filter.view()));
      rare.run(filter, request);
      assertTrue(rare.contains(filter, "a"));
      if (!isCommitted) {
        filter.commit();
        assertTrue(rare.contains(filter, "a"));
      }
    }
  }
}
