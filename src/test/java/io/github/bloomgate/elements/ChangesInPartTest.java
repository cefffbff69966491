package io.github.bloomgate.elements;

import static io.github.bloomgate.support.Failures.assertFails;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.elements.ElementCall.Kind;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.error.ProblemDetails;
import io.github.bloomgate.store.TestStores.Loss;
import io.github.bloomgate.support.InParallel;
import io.smallrye.mutiny.Uni;
import java.util.Arrays;
import java.util.Collections;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Requests that fail after some of their changes were made. Clients repeat a request that gets 503,
 * so changes that must not be made twice get 504.
 */
class ChangesInPartTest extends RoundsFixture {

  /**
   * Sends a request that needs two rounds, and makes Redis refuse changes between them, as after a
   * failover. One segment has a copy, and the other one must be read first.
   */
  private static BloomException failInSecondRound(TestFilter filter, Kind kind, ErrorCode code) {
    assertTrue(other.contains(filter, NAMES[0]));
    var arrived = new CompletableFuture<Void>();
    var gate = new CompletableFuture<Void>();
    other
        .stores
        .losses()
        .holdRounds(
            Uni.createFrom()
                .deferred(
                    () -> {
                      arrived.complete(null);
                      return Uni.createFrom().completionStage(gate);
                    }));
    var sent = other.send(request(kind, filter, NAMES)).subscribeAsCompletionStage();
    try {
      InParallel.resultOf(arrived);
      redis.command("REPLICAOF", "127.0.0.1", "1");
      gate.complete(null);
      return assertFails(code, Uni.createFrom().completionStage(sent));
    } finally {
      redis.command("REPLICAOF", "NO", "ONE");
      other.stores.losses().holdRounds(Uni.createFrom().voidItem());
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"ADD", "REMOVE"})
  void countersThatChangedInPartAreReported(Kind kind) {
    var filter = counting(2, 4_096);
    one.add(filter, NAMES);
    var failure = failInSecondRound(filter, kind, ErrorCode.STORE_OUTCOME_UNKNOWN);
    var counts = one.run(filter, Kind.COUNT, NAMES).times();
    var changed = 0;
    for (var count : counts) {
      changed += count == 1 ? 0 : 1;
    }
    assertTrue(changed > 0 && changed < NAMES.length, Arrays.toString(counts));
    assertApplied(changed, NAMES.length, failure);
  }

  private static void assertApplied(int applied, int of, BloomException failure) {
    var details = assertInstanceOf(ProblemDetails.Applied.class, failure.details().orElseThrow());
    assertEquals(applied, details.count());
    var message = failure.getMessage();
    assertTrue(message.contains("%d of the %d elements".formatted(applied, of)), message);
    assertFalse(message.contains("epeat the request later"), message);
  }

  /** No call was made for the known element, but one for the other. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anAddWithoutRepliesIsUnknownBesideAKnownElement(boolean isCounting) {
    var filter = isCounting ? counting(1, 4_096) : fixed(1, 4_096, 0, false);
    // A counter that has reached 15 never changes again.
    one.add(filter, Collections.nCopies(15, "known").toArray(String[]::new));
    var losses = one.stores.losses();
    losses.lose(Loss.REPLY, () -> losses.lose(Loss.REPLY));
    var failure =
        assertFails(
            ErrorCode.STORE_OUTCOME_UNKNOWN, one.send(request(Kind.ADD, filter, "known", "new")));
    assertTrue(other.contains(filter, "new"));
    if (isCounting) {
      assertApplied(0, 2, failure);
      assertArrayEquals(new byte[] {15, 1}, other.run(filter, Kind.COUNT, "known", "new").times());
    }
  }
}
