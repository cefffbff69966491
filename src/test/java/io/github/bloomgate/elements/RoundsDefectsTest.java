package io.github.bloomgate.elements;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.elements.ElementCall.Kind;
import io.github.bloomgate.elements.ElementRequest.Outcome;
import io.github.bloomgate.memory.Client;
import io.github.bloomgate.model.Durability;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.redis.TestLink;
import io.github.bloomgate.segment.Verdict;
import io.github.bloomgate.store.TestStores.Defect;
import io.github.bloomgate.store.TestStores.Losses;
import io.github.bloomgate.support.Failures;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Errors on the thread of the rounds fail the requests that they concern, and block none. */
class RoundsDefectsTest extends RoundsFixture {

  private final Losses stores = one.stores.losses();

  @AfterEach
  void clear() {
    stores.clearDefects();
  }

  private static void assertFails(ErrorCode code, ElementRequest request) {
    Failures.assertFails(code, one.send(request));
    assertEquals(Outcome.DONE, TestLink.await(one.send(request(Kind.TEST, other(), "a"))));
  }

  private static TestFilter other() {
    return fixed(1, 4_096, 0, false);
  }

  @Test
  void aCallThatIsNotSentIsRepeatedOnce() {
    var filter = counting(1, 4_096);
    stores.defect(Defect.ADVANCE, 1);
    assertAdded(one.add(filter, "a"));
    stores.defect(Defect.ADVANCE, 2);
    assertFails(ErrorCode.STORE_OUTCOME_UNKNOWN, request(Kind.ADD, filter, "b"));
    stores.defect(Defect.ADVANCE, 2);
    assertFails(ErrorCode.OVERLOADED, request(Kind.TEST, filter, "a"));
    assertEquals(1, one.run(filter, Kind.COUNT, "a").times()[0]);
  }

  /** The block is in Redis, and the copy may have applied a part of it. */
  @Test
  void aReplyThatCannotBeUsedLeavesTheOutcomeUnknown() {
    var filter = counting(1, 4_096);
    one.add(filter, "a", "a");
    stores.defect(Defect.ADVANCE_REPLY, 1);
    assertFails(ErrorCode.STORE_OUTCOME_UNKNOWN, request(Kind.REMOVE, filter, "a"));
    assertEquals(1, one.run(filter, Kind.COUNT, "a").times()[0]);
    assertEquals(1, other.run(filter, Kind.COUNT, "a").times()[0]);
  }

  @ParameterizedTest
  @EnumSource(names = {"BITS", "BITS_REPLY"})
  void aCallWithoutACopyFails(Defect defect) {
    var filter = fixed(1, 1 << 17, 0, false);
    other.add(filter, "a");
    TestLink.await(other.rounds.restAll());
    stores.defect(defect, 1);
    assertFails(ErrorCode.OVERLOADED, request(Kind.TEST, filter, "a"));
    assertTrue(one.contains(filter, "a"));
  }

  @Test
  void aSegmentThatIsNotReadIsReadForTheNextRequest() {
    var filter = counting(1, 4_096);
    other.add(filter, "a");
    stores.defect(Defect.READ, 1);
    assertFails(ErrorCode.OVERLOADED, request(Kind.COUNT, filter, "a"));
    assertEquals(1, one.run(filter, Kind.COUNT, "a").times()[0]);
  }

  @Test
  void aConfirmationFails() {
    var filter = other();
    var request =
        new ElementRequest(
            new ElementCall(
                Kind.ADD, bytes("a"), Durability.REPLICATED, Client.SERVICE, Optional.empty()),
            filter.view());
    stores.defect(Defect.CONFIRM, 1);
    assertFails(ErrorCode.OVERLOADED, request);
    assertEquals(Verdict.KNOWN, one.add(filter, "a").answer(0));
  }

  /** A patch that is lost must not let the next one leave out its bits. */
  @ParameterizedTest
  @EnumSource(names = {"PATCH", "FOLD", "HEADER"})
  void aFoldIsRepeatedAsAWhole(Defect defect) {
    var filter = fixed(1, 4_096, 0, false);
    one.add(filter, "a");
    TestLink.await(one.rounds.restAll());
    one.add(filter, defect == Defect.PATCH ? elements("few ", 2) : elements("many ", 40));
    stores.defect(defect, 1);
    TestLink.await(one.rounds.restAll());
    assertFalse(stores.hasDefects());
    one.add(filter, "later");
    Awaitility.await()
        .until(
            () -> {
              one.rounds.rest(Duration.ZERO, Duration.ZERO);
              return filter.segments().get(0).unfolded() == 0;
            });
    assertTrue(other.contains(filter, "later") && other.contains(filter, "a"));
  }

  @Test
  void aFullJournalThatIsNotFoldedFailsItsAdds() {
    var filter = fixed(1, 4_096, 0, false);
    stores.defect(Defect.HEADER, 1);
    for (var i = 0; stores.hasDefects(); i++) {
      one.add(filter, elements(i + " ", 100));
      assertTrue(i < 100);
    }
    assertAdded(one.add(filter, "later"));
  }

  @Test
  void requestsThatGetNoCallAreStuck() {
    assertFalse(isStuck());
    var gate = new CompletableFuture<Void>();
    stores.holdRounds(Uni.createFrom().completionStage(gate));
    try {
      var sent = one.send(request(Kind.ADD, other(), "a")).subscribeAsCompletionStage();
      Awaitility.await().until(RoundsDefectsTest::isStuck);
      gate.complete(null);
      sent.join();
    } finally {
      stores.holdRounds(Uni.createFrom().voidItem());
    }
    assertFalse(isStuck());
  }

  private static boolean isStuck() {
    return TestLink.await(one.rounds.isStuck(Duration.ofMillis(1)));
  }
}
