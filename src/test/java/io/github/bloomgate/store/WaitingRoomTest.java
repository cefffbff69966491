package io.github.bloomgate.store;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.bloomgate.error.BloomException;
import io.github.bloomgate.error.ErrorCode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.helpers.test.UniAssertSubscriber;
import io.smallrye.mutiny.subscription.UniEmitter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Requests do not pile up before a Redis that does not answer. */
class WaitingRoomTest {

  private static final int MOST = 10;
  private static final int OFFSETS = 7;
  private static final long BYTES =
      MOST * (WaitingRoom.BYTES_PER_REQUEST + (long) OFFSETS * Long.BYTES);

  private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
  private final WaitingRoom room = new WaitingRoom(BYTES, metrics);
  private final List<Call> calls = new CopyOnWriteArrayList<>();
  private final Coalescer<String, String, String> coalescer =
      new Coalescer<>(
          destination -> 1000,
          String::length,
          batch -> OFFSETS,
          room,
          (destination, batches) ->
              Uni.createFrom().emitter(emitter -> calls.add(new Call(batches.size(), emitter))));

  private record Call(int batches, UniEmitter<? super List<String>> emitter) {

    private void answer(int batches) {
      emitter.complete(IntStream.range(0, batches).mapToObj(i -> "done").toList());
    }
  }

  private UniAssertSubscriber<String> send() {
    return coalescer.send("x", "a").subscribe().withSubscriber(UniAssertSubscriber.create());
  }

  private List<UniAssertSubscriber<String>> fill() {
    return IntStream.range(0, MOST).mapToObj(i -> send()).toList();
  }

  private void assertEmpty() {
    assertEquals(0, room.taken());
    assertEquals(0, coalescer.busy());
    fill().forEach(UniAssertSubscriber::assertNotTerminated);
    assertEquals(BYTES, metrics.get("bloom.waiting").gauge().value());
  }

  @Test
  void whoFindsNoRoomIsRefusedAtOnceAndHarmsNobody() {
    var waiting = fill();
    for (var i = 0; i < 1000; i++) {
      assertRefused(send());
    }
    waiting.forEach(UniAssertSubscriber::assertNotTerminated);
    for (var i = 0; i < calls.size(); i++) {
      calls.get(i).answer(calls.get(i).batches());
    }
    waiting.forEach(one -> one.assertItem("done"));
    assertEmpty();
  }

  @Test
  void failuresGiveTheRoomBack() {
    var waiting = fill();
    for (var i = 0; i < calls.size(); i++) {
      calls.get(i).emitter().fail(new IllegalStateException("no answer"));
    }
    waiting.forEach(UniAssertSubscriber::assertFailed);
    assertEmpty();
  }

  @Test
  void whoLeavesGivesTheRoomBack() {
    var waiting = new ArrayList<>(fill());
    waiting.remove(0).cancel();
    waiting.add(send());
    waiting.get(waiting.size() - 1).assertNotTerminated();
    assertRefused(send());
    waiting.forEach(UniAssertSubscriber::cancel);
    for (var i = 0; i < calls.size(); i++) {
      calls.get(i).answer(calls.get(i).batches());
    }
    assertEmpty();
  }

  /** Batches that a call left undone are sent again, and take and give their room but once. */
  @Test
  void whatIsSentAgainHasItsRoomOnce() {
    var waiting = fill();
    for (var i = 0; i < calls.size(); i++) {
      calls.get(i).answer(1);
    }
    waiting.forEach(one -> one.assertItem("done"));
    assertEmpty();
  }

  private static void assertRefused(UniAssertSubscriber<String> answer) {
    answer.assertFailed();
    assertEquals(ErrorCode.STORE_UNAVAILABLE, ((BloomException) answer.getFailure()).code());
  }
}
