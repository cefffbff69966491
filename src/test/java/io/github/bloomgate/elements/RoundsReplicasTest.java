package io.github.bloomgate.elements;

import static io.github.bloomgate.support.Failures.assertFails;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.elements.ElementCall.Kind;
import io.github.bloomgate.elements.ElementRequest.Outcome;
import io.github.bloomgate.memory.Client;
import io.github.bloomgate.model.Durability;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.redis.TestLink;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.segment.Verdict;
import io.github.bloomgate.support.InParallel;
import io.github.bloomgate.support.OnRedis;
import io.smallrye.mutiny.Uni;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Adds and removals that replicas confirm. */
class RoundsReplicasTest extends RoundsFixture {

  @OnRedis.Special private static TestRedis replica;

  @BeforeAll
  static void startReplica() {
    redis.command("CONFIG", "SET", "repl-diskless-sync-delay", "0");
    replica = TestRedis.started("--replicaof", "127.0.0.1", String.valueOf(redis.port()));
    Awaitility.await()
        .until(() -> replica.command("INFO", "replication").toString().contains("status:up"));
  }

  private static ElementRequest request(TestFilter filter, Kind kind, String... elements) {
    return new ElementRequest(
        new ElementCall(
            kind, bytes(elements), Durability.REPLICATED, Client.SERVICE, Optional.empty()),
        filter.view());
  }

  /** Repeats the request if it times out, because a replica on a busy machine may be slow. */
  private static ElementRequest confirmed(TestFilter filter, Kind kind, String... elements) {
    return Awaitility.await()
        .ignoreExceptionsMatching(RoundsReplicasTest::isLate)
        .until(
            () -> {
              var request = request(filter, kind, elements);
              one.run(filter, request);
              return request;
            },
            request -> true);
  }

  private static boolean isLate(Throwable failure) {
    return failure instanceof BloomException error && error.code() == ErrorCode.NOT_REPLICATED;
  }

  private static BloomException assertNotReplicated(TestFilter filter, ElementRequest request) {
    return assertFails(ErrorCode.NOT_REPLICATED, () -> one.run(filter, request));
  }

  @Test
  void anAddIsDoneWhenReplicasHaveIt() {
    var filter = fixed(3, 4_096, 0, false);
    var request = confirmed(filter, Kind.ADD, "a", "b", "c", "d", "e", "f");
    assertEquals(OptionalInt.of(1), request.replicas());
    for (var index : filter.view().live().written().indexes()) {
      assertEquals(
          redis.command("GET", filter.key(index)).toString(),
          replica.command("GET", filter.key(index)).toString());
    }
    var plain = request(Kind.ADD, filter, "a");
    one.run(filter, plain);
    assertEquals(OptionalInt.empty(), plain.replicas());
  }

  @Test
  void onlyReplicatedRequestsFailWithoutReplicas() {
    var filter = fixed(3, 4_096, 0, false);
    one.add(filter, "known");
    replica.freeze();
    try {
      var failing = one.send(request(filter, Kind.ADD, "a")).subscribeAsCompletionStage();
      assertAdded(one.add(filter, "b"));
      assertTrue(one.contains(filter, "b"));
      assertThrows(Exception.class, failing::join);
      assertNotReplicated(filter, request(filter, Kind.ADD, "known"));
    } finally {
      replica.thaw();
    }
    assertEquals(Verdict.KNOWN, confirmed(filter, Kind.ADD, "a").live().answer(0));
  }

  /** Known elements must be confirmed too. Other adds to the same bits do not wait for that. */
  @Test
  void callsToRawBitsWaitForReplicas() {
    var raw = raw();
    assertEquals(OptionalInt.of(1), confirmed(raw, Kind.ADD, "a", "known").replicas());
    replica.freeze();
    try {
      var failing = one.send(request(raw, Kind.ADD, "known")).subscribeAsCompletionStage();
      assertAdded(one.add(raw, "b"));
      assertThrows(Exception.class, failing::join);
    } finally {
      replica.thaw();
    }
  }

  @Test
  void anUnconfirmedRemovalMustNotBeRepeated() {
    var filter = counting(1, 4_096);
    one.add(filter, "a", "a");
    replica.freeze();
    try {
      var failure = assertNotReplicated(filter, request(filter, Kind.REMOVE, "a"));
      assertTrue(failure.getMessage().contains("Do not repeat"), failure.getMessage());
    } finally {
      replica.thaw();
    }
    assertEquals(1, one.run(filter, Kind.COUNT, "a").times()[0]);
  }

  /** There is no copy of the segment, so the add without confirmation is made bit by bit. */
  @Test
  void aConfirmedAddSharesARoundWithABitByBitAdd() throws Exception {
    var filter = fixed(1, 1 << 17, 0, false);
    one.add(filter, "a");
    TestLink.await(one.rounds.restAll());
    replica.freeze();
    try (var rare = new Instance(MEMORY)) {
      var plain = request(Kind.ADD, filter, "b");
      var sent = rare.sendTogether(plain, request(filter, Kind.ADD, "c"));
      assertEquals(Outcome.DONE, InParallel.resultOf(sent.get(0)));
      assertEquals(1, plain.askedInRedis());
      assertFalse(isDone(sent.get(1)));
    } finally {
      replica.thaw();
    }
  }

  /** Only the add that asked for replicas fails, and no add is made again. */
  @Test
  void anUnconfirmedAddDoesNotFailOthersInItsRound() throws Exception {
    var filter = counting(1, 4_096);
    one.add(filter, "removed", "removed");
    replica.freeze();
    try {
      var sent =
          one.sendTogether(
              request(filter, Kind.ADD, "added"),
              request(Kind.ADD, filter, "added"),
              request(Kind.REMOVE, filter, "removed"));
      assertEquals(Outcome.DONE, InParallel.resultOf(sent.get(1)));
      assertEquals(Outcome.DONE, InParallel.resultOf(sent.get(2)));
      assertFalse(isDone(sent.get(0)));
    } finally {
      replica.thaw();
    }
    for (var instance : List.of(one, other)) {
      var counts = instance.run(filter, Kind.COUNT, "added", "removed").times();
      assertArrayEquals(new byte[] {2, 1}, counts);
    }
  }

  @Test
  void anUnconfirmedRemovalOfAnAbsentElementRemovesNothing() {
    var filter = counting(1, 4_096);
    one.add(filter, "a");
    var removal = request(filter, Kind.REMOVE, "absent");
    replica.freeze();
    try {
      var failure = assertNotReplicated(filter, removal);
      assertTrue(failure.getMessage().contains("were removed or absent"), failure.getMessage());
      assertFalse(failure.getMessage().contains("was made"), failure.getMessage());
    } finally {
      replica.thaw();
    }
    assertEquals(Verdict.ABSENT, removal.live().answer(0));
    assertArrayEquals(new byte[] {1, 0}, other.run(filter, Kind.COUNT, "a", "absent").times());
  }

  /** The other history comes from a promoted replica that lacked the last block. */
  @Test
  void anAddIsRepeatedInAnotherHistory() {
    var filter = fixed(1, 4_096, 0, false);
    one.add(filter, "a");
    filter.backUp();
    one.stores.losses().beforeConfirming(filter::restore);
    var request = confirmed(filter, Kind.ADD, "b");
    assertEquals(1, request.replicas().getAsInt());
    assertAdded(request.live());
    assertTrue(other.contains(filter, "b"));
  }

  /** Nothing shows whether the count was made, and it must not be made twice. */
  @ParameterizedTest
  @EnumSource(names = {"ADD", "REMOVE"})
  void aCountInAnotherHistoryIsUnknown(Kind kind) {
    var filter = counting(1, 4_096);
    one.add(filter, "a", "a");
    filter.backUp();
    one.stores.losses().beforeConfirming(filter::restore);
    assertUnknown(filter, request(filter, kind, "a"));
  }

  /** A fold keeps the count but drops the block that would show it. */
  @Test
  void anAddThatIsFoldedBeforeItIsConfirmedCountsOnce() {
    var filter = counting(1, 32_768);
    one.add(filter, "a");
    one.stores
        .losses()
        .beforeConfirming(
            () -> {
              // Enough elements for a fold to drop the journal.
              other.add(filter, elements("element ", 600));
              TestLink.await(other.rounds.restAll());
            });
    assertUnknown(filter, request(filter, Kind.ADD, "a"));
    assertEquals(2, other.run(filter, Kind.COUNT, "a").times()[0]);
  }

  private static void assertUnknown(TestFilter filter, ElementRequest request) {
    assertFails(ErrorCode.STORE_OUTCOME_UNKNOWN, () -> one.run(filter, request));
  }

  /** There are more filters than fit into one confirmation. */
  @Test
  void anAddIsRepeatedInOtherHistoriesOfManyFilters() {
    var filters = Stream.generate(() -> fixed(1, 64, 0, false)).limit(100).toList();
    filters.forEach(filter -> one.add(filter, "a"));
    var first = new CompletableFuture<Void>();
    var others = new CompletableFuture<Void>();
    var asked = new AtomicInteger();
    one.stores
        .losses()
        .confirmAfter(
            () -> Uni.createFrom().completionStage(asked.incrementAndGet() == 1 ? first : others));
    try {
      var alone = send(request(fixed(1, 64, 0, false), Kind.ADD, "b"));
      Awaitility.await().until(() -> asked.get() == 1);
      filters.forEach(TestFilter::backUp);
      var pending = filters.stream().map(some -> send(request(some, Kind.ADD, "b"))).toList();
      filters.forEach(filter -> Awaitility.await().until(() -> one.contains(filter, "b")));
      first.complete(null);
      Awaitility.await().until(() -> asked.get() > 60);
      filters.forEach(TestFilter::restore);
      filters.forEach(filter -> one.contains(filter, "a"));
      others.complete(null);
      isDone(alone);
      for (var i = 0; i < filters.size(); i++) {
        assertTrue(!isDone(pending.get(i)) || other.contains(filters.get(i), "b"));
      }
    } finally {
      one.stores.losses().confirmAfter(() -> Uni.createFrom().voidItem());
    }
  }

  /** The replicas have confirmed other adds in the meantime. */
  @Test
  void aRepeatedAddIsConfirmedAgain() {
    var filter = fixed(1, 4_096, 0, false);
    var gates = Stream.generate(() -> new CompletableFuture<Void>()).limit(3).toList();
    var asked = new AtomicInteger();
    one.add(filter, "a");
    filter.backUp();
    one.stores
        .losses()
        .confirmAfter(
            () -> Uni.createFrom().completionStage(gates.get(asked.getAndIncrement() % 3)));
    try {
      var first = send(request(fixed(1, 64, 0, false), Kind.ADD, "b"));
      Awaitility.await().until(() -> asked.get() == 1);
      var again = send(request(filter, Kind.ADD, "b"));
      assertTrue(one.contains(filter, "b"));
      filter.restore();
      assertTrue(one.contains(filter, "a"));
      var second = send(request(fixed(1, 64, 0, false), Kind.ADD, "b"));
      gates.get(0).complete(null);
      Awaitility.await().until(() -> asked.get() == 2);
      assertTrue(one.contains(filter, "b"));
      gates.get(1).complete(null);
      Awaitility.await().until(() -> asked.get() == 3);
      assertFalse(again.isDone());
      gates.get(2).complete(null);
      Stream.of(first, second, again).forEach(RoundsReplicasTest::isDone);
      assertTrue(other.contains(filter, "b"));
    } finally {
      one.stores.losses().confirmAfter(() -> Uni.createFrom().voidItem());
    }
  }

  private static CompletableFuture<Outcome> send(ElementRequest request) {
    return one.send(request).subscribeAsCompletionStage();
  }

  private static boolean isDone(CompletableFuture<Outcome> pending) {
    try {
      return InParallel.resultOf(pending) == Outcome.DONE;
    } catch (CompletionException failure) {
      assertTrue(isLate(failure.getCause()));
      return false;
    }
  }

  @Test
  void aFilterThatHasChangedIsConfirmedInItsNewState() {
    var filter = fixed(1, 4_096, 0, false);
    one.stores.losses().beforeConfirming(filter::open);
    var request = confirmed(filter, Kind.ADD, "a");
    assertAdded(request.live());
    filter.commit();
    assertTrue(other.contains(filter, "a"));
  }
}
